#include "history/branch_status.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "refs/ref_name.h"

namespace resident {

namespace {

constexpr const char* kStash = "refs/stash";

// The branch's name in the form that git prints. nullopt: HEAD is on no branch.
std::optional<std::string> branch_name(const Head& head) {
  if (!head.ref.starts_with(kHeads)) return std::nullopt;
  return head.ref.substr(kHeads.size());
}

// The commit that a ref leads to, through tags. Returns nullopt if git would give up on the ref.
// `git_warns`: the object is damaged or of another type. A missing object causes no warning.
Result<std::optional<ObjectId>> commit_of_ref(const std::string& ref, const BranchSources& sources,
                                              bool& git_warns) {
  auto resolved = sources.refs.resolve(ref);
  // git treats a broken loose ref as missing. For a broken file with many refs it reports an error
  // and exits.
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

}  // namespace

Result<bool> BranchReading::count(const AheadBehindWalk::Budget& budget) {
  if (!divergence) return true;
  RESIDENT_TRY(const std::optional<AheadBehind> counted, divergence->step(budget));
  if (!counted) return false;
  divergence.reset();
  status.counted = true;
  status.ahead = counted->ahead;
  status.behind = counted->behind;
  return true;
}

Result<BranchReading> read_branch(const Head& head, const BranchSources& sources, bool to_count) {
  BranchReading reading;
  BranchStatus& status = reading.status;
  status.initial = !head.id;
  if (head.id) status.head = *head.id;
  status.detached = head.detached;
  const auto branch = branch_name(head);
  status.outside_heads = !head.detached && !branch;
  status.name = head.detached ? "HEAD" : branch.value_or(head.ref);
  if (head.detached) return reading;

  // git takes the full name of a ref outside refs/heads/ for a branch name.
  const std::string full_name = branch.value_or(head.ref);
  RESIDENT_TRY(
      const std::optional<Upstream> upstream,
      upstream_of_branch(full_name, sources.config, sources.refs, sources.fs, sources.common_dir));
  if (!upstream) return reading;
  status.has_upstream = true;
  status.push = push_of_branch(full_name, upstream->ref, sources.config);
  status.git_warns = upstream->git_warns;
  std::optional<Error> broken;
  const bool strips_head = sources.rules.strips_head_of_remotes;
  status.upstream =
      shorten_unambiguous_ref(upstream->ref, strips_head, [&](const std::string& name) {
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
    return reading;
  }
  RESIDENT_TRY(const ObjectId ours, sources.objects.peel_to_commit(*tip));
  status.differs = ours != *theirs;
  status.counted = !status.differs;
  if (to_count && status.differs) {
    RESIDENT_TRY(reading.divergence,
                 Divergence::begin(ours, *theirs, sources.objects, sources.fs, sources.common_dir));
  }
  return reading;
}

Result<std::unique_ptr<Divergence>> diverge_from_ref(const ObjectId& ours, const std::string& ref,
                                                     const BranchSources& sources) {
  bool git_warns = false;
  RESIDENT_TRY(const std::optional<ObjectId> theirs, commit_of_ref(ref, sources, git_warns));
  if (!theirs || *theirs == ours) return std::unique_ptr<Divergence>();
  return Divergence::begin(ours, *theirs, sources.objects, sources.fs, sources.common_dir);
}

Result<int> count_stash(RefStore& refs) {
  int count = 0;
  RESIDENT_CHECK(refs.visit_log_backwards(kStash, [&count](const ReflogEntry&) {
    ++count;
    return true;
  }));
  return count;
}

// Dropping an older entry changes only the log, if the log has a file of its own.
std::vector<std::string> stash_files(RefStore& refs) {
  return refs.log_files_of(kStash);
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
  for (std::string& file :
       remote_files_of_branch(branch.value_or(head.ref), sources.config, sources.common_dir)) {
    files.push_back(std::move(file));
  }
  auto upstream = upstream_of_branch(branch.value_or(head.ref), sources.config, sources.refs,
                                     sources.fs, sources.common_dir);
  if (!upstream.ok() || !*upstream) return files;
  // The printed length of the upstream's name depends on other refs that match a shorter name.
  (void)shorten_unambiguous_ref((*upstream)->ref, sources.rules.strips_head_of_remotes,
                                [&](const std::string& candidate) {
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
