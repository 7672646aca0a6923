// FilterQuestions: files of which only an external filter can tell whether they hold what the index
// says, and what git said of them. git is asked about many at once, so that it starts a filter once
// for all of them where the filter can do that.
//
// An answer holds for the file as it was when git was asked: a file with other stat data is asked
// about again. It holds only while its filter's program does (FilterProgram): else take_outdated()
// finds it for each question.
//
// Threads: any for what scans call (find, ask, drop); the rest by one owner.
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
  // A file as it is seen now, and the blob that the index has for it.
  struct File {
    FileStat stat;
    ObjectId in_index;
    friend bool operator==(const File&, const File&) = default;
  };

  using Look = std::function<void(const std::string& path)>;
  // The program of a driver, by the driver's name.
  using FindProgram = std::function<FilterProgram(const std::string& filter)>;

  // So many paths are named to git; for more of them it looks at everything.
  static constexpr size_t kMaxNamed = 50;

  // For a caller that prints what git prints: git is asked once about all files together. If these
  // are no more than `most`, said() keeps what git writes to standard error, which is no warning of
  // a file then.
  void tell_as_git(size_t most) { most_told_ = most; }
  // Only after tell_as_git(); null: git was not asked.
  const GitOutput* said() const { return said_ ? &*said_ : nullptr; }

  // What git has just said of that file, told inside of a Look only; nullopt: it is to be asked.
  std::optional<Result<ContentMatch>> find(std::string_view path, const File& file) const
      EXCLUDES(mutex_);
  // `at`: before `file.stat` was asked for. `filter` is the name of its driver.
  void ask(std::string path, const File& file, Timestamp at, const std::string& filter)
      EXCLUDES(mutex_);
  // Nothing is to be known of it any more. Costs nothing while there are no questions.
  void drop(std::string_view path) EXCLUDES(mutex_);

  bool is_asked(std::string_view path) const EXCLUDES(mutex_);
  bool empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  // Of all that are open.
  std::vector<std::string> paths() const EXCLUDES(mutex_);
  // Ends every question, and forgets every answer.
  void drop_all(GitTasks& tasks) EXCLUDES(mutex_);

  // Starts git for the files that no task asks about yet, in the worktree `root`. For each answer
  // `look(path)` is called; find() has the answer inside of it.
  void ask_git(GitTasks& tasks, const std::string& root, const FindProgram& find_program,
               const Look& look) EXCLUDES(mutex_);

  // Files whose answer may be another one than before `since`. The caller looks at each: its answer
  // is forgotten here. `counts(path)` limits the files.
  std::vector<std::string> take_outdated(FileSystem& fs, GitTasks::RequestId since,
                                         const std::function<bool(const std::string&)>& counts)
      EXCLUDES(mutex_);

 private:
  struct Question {
    File file;
    Timestamp at;
    std::string filter;
    GitTasks::RequestId task = 0;  // 0: nobody asks yet
    size_t most = SIZE_MAX;        // with so many others it may be asked about
  };
  struct Answer {
    File file;
    Result<ContentMatch> match;
  };
  // What decided an answer, besides the file.
  struct Source {
    GitTasks::RequestId asked = 0;
    std::shared_ptr<const FilterProgram> program;  // null: git alone
    bool failed = false;                           // anything can be the cause
  };
  using Paths = std::vector<std::string>;

  bool is_for_one_batch() const { return most_told_ > 0 && !said_; }
  Paths next_batch(std::string& filter) EXCLUDES(mutex_);
  void take(const Source& source, const Paths& paths, const Result<GitOutput>& said,
            const Look& look) EXCLUDES(mutex_);
  void count() REQUIRES(mutex_) {
    count_.store(questions_.size() + answers_.size(), std::memory_order_relaxed);
  }

  size_t most_told_ = 0;  // 0: tell_as_git() was not called
  std::optional<GitOutput> said_;

  mutable Mutex mutex_;
  std::map<std::string, Question, std::less<>> questions_ GUARDED_BY(mutex_);
  std::atomic<size_t> count_ = 0;  // of them
  std::map<std::string, Answer, std::less<>> answers_ GUARDED_BY(mutex_);
  // Of the files whose state an answer decided. A file that is decided otherwise by now can be
  // among them: looking at it again does no harm.
  std::map<std::string, Source> sources_ GUARDED_BY(mutex_);
};

}  // namespace resident
