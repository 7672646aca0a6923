// What a name in a directory of the worktree is to git: the one place where scan and event decide
// it.
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

// What decides besides the name. All must outlive the calls.
struct NameRules {
  const Index& index;
  const ExcludeRules& excludes;
  const FoldedIndex* folded;  // with core.ignoreCase, else null
};

struct DirectoryClass {
  enum class Kind : uint8_t {
    kSubmodule,  // a gitlink's directory, or one below it
    kTracked,    // the index has entries below it
    kFolded,     // with core.ignoreCase: below another spelling of it
    kUntracked,
    kIgnored,  // and the index has nothing below it: not entered
  };
  Kind kind = Kind::kUntracked;
  uint32_t index_directory = kNoDirectory;  // of kTracked
  bool ignored = false;                     // of kTracked and kFolded
};

// Whether git takes it for a repository's ".git" and never shows it.
bool is_dot_git(std::string_view name, bool ignore_case);

// `path` is `name` below `parent`, from the root, without a slash at the end; `entry` the position
// of the index entry at that very path, if there is one.
DirectoryClass classify_directory(const NameRules& rules, const DirectoryNode& parent,
                                  std::string_view path, std::string_view name,
                                  std::optional<uint32_t> entry);

// Of what is no directory and has no entry at that very path. nullopt: another spelling of it is
// tracked.
std::optional<OtherKind> classify_file(const NameRules& rules, const DirectoryNode& parent,
                                       std::string_view path, std::string_view name, FileKind kind);

// A node that is not read yet, without a parent. Null for kIgnored.
std::unique_ptr<DirectoryNode> node_of(const DirectoryClass& directory, std::string_view name);

}  // namespace resident
