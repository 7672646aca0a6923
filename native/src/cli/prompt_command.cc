// `git-resident prompt`: repository facts for shells. It speaks gitstatusd's protocol over standard
// input and output, or prints a line of a format.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/prompt_answers.h"
#include "cli/write_out.h"
#include "os/descriptor_io.h"
#include "os/environment.h"
#include "os/event_loop.h"
#include "os/process.h"
#include "os/standard_streams.h"
#include "prompt/prompt_options.h"

namespace resident {

namespace {

// gitstatusd's exit code for a bad command line.
constexpr int kBadOptions = 10;
constexpr int kNoRepository = 1;
constexpr std::chrono::seconds kTick{1};

unsigned threads_of(const PromptOptions& options) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  return std::min(options.threads.value_or(cores), cores);
}

// A request names the repository; the environment of the shell must not. Call before any thread
// starts.
void forget_repository_of_environment() {
  for (const char* name :
       {"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR"}) {
    unset_variable(name);
  }
}

bool shell_lives(const PromptOptions& options) {
  // The shell holds the lock while it lives.
  if (options.lock_fd && !is_locked_by_another(*options.lock_fd)) return false;
  return !options.parent_pid || process_exists(*options.parent_pid);
}

class PromptServer {
 public:
  PromptServer(FileSystem& fs, const PromptOptions& options)
      : fs_(fs),
        options_(options),
        own_(fs, {.threads = threads_of(options),
                  .watch_budget = options.watch_budget.value_or(default_watch_budget()),
                  .trusted = options.trust,
                  .is_wanted = [this] { return shell_lives(options_); }}),
        answers_(own_) {}

  // Runs until the shell is gone or closes its end.
  int run() {
    for (;;) {
      std::array<Awaited, 1> input{{{kStandardInput, kReadable}}};
      if (!wait_for(input, static_cast<int>(kTick / std::chrono::milliseconds(1)))) {
        return fail(std::strerror(errno));
      }
      if (input[0].ready != 0) {
        char buffer[16 * 1024];
        const IoResult read = read_some(kStandardInput, buffer, sizeof buffer);
        if (read.state == IoResult::State::kFailed) return fail(std::strerror(read.error));
        if (read.state == IoResult::State::kClosed) return 0;
        if (read.count > 0 && !take({buffer, read.count})) return 0;
      } else {
        if (!shell_lives(options_)) return 0;
        if (options_.idle) own_.release_idle(*options_.idle);
      }
    }
  }

 private:
  // Returns false if nobody reads the answers.
  bool take(std::string_view bytes) {
    reader_.add(bytes);
    while (std::optional<PromptRequestReader::Record> record = reader_.next()) {
      if (!write_to(kStandardOutput, response(*record))) return false;
    }
    return true;
  }

  std::string response(const PromptRequestReader::Record& record) {
    Result<PromptRequest> request = record.is_cut
                                        ? Error{ErrorCode::kInvalid, "the request is too long"}
                                        : parse_prompt_request(record.bytes);
    if (!request.ok()) {
      log(request.error().message);
      const std::optional<std::string> id = request_id(record.bytes);
      return id ? no_repository_response(*id) : std::string();
    }
    Result<PromptStatus> status = ask(*request);
    if (status.ok()) return prompt_response(request->id, *status);
    // A directory outside any repository is normal and not logged.
    if (status.error().code != ErrorCode::kNotFound) log(status.error().message);
    return no_repository_response(request->id);
  }

  Result<PromptStatus> ask(const PromptRequest& request) {
    RESIDENT_TRY(const std::string root, PromptAnswers::find_root(fs_, request));
    PromptQuery query = options_.query;
    query.index = request.index;
    RESIDENT_TRY(PromptStatus status, answers_.answer(root, query));
    apply(options_.limits, status);
    return status;
  }

  void log(const std::string& message) const {
    if (options_.logs_errors) std::fprintf(stderr, "git-resident prompt: %s\n", message.c_str());
  }
  int fail(const std::string& message) const {
    log(message);
    return kFatal;
  }

  FileSystem& fs_;
  const PromptOptions options_;
  PromptWorktreeCache own_;
  PromptAnswers answers_;
  PromptRequestReader reader_;
};

int serve(FileSystem& fs, const PromptOptions& options) {
  forget_repository_of_environment();
  PromptServer server(fs, options);
  return server.run();
}

int print(FileSystem& fs, const PromptOptions& options) {
  const Result<PromptFormat> format = PromptFormat::parse(*options.format);
  if (!format.ok()) {
    std::fprintf(stderr, "git-resident prompt: %s\n", format.error().message.c_str());
    return kBadOptions;
  }
  PromptRequest request;
  request.directory = options.directory.empty() ? "." : options.directory;
  PromptQuery query = options.query;
  format->add_needs(query);
  const auto answered = [&]() -> Result<PromptStatus> {
    RESIDENT_TRY(const std::string root, PromptAnswers::find_root(fs, request));
    Result<PromptStatus> kept = ask_keeper(root, query);
    if (kept.ok()) return kept;
    return scan_prompt(fs, root, query, threads_of(options), options.trust);
  };
  Result<PromptStatus> status = answered();
  if (!status.ok()) {
    if (status.error().code == ErrorCode::kNotFound) return kNoRepository;
    std::fprintf(stderr, "git-resident prompt: %s\n", status.error().message.c_str());
    return kFatal;
  }
  return write_to(kStandardOutput, format->print(*status, options.reader) + "\n") ? 0 : kFatal;
}

}  // namespace

int prompt_command(FileSystem& fs, const Arguments& arguments) {
  const Result<PromptOptions> options = parse_prompt_options(arguments);
  if (!options.ok()) {
    std::fprintf(stderr, "git-resident prompt: %s\n%s", options.error().message.c_str(),
                 kPromptUsage);
    return kBadOptions;
  }
  switch (options->action) {
    case PromptOptions::Action::kHelp:
      std::fputs(kPromptUsage, stdout);
      return 0;
    case PromptOptions::Action::kVersion:
      std::printf("%s\n", kGitstatusdVersion.data());
      return 0;
    case PromptOptions::Action::kPrint:
      return print(fs, *options);
    case PromptOptions::Action::kServe:
      return serve(fs, *options);
  }
  return 0;
}

}  // namespace resident
