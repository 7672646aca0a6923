#include "index/index_ahead.h"

#include <utility>

#include "fs/in_memory.h"

namespace resident {

namespace {

// Size of an index with kManyIndexEntries entries and short paths.
constexpr uint64_t kLargeFile = uint64_t{kManyIndexEntries} * 64;

bool is_same(const Index::LoadOptions& one, const Index::LoadOptions& other) {
  return one.algorithm == other.algorithm && one.verify_checksum == other.verify_checksum &&
         one.git_dir == other.git_dir;
}

}  // namespace

IndexAhead::IndexAhead(FileSystem& fs, const std::string& git_dir, const std::string& worktree)
    : fs_(fs), path_(git_dir + "/index"), options_{.verify_checksum = false, .git_dir = git_dir} {
  const Result<FileStat> stat = fs_.stat(path_);
  if (!stat.ok() || stat->kind != FileKind::kRegular || stat->size < kLargeFile) return;
  FastFileAccess* const fast = fs_.fast_access();
  if (fast && !worktree.empty() && !is_in_memory(path_)) worktree_ = fast->read_ahead(worktree);
  load_ = std::packaged_task<std::shared_ptr<Index>(MappedFile&)>([this](MappedFile& read) {
    Result<std::shared_ptr<Index>> loaded = Index::load(path_, options_, read);
    return loaded.ok() ? std::move(loaded).value() : nullptr;
  });
  index_ = load_.get_future();
  // The file is unmapped only after the index can be taken.
  loading_.emplace([this] {
    MappedFile read;
    load_(read);
  });
}

std::shared_ptr<Index> IndexAhead::take(const std::string& path,
                                        const Index::LoadOptions& options) {
  const bool is_asked_for = index_.valid() && path == path_ && is_same(options, options_);
  std::shared_ptr<Index> index = is_asked_for ? index_.get() : nullptr;
  worktree_.reset();
  if (!index) return nullptr;
  const Result<FileStat> now = fs_.stat(path);
  return now.ok() && *now == index->stat() ? index : nullptr;
}

}  // namespace resident
