// ObjectStores: everything that holds objects, as one listing of the directories found it: packs,
// and what git has beside them to find objects faster.
//
// Threads: immutable after list(), so that readers need no lock.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_stat.h"
#include "hash/object_id.h"
#include "odb/commit_graph.h"
#include "odb/multi_pack_index.h"
#include "odb/pack.h"

namespace resident {

// What git reads beside the objects, where it is there.
struct ObjectAids {
  bool multi_pack_index = true;
  // Of multi-pack-indexes: whether it reads chains of them and version 2 (GitRules).
  bool multi_pack_index_chain = true;
  bool multi_pack_index_version_2 = true;
  bool commit_graph = true;
  friend bool operator==(const ObjectAids&, const ObjectAids&) = default;
};

struct ObjectStores {
  struct OpenPack {
    std::string base_path;  // without ".pack"
    std::shared_ptr<Pack> pack;
    bool covered = false;  // by a multi-pack-index: git does not look into it otherwise
  };
  struct Covering {
    std::shared_ptr<const MultiPackIndex> index;
    std::vector<const Pack*> packs;  // as it names them; null: not there
    size_t layers_below = 0;         // of its chain: that many coverings behind it
  };
  struct Watched {
    std::string path;
    std::optional<FileStat> stat;
    bool is_aid = false;
    bool settled = true;  // a later change shows in its stat
    // What is not settled may have changed.
    friend bool operator==(const Watched& a, const Watched& b) {
      return a.path == b.path && a.stat == b.stat && a.settled && b.settled;
    }
  };
  struct Sources {
    std::string objects_dir;
    std::string alternate_directories;  // as ObjectDatabase::Options has it
    HashAlgorithm algorithm;
    ObjectAids aids;
  };

  // Packs that `previous`, which may be null, has open are not opened again.
  static std::shared_ptr<const ObjectStores> list(const Sources& sources,
                                                  const ObjectStores* previous);

  // Whether another listing could find something else.
  bool changed() const;
  std::vector<Watched> watched_aids() const;
  // Whether the multi-pack-indexes lead to the copy of the object that the packs have.
  bool aids_agree(const ObjectId& id) const;

  std::vector<std::string> directories;  // the repository's own first
  std::vector<OpenPack> packs;
  std::vector<Covering> coverings;
  std::shared_ptr<const CommitGraph> graph;
  std::vector<Watched> watched;  // directories with a '/' at their end
  std::vector<Error> problems;
};

}  // namespace resident
