// RepositoryPlace: where the repository of one worktree is, and whether `.git` still leads there.
//
// A directory is the same by whatever name or link `.git` reaches it. Where `.git` leads to another
// one, git is asked once for each such change where the repository is now.
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
  // All outlive this; `gate` may be null. `follows`: git is asked where the repository is;
  // otherwise another place is an error at once.
  RepositoryPlace(FileSystem& fs, const Repository& repository, MetadataGate* gate,
                  BackgroundGit& git, bool follows)
      : fs_(fs), repository_(repository), gate_(gate), git_(git), follows_(follows) {}

  // kUnsupported: only git can answer for what is there. kPending: git is being asked, or found()
  // is set.
  Result<void> check();
  // The worktree's repository, if that is another one by now. Null: it is the same, or not known.
  const Repository* found() const { return found_ ? &*found_ : nullptr; }
  // The files that check() looks at.
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  // Real paths; empty where nothing is there.
  struct Place {
    std::string git_dir;     // where `.git` leads
    std::string common_dir;  // where the git directory finds what linked worktrees share
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
  Result<void> verdict_;           // of the last check()
  std::optional<Place> accepted_;  // the repository's
  std::optional<Place> asked_;     // about which git was asked last
  GitTasks::RequestId task_ = 0;   // that asks; 0: none does
  Answer answer_ = Answer::kNone;  // about `asked_`
  std::optional<Repository> found_;
};

}  // namespace resident
