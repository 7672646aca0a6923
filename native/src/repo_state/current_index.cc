#include "repo_state/current_index.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

// True if the file is unchanged, or was rewritten with the same bytes and the same stat.
bool says_the_same(const FileStat& stat, const ObjectId& checksum, const Index& now) {
  return now.stat() == stat && now.checksum() == checksum && !checksum.is_null();
}

}  // namespace

bool CurrentIndex::may_differ(MetadataGate* gate) {
  return !index_ || files_.changed(fs_, gate) || shared_files_.changed(fs_, gate);
}

Result<CurrentIndex::Found> CurrentIndex::read(bool may_move) {
  FileSet recorded = FileSet::record(fs_, {repository_.index_path});
  if (const std::optional<Found> found = refresh(may_move)) {
    files_ = std::move(recorded);
    return *found;
  }
  RESIDENT_TRY(std::shared_ptr<Index> index, Index::load(repository_.index_path, options()));
  files_ = std::move(recorded);
  // The shared file never changes under its name, but it can be missing or replaced.
  const bool same_shared = !shared_files_.changed(fs_);
  shared_files_ = FileSet::record(fs_, {index->shared_path()});
  if (index_ && same_shared && says_the_same(index_->stat(), index_->checksum(), *index)) {
    return Found::kSame;
  }
  index_ = refreshable_ = std::move(index);
  sparse_as_read_.reset();
  if (index_->is_sparse()) {
    sparse_as_read_.emplace();
    for (const uint32_t directory : index_->sparse_directories()) {
      sparse_as_read_->push_back(index_->directory_path(directory));
    }
  }
  is_new_ = true;
  return Found::kOther;
}

// nullopt: the index must be loaded in full.
std::optional<CurrentIndex::Found> CurrentIndex::refresh(bool may_move) {
  // A refresh would lose changes that the tree has not applied.
  if (!refreshable_ || has_untaken()) return std::nullopt;
  const FileStat stat = index_->stat();
  const ObjectId checksum = index_->checksum();
  std::optional<Index::Refreshed> refreshed =
      refreshable_->refresh(repository_.index_path, options(), may_move);
  if (!refreshed) return std::nullopt;
  if (refreshed->moves.empty() && says_the_same(stat, checksum, *index_)) return Found::kSame;
  refreshed_ = *std::move(refreshed);
  return refreshed_.moves.empty() ? Found::kRefreshed : Found::kMoved;
}

Index::LoadOptions CurrentIndex::options() const {
  // git status does not verify the checksum either.
  return {
      .algorithm = repository_.algorithm, .verify_checksum = false, .git_dir = repository_.git_dir};
}

void CurrentIndex::replace_by_unfolded(std::shared_ptr<const Index> unfolded) {
  index_ = std::move(unfolded);
  refreshable_.reset();
  is_new_ = true;
}

bool CurrentIndex::was_sparse_at(const std::string& path) const {
  if (!was_sparse()) return false;
  return std::any_of(sparse_as_read_->begin(), sparse_as_read_->end(),
                     [&](const std::string& directory) {
                       return path.starts_with(directory) && path.size() > directory.size() &&
                              path[directory.size()] == '/';
                     });
}

}  // namespace resident
