// Classifies the names in a worktree directory by git's rules. Scan and events both use this.
//
// Source: git's dir.c (treat_path, treat_directory).
//
// Threads: any.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "index/folded_index.h"
#include "status/directory_node.h"
#include "status/exclude_rules.h"

namespace resident {

// The rules besides the name. All of them must outlive the calls.
struct NameRules {
  const Index& index;
  const ExcludeRules& excludes;
  const FoldedIndex* folded;  // set with core.ignoreCase, else null
};

struct DirectoryClass {
  enum class Kind : uint8_t {
    kSubmodule,  // directory of a gitlink, or below such a directory
    kTracked,    // the index has entries below it
    kFolded,     // core.ignoreCase: the index has entries below another spelling of it
    kUntracked,
    kIgnored,  // ignored, no index entries below: not entered
  };
  Kind kind = Kind::kUntracked;
  uint32_t index_directory = kNoDirectory;  // set for kTracked
  bool ignored = false;                     // set for kTracked and kFolded
};

// True for a name that git treats as a repository's ".git" and never lists.
bool is_dot_git(std::string_view name, bool ignore_case);

// `path` is `name` below `parent`, from the root, without a slash at the end. The position of the
// index entry with exactly this path, if any, is `entry`.
DirectoryClass classify_directory(const NameRules& rules, const DirectoryNode& parent,
                                  std::string_view path, std::string_view name,
                                  std::optional<uint32_t> entry);

// For a name that is not a directory and has no index entry with exactly this path. nullopt:
// another spelling of it is tracked.
std::optional<OtherKind> classify_file(const NameRules& rules, const DirectoryNode& parent,
                                       std::string_view path, std::string_view name, FileKind kind);

// A new unread node without a parent. Null for kIgnored.
std::unique_ptr<DirectoryNode> node_of(const DirectoryClass& directory, std::string_view name);

}  // namespace resident
