// Ref names: validation, the worktree that owns a ref, and git's short forms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

// Prefix of branches.
inline constexpr std::string_view kHeads = "refs/heads/";

// Checks the rules of `git check-ref-format --allow-onelevel`. An invalid name is no ref. Appended
// to a directory, it could point outside the directory.
bool is_valid_ref_name(std::string_view name);

// The worktree that owns a ref. Each worktree has its own HEAD and other names in capitals, and its
// own refs/{bisect,worktree,rewritten}.
enum class RefOwner : uint8_t { kShared, kThisWorktree, kMainWorktree, kOtherWorktree };
struct RefAddress {
  RefOwner owner = RefOwner::kShared;
  std::string_view worktree;  // name of the worktree, if kOtherWorktree
  std::string_view name;      // the ref's name inside that worktree
};
// "main-worktree/HEAD" and "worktrees/<name>/HEAD" are refs of other worktrees. Returns views into
// `full_name`. Source: git's Documentation/git-worktree.txt, "REFS".
RefAddress address_of_ref(std::string_view full_name);

// The shortest form of `full_name` that git still resolves to the same ref. For
// refs/remotes/origin/main this is "origin/main". If refs/heads/origin/main exists too, it is
// "remotes/origin/main". The function `exists` decides this. With `strips_head`
// (GitRules::strips_head_of_remotes), refs/remotes/origin/HEAD becomes "origin"; without it,
// "origin/HEAD". Source: git's Documentation/revisions.txt, "<refname>", and git's output.
std::string shorten_unambiguous_ref(std::string_view full_name, bool strips_head,
                                    const std::function<bool(const std::string&)>& exists);

// The full names that `name` can mean, in git's order of preference.
std::vector<std::string> ref_name_candidates(std::string_view name);

}  // namespace resident
