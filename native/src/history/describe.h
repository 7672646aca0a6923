// Describe: the nearest tag of a commit, and how many commits it is away, as `git describe` finds
// them, in steps.
//
// git's search is a heuristic that visits commits by date and compares up to ten candidates at the
// moment when it gives up, so that this is the same walk, stop by stop.
//
// Source: git's builtin/describe.c.
//
// Threads: its owner's.
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
  bool tags = false;       // --tags: lightweight ones too
  size_t candidates = 10;  // --candidates, at most 26; 0: --exact-match
  // GitRules::describe_stops_at_last_candidate.
  bool stops_at_last_candidate = true;
};

struct Description {
  std::string tag;  // as printed_name() has it; empty: none leads there
  int depth = 0;    // commits that the tag does not reach; 0: the tag is the commit's
  // The ref, behind refs/tags/, is called otherwise than its tag: git warns of it.
  bool misnamed = false;
  friend bool operator==(const Description&, const Description&) = default;
};

class Describe {
 public:
  // `objects` and `tags` must outlive it, and `tags` stay as it is. kUnsupported where history is
  // grafted.
  static Result<std::unique_ptr<Describe>> begin(const ObjectId& commit, const TagNames& tags,
                                                 const DescribeOptions& options,
                                                 ObjectDatabase& objects, FileSystem& fs,
                                                 const std::string& common_dir);

  // nullopt: the budget is used up, and it goes on with the next call. Once it has an answer, or an
  // error, it is not to be called again. Fails where a commit on the way cannot be read.
  using Budget = AheadBehindWalk::Budget;
  Result<std::optional<Description>> step(const Budget& budget);

 private:
  using Index = CommitTable::Index;
  struct Candidate {
    const TagName* name;
    int depth;
    uint32_t within;  // the flag of what it reaches
  };

  Describe(ObjectDatabase& objects, std::unordered_set<ObjectId> shallow, const TagNames& tags,
           const DescribeOptions& options);
  Result<void> start(const ObjectId& commit);
  const TagName* name_of(Index index) const;
  Result<void> find(const TagName& name, int depth);
  bool counts(const TagName& name) const { return options_.tags || name.annotated; }
  // Ends the search there: it is left to count.
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
  std::vector<uint32_t> flags_;  // by index
  CommitQueue queue_;
  std::vector<Candidate> candidates_;  // in the order in which they were found; then the best first
  size_t queued_outside_ = 0;          // while depth is counted: not within the best
  int seen_ = 0;
  bool searching_ = true;
  std::optional<Description> found_;
};

// As `git describe` prints it: `length` is core.abbrev or that of --abbrev; 0: the tag alone.
// kUnsupported as abbreviate().
Result<std::string> describe_text(const Description& description, const ObjectId& commit,
                                  ObjectDatabase& objects, std::optional<int> length);

}  // namespace resident
