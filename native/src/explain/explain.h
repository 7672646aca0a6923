// explain_path: looks at one path as git does, and keeps what decides.
//
// A pure question: nothing is written, no program is run; what only an external filter can tell is
// taken from `states`, else Difference::kUnknown. Costs a few system calls for each directory above
// the path, and one comparison of the file's content where it differs.
//
// Source: git's dir.c (prep_exclude, last_matching_pattern), read-cache.c, attr.c,
// sparse-index.c (path_in_sparse_checkout).
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

// Where rules come from that lie outside of the worktree's directories; absolute.
struct RuleFiles {
  std::string info_exclude;
  std::string excludes_file;
  std::string info_attributes;
  std::string attributes_file;
  std::string system_attributes;
};

// What the worktree is, as one moment has it. All must outlive the call.
struct ExplainContext {
  RefreshContext refresh;
  std::span<const EntryState> states;  // one for each index entry
  FileContent& content;
  ObjectDatabase& objects;
  const ExcludeRules& excludes;
  const RuleFiles& files;
  std::optional<ObjectId> head_tree;
  // info/sparse-checkout where core.sparseCheckout is set, and whether it is in cone mode.
  std::optional<std::string> sparse_patterns;
  bool sparse_cone = false;
};

// `path` is from the root, normalised, without a slash at the end. `as_directory`: where nothing is
// there, the rules of directories hold. Leaves `row` and `untracked`, and what is different in a
// submodule, to who knows the whole status.
Result<Explanation> explain_path(const ExplainContext& context, const std::string& path,
                                 bool as_directory);

}  // namespace resident
