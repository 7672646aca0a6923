// The split index: a file with the changes since a shared index file was written.
//
// Its "link" extension names the shared file by its checksum. It marks the shared file's entries
// that are deleted or replaced. The first entries of the small file, without paths, are the
// replacements, in order. The other entries are added.
//
// Source: git's Documentation/gitformat-index.txt ("Split index") and split-index.c
// (merge_base_index).
#pragma once

#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/result.h"
#include "index/index.h"
#include "index/index_file.h"

namespace resident {

// Whether the content of a "link" extension names a shared file. `link` is empty without the
// extension.
bool names_shared_index(Bytes link, HashAlgorithm algorithm);

// Merges `own`, the file at `path`, with its shared file. kUnsupported if the shared file is
// missing, because git then writes its own message.
Result<std::shared_ptr<Index>> merge_split_index(IndexFile& own,
                                                 const IndexFile::Extensions& extensions,
                                                 const std::string& path,
                                                 const Index::LoadOptions& options,
                                                 const FileStat& stat);

}  // namespace resident
