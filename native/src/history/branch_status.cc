#include "history/branch_status.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "refs/ref_name.h"

namespace resident {

namespace {

constexpr std::string_view kHeads = "refs/heads/";

// The branch's name as git prints it; nullopt where HEAD is on none.
std::optional<std::string> branch_name(const Head& head) {
  if (!head.ref.starts_with(kHeads)) return std::nullopt;
  return head.ref.substr(kHeads.size());
}

// The commit that a ref leads to, through tags; nullopt where git would give up on it. git warns of
// a damaged object and of one of another type, not of a missing one.
Result<std::optional<ObjectId>> commit_of_ref(const std::string& ref, const BranchSources& sources,
                                              bool& git_warns) {
  auto resolved = sources.refs.resolve(ref);
  // Of a broken ref git makes nothing; of a broken file with many it says so, and ends.
  if (!resolved.ok()) return Error{ErrorCode::kUnsupported, resolved.error().message};
  if (!*resolved) return std::optional<ObjectId>();
  auto commit = sources.objects.peel_to_commit(**resolved);
  if (!commit.ok()) {
    if (commit.error().code == ErrorCode::kUnsupported) return commit.error();
    git_warns |= commit.error().code != ErrorCode::kNotFound;
    return std::optional<ObjectId>();
  }
  for (const ObjectId& id : {**resolved, *commit}) {
    const Result<void> verified = sources.objects.verify(id);
    git_warns |= !verified.ok() && verified.error().code != ErrorCode::kNotFound;
  }
  return std::optional<ObjectId>(*commit);
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
      const std::optional<Upstream> upstream,
      upstream_of_branch(full_name, sources.config, sources.refs, sources.fs, sources.common_dir));
  if (!upstream) return status;
  status.has_upstream = true;
  status.push = push_of_branch(full_name, upstream->ref, sources.config);
  status.git_warns = upstream->git_warns;
  std::optional<Error> broken;
  status.upstream = shorten_unambiguous_ref(upstream->ref, [&](const std::string& name) {
    auto found = sources.refs.resolve(name);
    if (!found.ok()) broken = Error{ErrorCode::kUnsupported, found.error().message};
    return found.ok() && found->has_value();
  });
  if (broken) return *broken;

  RESIDENT_TRY(const std::optional<ObjectId> theirs,
               commit_of_ref(upstream->ref, sources, status.git_warns));
  std::optional<ObjectId> tip = head.id;
  if (!branch) {
    RESIDENT_TRY(tip, commit_of_ref(std::string(kHeads) + full_name, sources, status.git_warns));
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

Result<std::optional<AheadBehind>> count_from_ref(const ObjectId& ours, const std::string& ref,
                                                  const BranchSources& sources) {
  bool git_warns = false;
  RESIDENT_TRY(const std::optional<ObjectId> theirs, commit_of_ref(ref, sources, git_warns));
  if (!theirs) return std::optional<AheadBehind>();
  if (*theirs == ours) return std::optional(AheadBehind{});
  RESIDENT_TRY(const AheadBehind counts, count(ours, *theirs, sources));
  return std::optional(counts);
}

Result<int> count_stash(RefStore& refs) {
  int count = 0;
  RESIDENT_CHECK(refs.visit_log_backwards("refs/stash", [&count](const ReflogEntry&) {
    ++count;
    return true;
  }));
  return count;
}

std::vector<std::string> branch_status_files(const Head& head, const BranchSources& sources) {
  std::vector<std::string> files = sources.refs.files_of("HEAD");
  const auto add = [&](const std::string& ref) {
    for (std::string& file : sources.refs.files_of(ref)) files.push_back(std::move(file));
  };
  files.push_back(sources.common_dir + "/shallow");
  files.push_back(sources.common_dir + "/info/grafts");
  for (std::string& file : sources.refs.files_below("refs/replace/")) {
    files.push_back(std::move(file));
  }
  if (head.detached) return files;
  const auto branch = branch_name(head);
  if (!branch) add(std::string(kHeads) + head.ref);
  auto upstream = upstream_of_branch(branch.value_or(head.ref), sources.config, sources.refs,
                                     sources.fs, sources.common_dir);
  if (!upstream.ok() || !*upstream) return files;
  // How long its name is printed depends on which other refs have a shorter one.
  (void)shorten_unambiguous_ref((*upstream)->ref, [&](const std::string& candidate) {
    add(candidate);
    return sources.refs.exists(candidate);
  });
  for (const std::string& looked : (*upstream)->looked) add(looked);
  add((*upstream)->ref);
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace resident
