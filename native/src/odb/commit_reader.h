// CommitReader: the parents and date of commits, for walks over history.
//
// An interface, so that tests can count and withhold; StoredCommitReader reads what is stored.
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
  uint64_t date = 0;  // the committer's, in seconds since the epoch
};

class CommitReader {
 public:
  virtual ~CommitReader() = default;
  // Errors as ObjectDatabase::read_commit_header().
  virtual Result<CommitInfo> read(const ObjectId& id) = 0;
  // What git would take the commits from that it has; null where there is none.
  virtual std::shared_ptr<const CommitGraph> graph() { return nullptr; }
  // Bitmaps of the history that it reads; null where there are none.
  virtual std::shared_ptr<const ReachabilityBitmaps> bitmaps() { return nullptr; }
};

// The commits at which a shallow clone was cut off, one hex id a line; empty where there is no such
// file. kCorrupt for a line that is none. `path` is the file "shallow" of the common directory.
Result<std::unordered_set<ObjectId>> read_shallow_file(FileSystem& fs, const std::string& path,
                                                       HashAlgorithm algorithm);

class StoredCommitReader final : public CommitReader {
 public:
  // Commits in `shallow` count as having no parents; like git, it then uses no commit-graph and no
  // bitmaps, nor where commits are replaced. `objects` must outlive the reader.
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
