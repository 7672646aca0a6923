#include "status/filter_questions.h"

#include <set>
#include <utility>

#include "status/ask_git.h"

namespace resident {

namespace {

// A filter may need a long time, but it must end.
constexpr std::chrono::minutes kTimeLimit{10};

// git compares each index entry with each given name, so many names are slow.
GitCommand status_of(const std::string& root, const std::vector<std::string>& paths) {
  GitCommand command;
  // Without a monitor, because a hook's answer can hide the file from git.
  command.arguments = {"-c",
                       "core.fsmonitor=false",
                       "--literal-pathspecs",
                       "status",
                       "--porcelain=v2",
                       "-z",
                       "--untracked-files=no",
                       "--no-renames",
                       "--ignore-submodules=all",
                       "--"};
  if (paths.size() <= FilterQuestions::kMaxNamed) {
    command.arguments.insert(command.arguments.end(), paths.begin(), paths.end());
  }
  command.options.cwd = root;
  command.options.time_limit = kTimeLimit;
  return command;
}

// Paths of files that git reports as changed.
Result<std::set<std::string>> changed_paths(const Result<GitOutput>& said) {
  if (!said.ok()) return said.error();
  if (said->exit_code != 0) return Error{ErrorCode::kUnsupported, git_message(*said)};
  RESIDENT_TRY(const StatusResult status, parse_porcelain_v2(said->out));
  std::set<std::string> changed;
  for (const ChangedEntry& entry : status.changed) {
    if (entry.worktree != Change::kNone) changed.insert(entry.path);
  }
  return changed;
}

}  // namespace

std::optional<Result<ContentMatch>> FilterQuestions::find(std::string_view path,
                                                          const File& file) const {
  if (empty()) return std::nullopt;
  MutexLock lock(mutex_);
  const auto answer = answers_.find(path);
  if (answer == answers_.end() || !(answer->second.file == file)) return std::nullopt;
  return answer->second.match;
}

void FilterQuestions::ask(std::string path, const File& file, Timestamp at,
                          const std::string& filter) {
  MutexLock lock(mutex_);
  const auto [question, is_new] =
      questions_.try_emplace(std::move(path), Question{file, at, filter});
  if (!is_new && !(question->second.file == file)) question->second = Question{file, at, filter};
  count();
}

void FilterQuestions::drop(std::string_view path) {
  if (empty()) return;
  MutexLock lock(mutex_);
  const auto question = questions_.find(path);
  if (question != questions_.end()) questions_.erase(question);
  count();
}

bool FilterQuestions::is_asked(std::string_view path) const {
  if (empty()) return false;
  MutexLock lock(mutex_);
  return questions_.contains(path);
}

std::vector<std::string> FilterQuestions::paths() const {
  std::vector<std::string> paths;
  MutexLock lock(mutex_);
  for (const auto& [path, question] : questions_) paths.push_back(path);
  return paths;
}

void FilterQuestions::drop_all(GitTasks& tasks) {
  std::set<GitTasks::RequestId> asked;
  {
    MutexLock lock(mutex_);
    for (const auto& [path, question] : questions_) asked.insert(question.task);
    questions_.clear();
    sources_.clear();
    count();
  }
  for (const GitTasks::RequestId task : asked) tasks.cancel(task);
}

// The next files to ask about, all for one filter. A slow filter must not delay files of other
// filters.
FilterQuestions::Paths FilterQuestions::next_batch(std::string& filter) {
  Paths paths;
  size_t most = 0;
  MutexLock lock(mutex_);
  for (auto& [path, question] : questions_) {
    if (question.task != 0) continue;
    if (paths.empty()) {
      filter = question.filter;
      most = question.most;
    }
    const bool is_other = question.filter != filter && !is_for_one_batch();
    if (is_other || question.most != most) continue;
    paths.push_back(path);
    if (paths.size() == most) break;
  }
  return paths;
}

void FilterQuestions::ask_git(GitTasks& tasks, const std::string& root,
                              const FindProgram& find_program, const Look& look) {
  if (empty()) return;
  std::string filter;
  for (Paths paths = next_batch(filter); !paths.empty(); paths = next_batch(filter)) {
    Source source = {.asked = tasks.next(), .program = nullptr};
    if (!filter.empty()) {
      source.program = std::make_shared<const FilterProgram>(find_program(filter));
    }
    {
      MutexLock lock(mutex_);
      for (const std::string& path : paths) questions_.at(path).task = source.asked;
    }
    const std::string name = filter.empty() ? "git status" : "filter " + filter;
    GitCommand command = status_of(root, paths);
    const uint64_t files = paths.size();
    tasks.start(std::move(command), {name, files},
                [this, source, paths = std::move(paths), look](const Result<GitOutput>& said) {
                  take(source, paths, said, look);
                });
  }
}

void FilterQuestions::take(const Source& source, const Paths& paths, const Result<GitOutput>& said,
                           const Look& look) {
  const Result<std::set<std::string>> changed = changed_paths(said);
  const bool tells_as_git = is_for_one_batch() && said.ok() && paths.size() <= max_reported_;
  if (tells_as_git) said_ = *said;
  std::vector<std::string> to_look;
  {
    MutexLock lock(mutex_);
    for (const std::string& path : paths) {
      const auto found = questions_.find(path);
      if (found == questions_.end() || found->second.task != source.asked) continue;
      Question& question = found->second;
      // If git fails, ask about fewer files at once to find the file that causes it.
      if (!changed.ok() && said.ok() && paths.size() > 1 && max_reported_ == 0) {
        question.task = 0;
        question.most = paths.size() > kMaxNamed ? kMaxNamed : 1;
        continue;
      }
      Result<ContentMatch> match =
          changed.ok() ? Result(ContentMatch{!changed->contains(path),
                                             !tells_as_git && !said->err.empty(), question.at})
                       : Error{ErrorCode::kUnsupported, path + ": " + changed.error().message};
      answers_.insert_or_assign(path, Answer{question.file, std::move(match)});
      questions_.erase(found);
      to_look.push_back(path);
    }
  }
  for (const std::string& path : to_look) look(path);
  MutexLock lock(mutex_);
  answers_.clear();
  count();
  for (const std::string& path : to_look) {
    sources_[path] = {source.asked, source.program, !changed.ok()};
  }
}

std::vector<std::string> FilterQuestions::take_outdated(
    FileSystem& fs, GitTasks::RequestId since,
    const std::function<bool(const std::string&)>& counts) {
  std::vector<std::string> outdated;
  std::map<const FilterProgram*, bool> holds;
  MutexLock lock(mutex_);
  std::erase_if(sources_, [&](const auto& known) {
    const auto& [path, source] = known;
    if (source.asked >= since || !counts(path)) return false;
    if (!source.failed) {
      if (!source.program) return false;
      const auto [found, is_new] = holds.try_emplace(source.program.get());
      if (is_new) found->second = source.program->holds(fs);
      if (found->second) return false;
    }
    outdated.push_back(path);
    return true;
  });
  return outdated;
}

}  // namespace resident
