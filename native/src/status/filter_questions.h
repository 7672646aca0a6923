// FilterQuestions: files whose comparison needs an external filter, and git's answers about them.
// One git process is asked about many files, because some filters handle many files in one process.
//
// An answer is valid only for the file's stat data when git was asked; after a change the file is
// asked about again. It is also valid only while its filter's program is unchanged (FilterProgram).
// take_outdated() checks that for each question.
//
// Threads: any for the calls of scans (find, ask, drop); one owner for all others.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "filter/filter_program.h"
#include "fs/file_stat.h"
#include "git/git_tasks.h"
#include "hash/object_id.h"
#include "status/refresh.h"

namespace resident {

class FilterQuestions {
 public:
  // The file's present stat, and its blob in the index.
  struct File {
    FileStat stat;
    ObjectId in_index;
    friend bool operator==(const File&, const File&) = default;
  };

  using Look = std::function<void(const std::string& path)>;
  // Finds the program of a driver by the driver's name.
  using FindProgram = std::function<FilterProgram(const std::string& filter)>;

  // Limit of paths on git's command line. Beyond it, git examines all files.
  static constexpr size_t kMaxNamed = 50;

  // For a caller that prints git's own output: git is asked once about all files together. If these
  // are at most `most`, said() keeps git's standard error. The text then does not set
  // ContentMatch::git_warns.
  void tell_as_git(size_t most) { max_reported_ = most; }
  // Valid only after tell_as_git(). Null: git was not asked.
  const GitOutput* said() const { return said_ ? &*said_ : nullptr; }

  // git's new answer about that file; available only inside a Look. nullopt: git must be asked.
  std::optional<Result<ContentMatch>> find(std::string_view path, const File& file) const
      EXCLUDES(mutex_);
  // `at`: a time before `file.stat` was taken. `filter` is the driver's name.
  void ask(std::string path, const File& file, Timestamp at, const std::string& filter)
      EXCLUDES(mutex_);
  // Drops an open question. Costs nothing while there are no questions.
  void drop(std::string_view path) EXCLUDES(mutex_);

  bool is_asked(std::string_view path) const EXCLUDES(mutex_);
  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  // Paths of all open questions.
  std::vector<std::string> paths() const EXCLUDES(mutex_);
  // Cancels every open question, and forgets the source of every answer.
  void drop_all(GitTasks& tasks) EXCLUDES(mutex_);

  // Starts git in the worktree `root` for files without a running task. Calls `look(path)` for each
  // answer; find() returns the answer inside that call.
  void ask_git(GitTasks& tasks, const std::string& root, const FindProgram& find_program,
               const Look& look) EXCLUDES(mutex_);

  // Files whose answer was asked before `since` and may have changed. Their answers are forgotten
  // here, so the caller must recheck each file. `counts(path)` selects the files.
  std::vector<std::string> take_outdated(FileSystem& fs, GitTasks::RequestId since,
                                         const std::function<bool(const std::string&)>& counts)
      EXCLUDES(mutex_);

 private:
  struct Question {
    File file;
    Timestamp at;
    std::string filter;
    GitTasks::RequestId task = 0;  // 0: no task yet
    size_t most = SIZE_MAX;        // limit of files in its batch
  };
  struct Answer {
    File file;
    Result<ContentMatch> match;
  };
  // The origin of an answer, besides the file.
  struct Source {
    GitTasks::RequestId asked = 0;
    std::shared_ptr<const FilterProgram> program;  // null: git without a filter
    bool failed = false;                           // git failed, for any reason
  };
  using Paths = std::vector<std::string>;

  bool is_for_one_batch() const { return max_reported_ > 0 && !said_; }
  Paths next_batch(std::string& filter) EXCLUDES(mutex_);
  void take(const Source& source, const Paths& paths, const Result<GitOutput>& said,
            const Look& look) EXCLUDES(mutex_);
  void count() REQUIRES(mutex_) {
    count_.store(questions_.size() + answers_.size(), std::memory_order_relaxed);
  }

  size_t max_reported_ = 0;  // 0: tell_as_git() was not called
  std::optional<GitOutput> said_;

  mutable Mutex mutex_;
  std::map<std::string, Question, std::less<>> questions_ GUARDED_BY(mutex_);
  std::atomic<size_t> count_ = 0;  // questions and answers
  std::map<std::string, Answer, std::less<>> answers_ GUARDED_BY(mutex_);
  // Files whose state came from an answer. It may list a file that was decided differently later;
  // rechecking that file is harmless.
  std::map<std::string, Source> sources_ GUARDED_BY(mutex_);
};

}  // namespace resident
