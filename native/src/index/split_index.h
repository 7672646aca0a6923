// The split index: a file that holds what changed since a shared one was written.
//
// Its "link" extension names the shared file by its checksum and says which of that file's entries
// are deleted and which are replaced. The first entries of the small file, without paths, are the
// replacements, in order; the others are added.
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

// Whether that content of a "link" extension, which is empty where there is none, names a shared
// file at all.
bool names_shared_index(Bytes link, HashAlgorithm algorithm);

// The index that `own`, the file at `path`, and the shared file that it names make together.
// kUnsupported where the shared file is missing: git has its own words for that.
Result<std::shared_ptr<Index>> merge_split_index(IndexFile& own,
                                                 const IndexFile::Extensions& extensions,
                                                 const std::string& path,
                                                 const Index::LoadOptions& options,
                                                 const FileStat& stat);

}  // namespace resident
