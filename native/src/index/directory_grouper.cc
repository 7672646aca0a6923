#include "index/directory_grouper.h"

#include <algorithm>

#include "base/ascii.h"

namespace resident {

// git ignores the case of ".git".
bool is_index_name(std::string_view name) {
  if (name.empty()) return false;
  if (name[0] != '.') return true;
  if (name.size() == 1) return false;
  if (name.size() == 2) return name[1] != '.';
  return !equal_bytes(name, ".git", /*ignore_case=*/true);
}

DirectoryGrouper::DirectoryGrouper(std::vector<IndexDirectory>& directories, BulkArray<char>& names)
    : directories_(directories), names_(names) {
  directories_.clear();
  directories_.emplace_back();
  open_.push_back({0, 0});
}

// Makes path_ the whole previous path.
void DirectoryGrouper::complete_path() {
  if (!after_file_) return;
  path_.resize(open_.back().prefix);
  path_.append(last_name());
  after_file_ = false;
}

// Makes the path the current one and opens its directories.
Result<void> DirectoryGrouper::step_to(size_t keep, std::string_view suffix, int stage) {
  complete_path();
  size_t length = keep + suffix.size();
  if (length > kMaxPath) return Error{ErrorCode::kUnsupported, "path too long"};
  // Find how much of the previous path stays, and whether the new path sorts after it.
  auto differs = std::mismatch(suffix.begin(), suffix.end(),
                               path_.begin() + static_cast<long>(keep), path_.end());
  size_t common = keep + static_cast<size_t>(differs.first - suffix.begin());
  if (common == length) {
    if (common < path_.size()) return Error{ErrorCode::kCorrupt, "entries out of order"};
    if (!first_ && (stage_ == 0 || stage_ >= stage)) {
      return Error{ErrorCode::kCorrupt, "entries repeat a path and stage"};
    }
  } else if (common < path_.size() && static_cast<unsigned char>(path_[common]) >
                                          static_cast<unsigned char>(suffix[common - keep])) {
    return Error{ErrorCode::kCorrupt, "entries out of order"};
  }
  if (common == path_.size() && path_.ends_with('/')) {
    // `git update-index --cacheinfo` can write such an index, and git reads it.
    return Error{ErrorCode::kUnsupported, "entry below a sparse directory"};
  }
  first_ = false;
  stage_ = stage;
  path_.replace(common, std::string::npos, suffix.substr(common - keep));

  close_until(common);
  size_t begin = open_.back().prefix;
  std::string_view path = path_;
  for (size_t slash; (slash = path.find('/', std::max(begin, common))) != std::string_view::npos;) {
    RESIDENT_CHECK(open_directory(path.substr(begin, slash - begin), slash + 1));
    begin = slash + 1;
  }
  return {};
}

Result<DirectoryGrouper::Place> DirectoryGrouper::add(size_t keep, std::string_view suffix,
                                                      int stage) {
  RESIDENT_CHECK(step_to(keep, suffix, stage));
  std::string_view name = std::string_view(path_).substr(open_.back().prefix);
  if (!is_index_name(name)) return Error{ErrorCode::kCorrupt, "invalid path"};
  RESIDENT_TRY(uint32_t offset, store(name));
  IndexDirectory& directory = directories_[open_.back().directory];
  ++directory.entry_count;
  name_offset_ = offset;
  name_length_ = name.size();
  after_file_ = true;
  return Place{open_.back().directory, offset, static_cast<uint32_t>(name.size())};
}

Result<uint32_t> DirectoryGrouper::add_directory(size_t keep, std::string_view suffix) {
  if (!suffix.ends_with('/')) return Error{ErrorCode::kCorrupt, "directory without a slash"};
  RESIDENT_CHECK(step_to(keep, suffix, 0));
  return open_.back().directory;
}

void DirectoryGrouper::close_until(size_t common) {
  while (open_.back().prefix > common) {
    directories_[open_.back().directory].subtree_end = static_cast<uint32_t>(directories_.size());
    open_.pop_back();
  }
  directories_[0].subtree_end = static_cast<uint32_t>(directories_.size());
}

Result<void> DirectoryGrouper::open_directory(std::string_view name, size_t prefix) {
  if (!is_index_name(name)) return Error{ErrorCode::kCorrupt, "invalid path"};
  RESIDENT_TRY(uint32_t offset, store(name));
  IndexDirectory directory;
  directory.parent = open_.back().directory;
  directory.name_offset = offset;
  directory.name_length = static_cast<uint32_t>(name.size());
  open_.push_back({static_cast<uint32_t>(directories_.size()), prefix});
  directories_.push_back(directory);
  return {};
}

Result<uint32_t> DirectoryGrouper::store(std::string_view name) {
  if (name.size() > kMaxComponent || names_.size() + name.size() > UINT32_MAX) {
    return Error{ErrorCode::kUnsupported, "path component too long"};
  }
  auto offset = static_cast<uint32_t>(names_.size());
  names_.append({name.data(), name.size()});
  return offset;
}

}  // namespace resident
