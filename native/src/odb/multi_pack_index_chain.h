// MultiPackIndexChain: the multi-pack-indexes of one pack directory that git writes one on top of
// the other (`git multi-pack-index write --incremental`): each covers packs that those below do
// not.
//
// The file multi-pack-index.d/multi-pack-index-chain names them, a checksum a line, the lowest
// first; each is multi-pack-index.d/multi-pack-index-<checksum>.midx. An object is where the
// uppermost says that has it. git reads a chain only where there is no file multi-pack-index, and
// only since 2.47. Source: git's Documentation/technical/multi-pack-index, midx.c.
//
// Threads: a value.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "odb/multi_pack_index.h"

namespace resident {

struct MultiPackIndexChain {
  // git has tens. Of a longer chain only git can tell.
  static constexpr size_t kMaxLayers = 1024;

  // `note` is told each file before it is opened, whether or not it exists.
  static MultiPackIndexChain read(const std::string& pack_dir, HashAlgorithm algorithm,
                                  int newest_version,
                                  const std::function<void(const std::string&)>& note);

  std::vector<std::shared_ptr<const MultiPackIndex>> layers;  // the uppermost first
  std::optional<Error> problem;  // names the file; what lies above it was not read
};

}  // namespace resident
