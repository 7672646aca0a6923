// Index::load and decode_index: index files -> Index.
#include <optional>
#include <string>

#include "base/path_parts.h"
#include "fs/mapped_file.h"
#include "index/index_builder.h"
#include "index/index_file.h"
#include "index/split_index.h"
#include "os/file_identity.h"

namespace resident {
namespace {

Result<std::shared_ptr<Index>> decode_file(Bytes bytes, const std::string& path,
                                           const Index::LoadOptions& options,
                                           const FileStat& stat) {
  RESIDENT_TRY(IndexFile file,
               IndexFile::open(bytes, path, options.algorithm, options.verify_checksum));
  const uint32_t count = file.entry_count();
  IndexBuilder builder(options.algorithm);
  builder.start(file, count, file.path_bytes());
  // Only the shared file has the paths of entries without a path. An extension names that file, and
  // the extensions come last.
  std::optional<DiskEntry> without_path;
  DiskEntry entry;
  for (uint32_t i = 0; i < count; ++i) {
    if (!without_path && builder.add_sibling(file, entry)) continue;
    RESIDENT_CHECK(file.next(entry));
    if (entry.path_length() == 0) without_path = entry;
    if (without_path) continue;
    Result<void> added = builder.add(entry, entry.keep, entry.suffix);
    if (!added.ok()) return file.fail(added.error(), entry);
  }
  RESIDENT_TRY(IndexFile::Extensions extensions, file.extensions());
  if (names_shared_index(extensions.link, options.algorithm)) {
    return merge_split_index(file, extensions, path, options, stat);
  }
  if (without_path) {
    return file.fail({ErrorCode::kUnsupported, "entry without a path"}, *without_path);
  }
  RESIDENT_TRY(FsmonitorMarks marks, file.fsmonitor_marks(extensions, count));
  if (extensions.sparse) builder.set_sparse();
  return builder.finish(file, extensions, stat, std::move(marks));
}

// GIT_INDEX_FILE can name a path below a file, such as `.git/index` in a submodule. git does not
// treat that as an empty index.
bool is_below_a_file(const std::string& path) {
  for (std::string at = parent_directory(path); at != "/"; at = parent_directory(at)) {
    if (const std::optional<FileIdentity> found = file_identity(at)) return found->is_regular;
  }
  return false;
}

}  // namespace

Result<std::shared_ptr<Index>> Index::load(const std::string& path, const LoadOptions& options) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file.ok()) {
    if (file.error().code != ErrorCode::kNotFound) return std::move(file).error();
    if (is_below_a_file(path)) return Error{ErrorCode::kUnsupported, file.error().message};
    return IndexBuilder(options.algorithm).finish_empty();
  }
  return decode_file(file->bytes(), path, options, file->stat());
}

Result<std::shared_ptr<Index>> decode_index(Bytes bytes, const std::string& path,
                                            const Index::LoadOptions& options) {
  return decode_file(bytes, path, options, FileStat());
}

}  // namespace resident
