#include "git/git_version.h"

#include <charconv>
#include <future>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "git/git_command.h"
#include "git/git_program.h"

namespace resident {

namespace {

using Answer = std::shared_future<Result<GitVersion>>;

struct Asked {
  GitProgram program;
  Answer answer;
};

bool is_ready(const Answer& answer) {
  return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

struct Cache {
  Mutex mutex;
  std::optional<Asked> last GUARDED_BY(mutex);
  // Of programs that were on PATH before and have not answered: letting go of one would wait.
  std::vector<Answer> left_alone GUARDED_BY(mutex);

  void set(Asked asked) REQUIRES(mutex) {
    std::erase_if(left_alone, is_ready);
    if (last && !is_ready(last->answer)) left_alone.push_back(last->answer);
    last = std::move(asked);
  }
};

Cache& cache() {
  // Never destroyed: a process may end while git is still being asked.
  static Cache& instance = *new Cache;
  return instance;
}

Result<GitVersion> ask(const GitProgram& program) {
  RESIDENT_TRY(const GitOutput output, run_git({"version"}, {.program = program.path}));
  const std::optional<GitVersion> version = parse_git_version(output.out);
  if (version) return *version;
  return Error{ErrorCode::kUnsupported, program.path + " version: " + output.out + output.err};
}

// What `program` says, or is being asked.
Answer answer_of(const GitProgram& program) {
  Cache& known = cache();
  MutexLock lock(known.mutex);
  if (!known.last || known.last->program != program) {
    // Without a thread to be had it is asked by whoever waits for the answer.
    constexpr auto kEither = std::launch::async | std::launch::deferred;
    known.set({program, std::async(kEither, ask, program).share()});
  }
  return known.last->answer;
}

// What could not be asked may be asked again.
void forget(const GitProgram& program) {
  MutexLock lock(cache().mutex);
  if (cache().last && cache().last->program == program) cache().last.reset();
}

// The number that `text` begins with, taken away together with the '.' before it.
std::optional<int> parse_number(std::string_view& text) {
  if (!text.starts_with('.')) return std::nullopt;
  int number = 0;
  const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (read.ec != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  return number;
}

}  // namespace

std::optional<GitVersion> parse_git_version(std::string_view output) {
  constexpr std::string_view kBegin = "git version";
  if (!output.starts_with(std::string(kBegin) + " ")) return std::nullopt;
  std::string rest = "." + std::string(output.substr(kBegin.size() + 1));
  std::string_view text = rest;
  const auto major = parse_number(text);
  const auto minor = major ? parse_number(text) : std::nullopt;
  if (!minor) return std::nullopt;
  return GitVersion{*major, *minor, parse_number(text).value_or(0)};
}

std::string to_string(const GitVersion& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
         std::to_string(version.patch);
}

std::optional<GitVersion> known_git_version(const GitProgram& program) {
  Cache& known = cache();
  MutexLock lock(known.mutex);
  const bool is_asked = known.last && known.last->program == program;
  if (!is_asked || !is_ready(known.last->answer)) return std::nullopt;
  const Result<GitVersion>& version = known.last->answer.get();
  return version.ok() ? std::optional(*version) : std::nullopt;
}

void cache_git_version(const GitProgram& program, const GitVersion& version) {
  std::promise<Result<GitVersion>> said;
  said.set_value(version);
  Cache& known = cache();
  MutexLock lock(known.mutex);
  known.set({program, said.get_future().share()});
}

Result<GitVersion> git_version() {
  const std::optional<GitProgram> program = git_on_path();
  if (!program) return Error{ErrorCode::kNotFound, "git: not on PATH"};
  const Result<GitVersion> version = answer_of(*program).get();
  if (!version.ok()) forget(*program);
  return version;
}

void prefetch_git_version() {
  if (const std::optional<GitProgram> program = git_on_path()) answer_of(*program);
}

}  // namespace resident
