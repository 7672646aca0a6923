#include "worktree/branch_status.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "odb/ahead_behind.h"
#include "refs/ref_name.h"
#include "refs/reflog.h"

namespace resident {

namespace {

constexpr std::string_view kHeads = "refs/heads/";

// The branch's name as git prints it; nullopt where HEAD is on none.
std::optional<std::string> branch_name(const Head& head) {
  if (!head.ref.starts_with(kHeads)) return std::nullopt;
  return head.ref.substr(kHeads.size());
}

// The commit that a ref leads to, through tags; nullopt where git would give up on it.
Result<std::optional<ObjectId>> commit_of_ref(const std::string& ref,
                                              const BranchSources& sources) {
  auto resolved = sources.refs.resolve(ref);
  if (!resolved.ok()) {
    if (resolved.error().code == ErrorCode::kUnsupported) return resolved.error();
    return std::optional<ObjectId>();
  }
  if (!*resolved) return std::optional<ObjectId>();
  auto commit = sources.objects.peel_to_commit(**resolved);
  if (commit.ok()) return std::optional<ObjectId>(*commit);
  if (commit.error().code == ErrorCode::kUnsupported) return commit.error();
  return std::optional<ObjectId>();
}

Result<void> check_plain_history(const BranchSources& sources) {
  const std::string grafts = sources.common_dir + "/info/grafts";
  if (sources.fs.lstat(grafts).ok()) {
    return Error{ErrorCode::kUnsupported, grafts + ": history is grafted"};
  }
  return {};
}

Result<AheadBehind> count(const ObjectId& ours, const ObjectId& theirs,
                          const BranchSources& sources) {
  RESIDENT_CHECK(check_plain_history(sources));
  RESIDENT_TRY(auto shallow, read_shallow_file(sources.fs, sources.common_dir + "/shallow",
                                               sources.objects.algorithm()));
  StoredCommitReader commits(sources.objects, std::move(shallow));
  return count_ahead_behind(commits, ours, theirs);
}

}  // namespace

Result<BranchStatus> read_branch_status(const Head& head, const BranchSources& sources,
                                        bool ahead_behind) {
  BranchStatus status;
  status.initial = !head.id;
  if (head.id) status.head = *head.id;
  status.detached = head.detached;
  const auto branch = branch_name(head);
  status.outside_heads = !head.detached && !branch;
  status.name = head.detached ? "HEAD" : branch.value_or(head.ref);
  if (head.detached) return status;

  // git takes a ref elsewhere for a branch of that whole name.
  const std::string full_name = branch.value_or(head.ref);
  RESIDENT_TRY(
      const std::optional<std::string> upstream,
      upstream_of_branch(full_name, sources.config, sources.refs, sources.fs, sources.common_dir));
  if (!upstream) return status;
  status.has_upstream = true;
  status.upstream = shorten_unambiguous_ref(
      *upstream, [&](const std::string& name) { return sources.refs.exists(name); });

  RESIDENT_TRY(const std::optional<ObjectId> theirs, commit_of_ref(*upstream, sources));
  std::optional<ObjectId> tip = head.id;
  if (!branch) {
    RESIDENT_TRY(tip, commit_of_ref(std::string(kHeads) + full_name, sources));
  }
  if (!theirs || !tip) {
    status.upstream_gone = true;
    return status;
  }
  RESIDENT_TRY(const ObjectId ours, sources.objects.peel_to_commit(*tip));
  status.differs = ours != *theirs;
  status.counted = ahead_behind || !status.differs;
  if (status.counted && status.differs) {
    RESIDENT_TRY(const AheadBehind counts, count(ours, *theirs, sources));
    status.ahead = counts.ahead;
    status.behind = counts.behind;
  }
  return status;
}

Result<int> count_stash(FileSystem& fs, const std::string& common_dir, HashAlgorithm algorithm) {
  auto log = fs.read_file(common_dir + "/logs/refs/stash");
  if (!log.ok()) {
    if (log.error().code == ErrorCode::kNotFound) return 0;
    return log.error();
  }
  int count = 0;
  visit_reflog_backwards(*log, algorithm, [&count](const ReflogEntry&) {
    ++count;
    return true;
  });
  return count;
}

std::vector<std::string> branch_status_files(const Head& head, const BranchSources& sources) {
  std::vector<std::string> files = sources.refs.files_of("HEAD");
  files.push_back(sources.common_dir + "/shallow");
  files.push_back(sources.common_dir + "/info/grafts");
  files.push_back(sources.common_dir + "/refs/replace");
  if (head.detached) return files;
  const auto branch = branch_name(head);
  if (!branch) {
    for (std::string& file : sources.refs.files_of(std::string(kHeads) + head.ref)) {
      files.push_back(std::move(file));
    }
  }
  auto upstream = upstream_of_branch(branch.value_or(head.ref), sources.config, sources.refs,
                                     sources.fs, sources.common_dir);
  if (!upstream.ok() || !*upstream) return files;
  // Its name may be printed longer once another ref has the short one.
  const std::string name = shorten_unambiguous_ref(
      **upstream, [&](const std::string& candidate) { return sources.refs.exists(candidate); });
  for (const std::string& candidate : ref_name_candidates(name)) {
    for (std::string& file : sources.refs.files_of(candidate)) files.push_back(std::move(file));
  }
  for (std::string& file : sources.refs.files_of(**upstream)) files.push_back(std::move(file));
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace resident
