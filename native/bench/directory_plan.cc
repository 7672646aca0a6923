#include "bench/directory_plan.h"

namespace resident::bench {

namespace {

constexpr uint16_t kModeGitlink = 0160000;
constexpr uint32_t kLeftOut = UINT32_MAX;
// Cost of a directory (open, fstat, close) in units of one file.
constexpr uint32_t kDirectoryWeight = 4;

}  // namespace

DirectoryPlan::DirectoryPlan(const Index& index) {
  files_.reserve(index.entries().size());
  std::vector<uint32_t> moved(index.directories().size(), kLeftOut);
  for (uint32_t d = 0; d < index.directories().size(); ++d) {
    const IndexDirectory& from = index.directories()[d];
    if (index.sparse_tree(d) || (d > 0 && moved[from.parent] == kLeftOut)) continue;
    // A directory without files in the worktree may be missing.
    const auto [first, last] = index.subtree_entries(d);
    bool is_present = d == 0;
    for (uint32_t i = first; i < last && !is_present; ++i) {
      is_present = !index.entries()[i].skip_worktree();
    }
    if (!is_present) continue;
    moved[d] = static_cast<uint32_t>(directories_.size());
    Directory directory;
    directory.parent = d == 0 ? 0 : moved[from.parent];
    directory.depth = d == 0 ? 0 : directories_[directory.parent].depth + 1;
    directory.name = store(d == 0 ? "." : index.directory_name(d));
    directory.path = d == 0 ? directory.name : store(index.directory_path(d));
    directory.first_file = static_cast<uint32_t>(files_.size());
    std::string_view last_name;
    for (const IndexEntry& entry : index.entries_of(d)) {
      const std::string_view name = index.name(entry);
      if (entry.mode == kModeGitlink || entry.skip_worktree() || name == last_name) continue;
      files_.push_back(store(name));
      last_name = name;
    }
    directory.file_count = static_cast<uint32_t>(files_.size()) - directory.first_file;
    directories_.push_back(directory);
  }
}

uint32_t DirectoryPlan::store(std::string_view text) {
  const auto offset = static_cast<uint32_t>(text_.size());
  text_.append(text).push_back('\0');
  return offset;
}

std::vector<DirectoryPlan::Range> DirectoryPlan::split(size_t count) const {
  const uint64_t all = directories_.size() * kDirectoryWeight + files_.size();
  const uint64_t share = all / count + 1;
  std::vector<Range> ranges;
  uint64_t weight = 0;
  uint32_t begin = 0;
  for (uint32_t d = 0; d < directories_.size(); ++d) {
    weight += kDirectoryWeight + directories_[d].file_count;
    if (weight < share) continue;
    ranges.push_back({begin, d + 1});
    begin = d + 1;
    weight = 0;
  }
  if (begin < directories_.size()) {
    ranges.push_back({begin, static_cast<uint32_t>(directories_.size())});
  }
  return ranges;
}

}  // namespace resident::bench
