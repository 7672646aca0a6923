#include "status/directory_patterns.h"

namespace resident {

namespace {

constexpr size_t kPatternFileLimit = 100 * 1024 * 1024;

}  // namespace

void read_patterns(const ScanContext& context, DirectoryNode& node, const Directory& directory,
                   std::string_view gitignore) {
  const Index& index = context.refresh.index;
  Result<std::string> content = context.refresh.fs.read_file_at(directory, gitignore);
  bool patterns_readable = true;
  bool is_directory = false;
  if (!content.ok() && content.error().code != ErrorCode::kNotFound) {
    Result<FileStat> stat = context.refresh.fs.stat_at(directory, gitignore);
    is_directory = stat.ok() && stat->kind == FileKind::kDirectory;
    // git silently skips a directory of that name.
    patterns_readable = stat.ok() && stat->kind != FileKind::kSymlink &&
                        content.error().code == ErrorCode::kInvalid;
  }
  // Since 2.45.3 git skips such a file with a warning. Older versions read it.
  const bool is_too_large = content.ok() ? content->size() > kPatternFileLimit
                                         : content.error().code == ErrorCode::kUnsupported;
  if (is_too_large) {
    patterns_readable = false;
    content = std::string();
  }
  node.set_patterns_readable(patterns_readable);
  // git can open a directory, and therefore does not use the index.
  if (!content.ok() && !is_directory && node.is_tracked()) {
    auto position = index.find_entry(node.index_directory, kGitignore);
    if (position && index.entries()[*position].skip_worktree()) {
      content = context.read_index_blob(*position);
    }
  }
  node.patterns =
      content.ok() ? PatternList::parse(std::move(content).value(), node.path()) : nullptr;
}

}  // namespace resident
