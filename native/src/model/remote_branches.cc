#include "model/remote_branches.h"

#include <utility>

#include "model/history_sources.h"

namespace resident {

Result<void> RemoteBranches::update(const ModelView& view, const InputVersions& versions,
                                    const BranchStatus& branch) {
  const std::array<uint64_t, 2> made_from = {versions.head, versions.config};
  if (made_from_ != made_from || files_.changed(view.fs, gate_)) {
    distances_.clear();
    const Result<void> found = read(view, branch);
    failure_ = found.ok() ? std::nullopt : std::optional(found.error());
    made_from_ = made_from;
  }
  return failure_ ? Result<void>(*failure_) : Result<void>();
}

Result<RemoteBranches::Branches> RemoteBranches::find(const ModelView& view,
                                                      const BranchStatus& branch) {
  Branches found;
  if (branch.detached || branch.outside_heads) return found;
  const BranchSources sources = branch_sources(view);
  const Config& config = view.state.config();
  RESIDENT_TRY(found.upstream, upstream_remote_branch(branch.name, sources, config));
  RESIDENT_TRY(found.push_remote, push_remote_branch(branch.name, config));
  // Of what only git can tell, the others are told still.
  if (auto destination = resident::push_destination(branch.name, sources, config);
      destination.ok()) {
    found.push_destination = std::move(destination).value();
  }
  return found;
}

Result<void> RemoteBranches::read(const ModelView& view, const BranchStatus& branch) {
  upstream_.reset();
  push_remote_.reset();
  push_destination_.reset();
  files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    std::vector<std::string> files = branch_status_files(view.state.head(), branch_sources(view));
    const Result<Branches> branches = find(view, branch);
    if (!branches.ok()) return files;
    for (const auto& found : {branches->push_remote, branches->push_destination}) {
      if (!found) continue;
      for (std::string& file : view.state.refs().files_of(found->ref)) {
        files.push_back(std::move(file));
      }
    }
    return files;
  });
  const RefStore::Reading reading(view.state.refs());
  RESIDENT_TRY(Branches branches, find(view, branch));
  const auto found = [&](std::optional<RemoteBranch>& what) -> std::optional<Found> {
    if (!what) return std::nullopt;
    const bool exists = view.state.refs().exists(what->ref);
    return Found{exists, *std::move(what)};
  };
  upstream_ = found(branches.upstream);
  push_remote_ = found(branches.push_remote);
  push_destination_ = found(branches.push_destination);
  return {};
}

Result<RemoteBranches::Distance> RemoteBranches::begin(const ModelView& view,
                                                       const RemoteBranch& branch) const {
  const BranchSources sources = branch_sources(view);
  const Head& head = view.state.head();
  Distance distance;
  if (!head.id) {
    distance.counted = AheadBehind{};
    return distance;
  }
  RESIDENT_TRY(const ObjectId ours, view.state.objects().peel_to_commit(*head.id));
  const RefStore::Reading reading(view.state.refs());
  RESIDENT_TRY(distance.walk, diverge_from_ref(ours, branch.ref, sources));
  if (!distance.walk) distance.counted = AheadBehind{};
  return distance;
}

Result<std::optional<AheadBehind>> RemoteBranches::count(const ModelView& view, const Found& found,
                                                         const AheadBehindWalk::Budget& budget) {
  auto at = distances_.find(found.branch.ref);
  if (at == distances_.end()) {
    Result<Distance> begun = begin(view, found.branch);
    Distance distance;
    if (begun.ok()) {
      distance = std::move(begun).value();
    } else {
      distance.counted = begun.error();
    }
    at = distances_.emplace(found.branch.ref, std::move(distance)).first;
  }
  Distance& distance = at->second;
  if (!distance.counted) {
    Result<std::optional<AheadBehind>> step = distance.walk->step(budget);
    if (step.ok() && !*step) return std::optional<AheadBehind>();
    distance.counted = step.ok() ? Result<AheadBehind>(**step) : step.error();
    distance.walk.reset();
  }
  if (!distance.counted->ok()) return distance.counted->error();
  return std::optional(**distance.counted);
}

}  // namespace resident
