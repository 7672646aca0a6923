// CommitReader: reads the parents and the date of commits, for walks over history.
//
// It is an interface because tests count reads and withhold commits. StoredCommitReader reads the
// repository.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "odb/commit_graph.h"
#include "odb/object_database.h"
#include "odb/reachability_bitmaps.h"

namespace resident {

struct CommitInfo {
  std::vector<ObjectId> parents;
  uint64_t date = 0;  // committer date, in seconds since the epoch
};

class CommitReader {
 public:
  virtual ~CommitReader() = default;
  // Errors: as ObjectDatabase::read_commit_header().
  virtual Result<CommitInfo> read(const ObjectId& id) = 0;
  // The commit-graph that git would use. Null: none.
  virtual std::shared_ptr<const CommitGraph> graph() { return nullptr; }
  // Bitmaps of the same history. Null: none.
  virtual std::shared_ptr<const ReachabilityBitmaps> bitmaps() { return nullptr; }
};

// Reads the commits at which a shallow clone was cut off. The file at `path` is "shallow" in the
// common directory; it has one hex id a line. A missing file gives an empty set. kCorrupt: a line
// is no id.
Result<std::unordered_set<ObjectId>> read_shallow_file(FileSystem& fs, const std::string& path,
                                                       HashAlgorithm algorithm);

class StoredCommitReader final : public CommitReader {
 public:
  // Commits in `shallow` have no parents. Like git, the reader uses no commit-graph and no bitmaps
  // if `shallow` is not empty or if objects are replaced. `objects` must outlive the reader.
  StoredCommitReader(ObjectDatabase& objects, std::unordered_set<ObjectId> shallow)
      : objects_(objects), shallow_(std::move(shallow)) {}

  Result<CommitInfo> read(const ObjectId& id) override;
  std::shared_ptr<const CommitGraph> graph() override;
  std::shared_ptr<const ReachabilityBitmaps> bitmaps() override;

 private:
  ObjectDatabase& objects_;
  const std::unordered_set<ObjectId> shallow_;
};

}  // namespace resident
