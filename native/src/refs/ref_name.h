// Names of refs: which are well formed, whose they are, and how git abbreviates them for people.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

// Where branches are.
inline constexpr std::string_view kHeads = "refs/heads/";

// The rules of `git check-ref-format --allow-onelevel`. A name that breaks them is no ref, and
// joined to a directory it could lead out of it.
bool is_valid_ref_name(std::string_view name);

// Whose a ref is. A worktree's own are HEAD and its like, which are all in capitals, and those in
// refs/{bisect,worktree,rewritten}.
enum class RefOwner : uint8_t { kShared, kThisWorktree, kMainWorktree, kOtherWorktree };
struct RefAddress {
  RefOwner owner = RefOwner::kShared;
  std::string_view worktree;  // the name of another one
  std::string_view name;      // as that worktree calls it
};
// "main-worktree/HEAD" and "worktrees/<name>/HEAD" lead to other worktrees. Views into `full_name`.
// Source: git's Documentation/git-worktree.txt, "REFS".
RefAddress address_of_ref(std::string_view full_name);

// The shortest form of `full_name` that git would still understand as that ref: "origin/main" for
// refs/remotes/origin/main, but "remotes/origin/main" where `exists` says that
// refs/heads/origin/main, say, is a ref too. With `strips_head` (GitRules::strips_head_of_remotes)
// refs/remotes/origin/HEAD is "origin", without it "origin/HEAD". Source: git's
// Documentation/revisions.txt, "<refname>", and what git prints.
std::string shorten_unambiguous_ref(std::string_view full_name, bool strips_head,
                                    const std::function<bool(const std::string&)>& exists);

// The full names that `name` could mean, in git's order of preference.
std::vector<std::string> ref_name_candidates(std::string_view name);

}  // namespace resident
