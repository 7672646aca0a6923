// PromptStatus: the facts about a repository that a shell's prompt shows. gitstatusd's protocol,
// our socket and `--format` share the order of its fields.
//
// Source: the protocol in `gitstatusd --help` of version 1.5.5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

struct PromptStatus {
  std::string worktree;  // absolute, without a trailing slash
  std::string commit;    // HEAD's id in hex; empty on an unborn branch
  std::string branch;    // "main"; empty if HEAD is on no branch
  // The upstream's branch, remote and URL. Empty without an upstream, or if its ref is gone.
  std::string upstream_branch;
  std::string remote;
  std::string remote_url;
  std::string action;       // "rebase-i 2/5"; empty if no operation is in progress
  uint64_t index_size = 0;  // entries, including those below sparse directories
  uint64_t staged = 0;      // a rename counts as a deletion and an addition
  uint64_t unstaged = 0;    // without unmerged paths
  uint64_t conflicted = 0;  // unmerged paths
  uint64_t untracked = 0;   // rows; the mode can collapse directories
  uint64_t ahead = 0;       // compared with the upstream
  uint64_t behind = 0;
  uint64_t stashes = 0;
  std::string tag;  // the last name in sort order that leads to HEAD's commit
  uint64_t unstaged_deleted = 0;
  uint64_t staged_new = 0;
  uint64_t staged_deleted = 0;
  // From branch.<name>.pushRemote or remote.pushDefault. Empty if neither is set, or the ref is
  // gone.
  std::string push_remote;
  std::string push_url;
  uint64_t push_ahead = 0;
  uint64_t push_behind = 0;
  uint64_t skip_worktree = 0;
  uint64_t assume_unchanged = 0;
  std::string encoding;  // encoding that HEAD's commit names; empty for UTF-8
  std::string summary;   // first paragraph of HEAD's message, as one line
  // Not in gitstatusd's protocol. Empty if not requested, or if no tag leads to HEAD.
  std::string describe;       // output of `git describe`
  std::string describe_tags;  // output of `git describe --tags`
  std::string nearest_tag;    // tag in describe_tags
  uint64_t tag_distance = 0;  // commits that nearest_tag does not reach
  friend bool operator==(const PromptStatus&, const PromptStatus&) = default;
};

// Calls `visit(name, member)` for each field of gitstatusd in order. The names are those of
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

// The same for the other fields.
template <typename Status, typename Visit>
void visit_description_fields(Status& status, Visit&& visit) {
  visit("describe", status.describe);
  visit("describe-tags", status.describe_tags);
  visit("nearest-tag", status.nearest_tag);
  visit("tag-distance", status.tag_distance);
}

// The request. It has no limits: they apply to the counts of the answer.
struct PromptQuery {
  bool index = true;               // false: only parts that need no index
  bool recurse_untracked = false;  // list files, not their directories
  // With true, files that these settings hide when false are counted anyway.
  bool ignore_status_show_untracked = false;  // status.showUntrackedFiles
  bool ignore_bash_show_untracked = false;    // bash.showUntrackedFiles
  bool ignore_bash_show_dirty = false;        // bash.showDirtyState
  bool tag = true;                            // PromptStatus::tag
  bool describe = false;                      // PromptStatus::describe
  bool describe_tags = false;                 // describe_tags, nearest_tag and tag_distance
  friend bool operator==(const PromptQuery&, const PromptQuery&) = default;
};

// The encoding for the worktree's socket. A query has one character per part; a status has fields
// that end in NUL. The parts about tags come last and are left out if all have their default. The
// description fields come last and are left out if all are empty. Malformed input fails with
// kCorrupt.
std::string encode_prompt_query(const PromptQuery& query);
Result<PromptQuery> decode_prompt_query(std::string_view text);
std::string encode_prompt_status(const PromptStatus& status);
Result<PromptStatus> decode_prompt_status(std::string_view bytes);

}  // namespace resident
