// RepositoryPlace: the place of a worktree's repository, and whether `.git` still leads there.
//
// Every name or link by which `.git` reaches a directory counts as the same place. If `.git` leads
// to another directory, git is asked for the repository's place, once per change.
//
// Threads: the model's owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repo_state/background_git.h"
#include "repo_state/file_set.h"
#include "repository/repository.h"

namespace resident {

class RepositoryPlace {
 public:
  // All arguments outlive this object; `gate` may be null. `follows` true: git is asked for the new
  // place. False: another place is an error at once.
  RepositoryPlace(FileSystem& fs, const Repository& repository, MetadataGate* gate,
                  BackgroundGit& git, bool follows)
      : fs_(fs), repository_(repository), gate_(gate), git_(git), follows_(follows) {}

  // kUnsupported: only git can answer for this repository. kPending: git is being asked, or found()
  // is set.
  Result<void> check();
  // The worktree's repository if it is a different one now. Null: the same, or not known.
  const Repository* found() const { return found_ ? &*found_ : nullptr; }
  // The files that check() reads.
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  // Real paths; empty if nothing is there.
  struct Place {
    std::string git_dir;     // target of `.git`
    std::string common_dir;  // directory that linked worktrees share
    friend bool operator==(const Place&, const Place&) = default;
  };
  enum class Answer : uint8_t { kNone, kSame, kMoved, kRefused };

  std::string named_git_dir() const;
  std::vector<std::string> files_now() const;
  bool is_expected(const Place& now) const;
  Result<void> judge(const Place& now, bool differs);
  Result<void> check_head() const;
  void ask(const Place& now);
  void take(const Result<GitOutput>& said);
  Error elsewhere() const;

  FileSystem& fs_;
  const Repository& repository_;
  MetadataGate* const gate_;
  BackgroundGit& git_;
  const bool follows_;
  FileSet files_;
  Result<void> verdict_;           // result of the last check()
  std::optional<Place> accepted_;  // the repository's place
  std::optional<Place> asked_;     // the place in the last question to git
  GitTasks::RequestId task_ = 0;   // current question to git; 0: none
  Answer answer_ = Answer::kNone;  // git's answer about `asked_`
  std::optional<Repository> found_;
};

}  // namespace resident
