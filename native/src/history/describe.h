// Describe: finds the nearest tag of a commit and its distance in commits, like `git describe`.
// Works in steps.
//
// git's search is a heuristic: it visits commits by date, and stops with up to ten candidates. It
// compares the candidates that it has by then. An equal answer needs the same walk with the same
// stops.
//
// Source: git's builtin/describe.c.
//
// Threads: only the owner's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "history/tag_names.h"
#include "odb/ahead_behind.h"
#include "odb/commit_queue.h"
#include "odb/commit_reader.h"
#include "odb/commit_table.h"

namespace resident {

struct DescribeOptions {
  bool tags = false;       // --tags: lightweight tags too
  size_t candidates = 10;  // --candidates, at most 26; 0: --exact-match
  // GitRules::describe_stops_at_last_candidate.
  bool stops_at_last_candidate = true;
};

struct Description {
  std::string tag;  // printed_name(); empty: no tag reaches the commit
  int depth = 0;    // commits that the tag does not reach; 0: the tag is on the commit
  // The ref's name after refs/tags/ differs from the name in the tag object: git warns.
  bool misnamed = false;
  friend bool operator==(const Description&, const Description&) = default;
};

class Describe {
 public:
  // `objects` and `tags` must outlive the result, and `tags` must not change. Fails with
  // kUnsupported if the history has grafts.
  static Result<std::unique_ptr<Describe>> begin(const ObjectId& commit, const TagNames& tags,
                                                 const DescribeOptions& options,
                                                 ObjectDatabase& objects, FileSystem& fs,
                                                 const std::string& common_dir);

  // Returns nullopt if the budget is used up: call again. Do not call again after an answer or an
  // error. Fails if a commit of the walk cannot be read.
  using Budget = AheadBehindWalk::Budget;
  Result<std::optional<Description>> step(const Budget& budget);

 private:
  using Index = CommitTable::Index;
  struct Candidate {
    const TagName* name;
    int depth;
    uint32_t within;  // flag of the commits that its tag reaches
  };

  Describe(ObjectDatabase& objects, std::unordered_set<ObjectId> shallow, const TagNames& tags,
           const DescribeOptions& options);
  Result<void> start(const ObjectId& commit);
  const TagName* name_of(Index index) const;
  Result<void> find(const TagName& name, int depth);
  bool counts(const TagName& name) const { return options_.tags || name.annotated; }
  // Ends the search at this commit. The depth is counted next.
  void give_up(Index index);
  void end_search();
  Result<void> search();
  bool is_covered(Index index) const;
  Result<void> count_depth();
  Result<void> queue_parents(Index index);

  ObjectDatabase& objects_;
  StoredCommitReader reader_;
  CommitTable commits_;
  const TagNames& tags_;
  const DescribeOptions options_;
  std::vector<uint32_t> flags_;  // by commit index
  CommitQueue queue_;
  std::vector<Candidate> candidates_;  // in search order; after the search, best first
  size_t queued_outside_ = 0;  // depth count: queued commits that the best tag does not reach
  int seen_ = 0;
  bool searching_ = true;
  std::optional<Description> found_;
};

// Formats like `git describe`. `length` is core.abbrev or --abbrev; 0: only the tag. Has the errors
// of abbreviate().
Result<std::string> describe_text(const Description& description, const ObjectId& commit,
                                  ObjectDatabase& objects, std::optional<int> length);

}  // namespace resident
