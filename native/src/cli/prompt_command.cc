// `git-resident prompt`: what shells show of a repository, in gitstatusd's protocol over standard
// input and output, or one line of a format.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
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

// A request names the repository; what the shell was started with does not. Before any thread.
void forget_repository_of_environment() {
  for (const char* name :
       {"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE",
        "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS",
        "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_COMMON_DIR"}) {
    ::unsetenv(name);
  }
}

// Whether somebody holds a lock on the file behind `fd`, as the shell does while it lives.
bool is_locked(int fd) {
  struct flock lock {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool shell_lives(const PromptOptions& options) {
  if (options.lock_fd && !is_locked(*options.lock_fd)) return false;
  return !options.parent_pid || ::kill(*options.parent_pid, 0) == 0;
}

class PromptServer {
 public:
  explicit PromptServer(const PromptOptions& options)
      : options_(options),
        own_({.threads = threads_of(options),
              .watch_budget = options.watch_budget.value_or(default_watch_budget()),
              .trusted = options.trust,
              .is_wanted = [this] { return shell_lives(options_); }}),
        answers_(own_) {}

  // Until the shell is gone, or closes its end.
  int run() {
    for (;;) {
      pollfd input{STDIN_FILENO, POLLIN, 0};
      const int ready = ::poll(&input, 1, static_cast<int>(kTick / std::chrono::milliseconds(1)));
      if (ready < 0 && errno != EINTR) return fail(std::strerror(errno));
      if (ready > 0) {
        char buffer[16 * 1024];
        const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (count < 0 && errno != EINTR && errno != EAGAIN) return fail(std::strerror(errno));
        if (count == 0) return 0;
        if (count > 0 && !take({buffer, static_cast<size_t>(count)})) return 0;
      } else {
        if (!shell_lives(options_)) return 0;
        if (options_.idle) own_.release_idle(*options_.idle);
      }
    }
  }

 private:
  // False where nobody reads the answers.
  bool take(std::string_view bytes) {
    reader_.add(bytes);
    while (std::optional<PromptRequestReader::Record> record = reader_.next()) {
      if (!write_to(STDOUT_FILENO, response(*record))) return false;
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
    // A directory outside of any repository is no news.
    if (status.error().code != ErrorCode::kNotFound) log(status.error().message);
    return no_repository_response(request->id);
  }

  Result<PromptStatus> ask(const PromptRequest& request) {
    RESIDENT_TRY(const std::string root, PromptAnswers::find_root(request));
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

  const PromptOptions options_;
  PromptWorktreeCache own_;
  PromptAnswers answers_;
  PromptRequestReader reader_;
};

int serve(const PromptOptions& options) {
  forget_repository_of_environment();
  PromptServer server(options);
  return server.run();
}

int print(const PromptOptions& options) {
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
    RESIDENT_TRY(const std::string root, PromptAnswers::find_root(request));
    Result<PromptStatus> kept = ask_keeper(root, query);
    if (kept.ok()) return kept;
    return scan_prompt(root, query, threads_of(options), options.trust);
  };
  Result<PromptStatus> status = answered();
  if (!status.ok()) {
    if (status.error().code == ErrorCode::kNotFound) return kNoRepository;
    std::fprintf(stderr, "git-resident prompt: %s\n", status.error().message.c_str());
    return kFatal;
  }
  return write_to(STDOUT_FILENO, format->print(*status, options.reader) + "\n") ? 0 : kFatal;
}

}  // namespace

int prompt_command(const Arguments& arguments) {
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
      return print(*options);
    case PromptOptions::Action::kServe:
      return serve(*options);
  }
  return 0;
}

}  // namespace resident
