// MultiPackIndexChain: the multi-pack-index chain of one pack directory. git adds a layer with `git
// multi-pack-index write --incremental`. Each layer covers packs that the lower layers do not
// cover.
//
// The file multi-pack-index.d/multi-pack-index-chain has the checksum of each layer, one a line,
// the lowest first. A layer is the file multi-pack-index.d/multi-pack-index-<checksum>.midx. For an
// object in several layers the uppermost layer counts. git reads a chain since 2.47, and only if no
// file multi-pack-index exists. Source: git's Documentation/technical/multi-pack-index, midx.c.
//
// Threads: a value.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "hash/object_id.h"
#include "odb/multi_pack_index.h"

namespace resident {

struct MultiPackIndexChain {
  // git's chains have tens of layers. For longer chains only git can answer.
  static constexpr size_t kMaxLayers = 1024;

  // `note` is called with each path before the file is opened, even if it does not exist.
  static MultiPackIndexChain read(FileSystem& fs, const std::string& pack_dir,
                                  HashAlgorithm algorithm, int newest_version,
                                  const std::function<void(const std::string&)>& note);

  std::vector<std::shared_ptr<const MultiPackIndex>> layers;  // uppermost first
  std::optional<Error> problem;  // names the file; the layers above it were not read
};

}  // namespace resident
