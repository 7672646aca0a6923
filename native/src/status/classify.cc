#include "status/classify.h"

#include "base/ascii.h"
#include "object/tree.h"

namespace resident {

bool is_dot_git(std::string_view name, bool ignore_case) {
  return equal_bytes(name, ".git", ignore_case);
}

DirectoryClass classify_directory(const NameRules& rules, const DirectoryNode& parent,
                                  std::string_view path, std::string_view name,
                                  std::optional<uint32_t> entry) {
  using Kind = DirectoryClass::Kind;
  if (parent.submodule) return {Kind::kSubmodule};
  if (entry && rules.index.entries()[*entry].mode == kModeGitlink) return {Kind::kSubmodule};
  const bool ignored = rules.excludes.ignores(parent, path, name, true);
  if (parent.is_tracked()) {
    if (auto below = rules.index.find_child(parent.index_directory, name)) {
      return {Kind::kTracked, *below, ignored};
    }
  }
  if (rules.folded && rules.folded->has_directory(path)) {
    return {Kind::kFolded, kNoDirectory, ignored};
  }
  if (rules.folded && rules.folded->has_gitlink(path)) return {Kind::kSubmodule};
  return {ignored ? Kind::kIgnored : Kind::kUntracked};
}

std::optional<OtherKind> classify_file(const NameRules& rules, const DirectoryNode& parent,
                                       std::string_view path, std::string_view name,
                                       FileKind kind) {
  if (rules.folded && rules.folded->has_entry(path)) return std::nullopt;
  if (kind == FileKind::kOther) return OtherKind::kSpecial;
  return rules.excludes.ignores(parent, path, name, false) ? OtherKind::kIgnoredFile
                                                           : OtherKind::kFile;
}

std::unique_ptr<DirectoryNode> node_of(const DirectoryClass& directory, std::string_view name) {
  using Kind = DirectoryClass::Kind;
  if (directory.kind == Kind::kIgnored) return nullptr;
  auto node = std::make_unique<DirectoryNode>();
  node->name = name;
  node->submodule = directory.kind == Kind::kSubmodule;
  node->folded = directory.kind == Kind::kFolded;
  node->index_directory = directory.index_directory;
  node->ignored = directory.ignored;
  return node;
}

}  // namespace resident
