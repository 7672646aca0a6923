// ObjectStores: the result of one listing of the object directories. It has the packs and the files
// that git uses to find objects faster.
//
// Threads: immutable after list(); readers need no lock.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "odb/commit_graph.h"
#include "odb/multi_pack_index.h"
#include "odb/pack.h"

namespace resident {

// The optional files that git reads besides the objects, if they exist.
struct ObjectAids {
  bool multi_pack_index = true;
  // Does this git read chains of multi-pack-indexes, and version 2? (GitRules)
  bool multi_pack_index_chain = true;
  bool multi_pack_index_version_2 = true;
  bool commit_graph = true;
  friend bool operator==(const ObjectAids&, const ObjectAids&) = default;
};

struct ObjectStores {
  struct OpenPack {
    std::string base_path;  // without ".pack"
    std::shared_ptr<Pack> pack;
    bool covered = false;  // by a multi-pack-index: git opens the pack only through it
  };
  struct Covering {
    std::shared_ptr<const MultiPackIndex> index;
    std::vector<const Pack*> packs;  // in the order of index->packs(); null: missing
    size_t layers_below = 0;         // in its chain; these layers follow it in `coverings`
  };
  struct Watched {
    std::string path;
    std::optional<FileStat> stat;
    bool is_aid = false;
    bool settled = true;  // true: each later change alters the stat
    // A file that is not settled never compares equal: it may have changed.
    friend bool operator==(const Watched& a, const Watched& b) {
      return a.path == b.path && a.stat == b.stat && a.settled && b.settled;
    }
  };
  struct Sources {
    FileSystem& fs;
    std::string objects_dir;
    std::string alternate_directories;  // see ObjectDatabase::Options
    HashAlgorithm algorithm;
    ObjectAids aids;
  };

  // Reuses the open packs of `previous`, which may be null.
  static std::shared_ptr<const ObjectStores> list(const Sources& sources,
                                                  const ObjectStores* previous);

  // True if another listing could have another result.
  bool changed(FileSystem& fs) const;
  std::vector<Watched> watched_aids() const;
  // True if the multi-pack-indexes and the packs agree on the place of the object.
  bool aids_agree(const ObjectId& id) const;

  std::vector<std::string> directories;  // the repository's own first
  std::vector<OpenPack> packs;
  std::vector<Covering> coverings;
  std::shared_ptr<const CommitGraph> graph;
  std::vector<Watched> watched;  // paths of directories end in '/'
  std::vector<Error> problems;
};

}  // namespace resident
