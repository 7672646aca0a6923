// explain_path: examines one path like git, and records the deciding facts.
//
// It writes nothing and runs no program. If only an external filter can tell, the result comes from
// `states`, else it is Difference::kUnknown. Cost: a few system calls for each parent directory,
// and one comparison of the content if it differs.
//
// Source: git's dir.c (prep_exclude, last_matching_pattern), read-cache.c, attr.c, sparse-index.c
// (path_in_sparse_checkout).
//
// Threads: any.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "explain/explanation.h"
#include "odb/object_database.h"
#include "status/content.h"
#include "status/exclude_rules.h"

namespace resident {

// Absolute paths of the rule files outside of the worktree's directories.
struct RuleFiles {
  std::string info_exclude;
  std::string excludes_file;
  std::string info_attributes;
  std::string attributes_file;
  std::string system_attributes;
};

// The state of the worktree at one moment. All members must outlive the call.
struct ExplainContext {
  RefreshContext refresh;
  std::span<const EntryState> states;  // one for each index entry
  FileContent& content;
  ObjectDatabase& objects;
  const ExcludeRules& excludes;
  const RuleFiles& files;
  std::optional<ObjectId> head_tree;
  // The content of info/sparse-checkout if core.sparseCheckout is set; whether it is in cone mode.
  std::optional<std::string> sparse_patterns;
  bool sparse_cone = false;
};

// `path` is relative to the root, normalized, without a slash at the end. `as_directory`: a missing
// path is treated as a directory. The caller, which knows the whole status, must set `row`,
// `untracked`, and the differences in a submodule.
Result<Explanation> explain_path(const ExplainContext& context, const std::string& path,
                                 bool as_directory);

}  // namespace resident
