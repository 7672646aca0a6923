// PromptStatus: what a shell's prompt shows of a repository, and its fields in the one order that
// gitstatusd's protocol, our socket and `--format` share.
//
// Source: the protocol that `gitstatusd --help` of version 1.5.5 documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

struct PromptStatus {
  std::string worktree;  // absolute, without a slash at the end
  std::string commit;    // HEAD's id in hex; empty on an unborn branch
  std::string branch;    // "main"; empty where HEAD is on none
  // The upstream's branch, remote and URL; empty where there is none, or its ref is gone.
  std::string upstream_branch;
  std::string remote;
  std::string remote_url;
  std::string action;       // "rebase-i 2/5"; empty where git is in the middle of nothing
  uint64_t index_size = 0;  // entries, those below sparse directories too
  uint64_t staged = 0;      // a rename counts as a deletion and an addition
  uint64_t unstaged = 0;    // without unmerged paths
  uint64_t conflicted = 0;  // unmerged paths
  uint64_t untracked = 0;   // rows, as the mode collapses directories
  uint64_t ahead = 0;       // of the upstream
  uint64_t behind = 0;
  uint64_t stashes = 0;
  std::string tag;  // the last one by name that leads to HEAD's commit
  uint64_t unstaged_deleted = 0;
  uint64_t staged_new = 0;
  uint64_t staged_deleted = 0;
  // branch.<name>.pushRemote or remote.pushDefault; empty where neither is set, or its ref is gone.
  std::string push_remote;
  std::string push_url;
  uint64_t push_ahead = 0;
  uint64_t push_behind = 0;
  uint64_t skip_worktree = 0;
  uint64_t assume_unchanged = 0;
  std::string encoding;  // that HEAD's commit names; empty for UTF-8
  std::string summary;   // its first paragraph, as one line
  // No part of gitstatusd's protocol; empty where it was not asked for, or no tag leads there.
  std::string describe;       // as `git describe` prints it
  std::string describe_tags;  // as `git describe --tags` does
  std::string nearest_tag;    // of the latter
  uint64_t tag_distance = 0;  // commits that it does not reach
  friend bool operator==(const PromptStatus&, const PromptStatus&) = default;
};

// Calls `visit(name, member)` for each field of gitstatusd's in order; the names are those of
// `--format`.
template <typename Status, typename Visit>
void visit_prompt_fields(Status& status, Visit&& visit) {
  visit("worktree", status.worktree);
  visit("commit", status.commit);
  visit("branch", status.branch);
  visit("upstream", status.upstream_branch);
  visit("remote", status.remote);
  visit("remote-url", status.remote_url);
  visit("action", status.action);
  visit("index-size", status.index_size);
  visit("staged", status.staged);
  visit("unstaged", status.unstaged);
  visit("conflicted", status.conflicted);
  visit("untracked", status.untracked);
  visit("ahead", status.ahead);
  visit("behind", status.behind);
  visit("stashes", status.stashes);
  visit("tag", status.tag);
  visit("unstaged-deleted", status.unstaged_deleted);
  visit("staged-new", status.staged_new);
  visit("staged-deleted", status.staged_deleted);
  visit("push-remote", status.push_remote);
  visit("push-url", status.push_url);
  visit("push-ahead", status.push_ahead);
  visit("push-behind", status.push_behind);
  visit("skip-worktree", status.skip_worktree);
  visit("assume-unchanged", status.assume_unchanged);
  visit("encoding", status.encoding);
  visit("summary", status.summary);
}

// The same of those beside gitstatusd's.
template <typename Status, typename Visit>
void visit_description_fields(Status& status, Visit&& visit) {
  visit("describe", status.describe);
  visit("describe-tags", status.describe_tags);
  visit("nearest-tag", status.nearest_tag);
  visit("tag-distance", status.tag_distance);
}

// What is asked. Limits are not part of it: they cut what was counted.
struct PromptQuery {
  bool index = true;               // false: nothing that takes the index
  bool recurse_untracked = false;  // files one by one, not their directories
  // Count what these settings hide where they are false.
  bool ignore_status_show_untracked = false;  // status.showUntrackedFiles
  bool ignore_bash_show_untracked = false;    // bash.showUntrackedFiles
  bool ignore_bash_show_dirty = false;        // bash.showDirtyState
  bool tag = true;                            // PromptStatus::tag
  bool describe = false;                      // PromptStatus::describe
  bool describe_tags = false;                 // describe_tags, nearest_tag and tag_distance
  friend bool operator==(const PromptQuery&, const PromptQuery&) = default;
};

// Both are carried by the worktree's socket: a letter for each part of a query, fields that end in
// NUL. Parts about tags come last, where one is not as by default, and so do the fields of a
// description, where there is any. What is none of ours is kCorrupt.
std::string encode_prompt_query(const PromptQuery& query);
Result<PromptQuery> decode_prompt_query(std::string_view text);
std::string encode_prompt_status(const PromptStatus& status);
Result<PromptStatus> decode_prompt_status(std::string_view bytes);

}  // namespace resident
