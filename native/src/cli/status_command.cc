// `git-resident status`: what `git status` says, from a scan or from the resident model.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "cli/commands.h"
#include "cli/hand_to_git.h"
#include "cli/resident_client.h"
#include "cli/status_options.h"
#include "cli/status_request.h"
#include "fs/posix_file_system.h"
#include "service/scan.h"

namespace resident {

namespace {

constexpr int kUsageError = 129;  // as git has it
constexpr int kFatal = 128;

int fail(const std::string& message) {
  std::fprintf(stderr, "fatal: %s\n", message.c_str());
  return kFatal;
}

int write_out(std::string_view text) {
  while (!text.empty()) {
    ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return fail(std::string("write failure on standard output: ") + std::strerror(errno));
    text.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

Result<StatusResult> answer(AnswerSource source, const Repository& repository, const Config& config,
                            const StatusQuery& query) {
  if (source != AnswerSource::kScan) {
    Result<StatusResult> kept = ask_resident(repository, query);
    bool nobody = !kept.ok() && kept.error().code == ErrorCode::kNotFound;
    if (source == AnswerSource::kResident || !nobody) return kept;
  }
  return scan_status(repository, config, query);
}

}  // namespace

int status_command(const Arguments& arguments) {
  std::optional<StatusCommandLine> line = parse_status_command_line(arguments);
  if (!line) {
    std::fputs("git-resident: --source takes auto, scan or resident: --source=scan\n", stderr);
    return kUsageError;
  }
  Arguments for_git = {"status"};
  for_git.insert(for_git.end(), line->git_arguments.begin(), line->git_arguments.end());
  if (!line->options) return hand_to_git(for_git);

  // Where git refuses the directory or its config, it says so best itself.
  Result<Repository> repository = discover("");
  if (!repository.ok()) return hand_to_git(for_git);
  Result<Config> config = Config::load(posix_file_system(), {.worktree = repository->worktree,
                                                             .git_dir = repository->git_dir,
                                                             .common_dir = repository->common_dir});
  if (!config.ok()) return hand_to_git(for_git);
  std::optional<StatusRequest> request =
      status_request(*line->options, *config, *repository, status_surroundings());
  if (!request) return hand_to_git(for_git);

  Result<StatusResult> status = answer(line->source, *repository, *config, request->query);
  if (!status.ok()) {
    if (status.error().code == ErrorCode::kUnsupported) return hand_to_git(for_git);
    return fail(status.error().message);
  }
  return write_out(print_status(*status, request->print));
}

}  // namespace resident
