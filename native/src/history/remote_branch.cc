#include "history/remote_branch.h"

#include <utility>

namespace resident {

namespace {

constexpr std::string_view kHeads = "refs/heads/";
constexpr std::string_view kRemotes = "refs/remotes/";

std::string branch_of_ref(std::string_view ref, std::string_view remote) {
  for (const std::string& prefix : {std::string(kRemotes) + std::string(remote) + "/",
                                    std::string(kRemotes), std::string(kHeads)}) {
    if (ref.starts_with(prefix)) return std::string(ref.substr(prefix.size()));
  }
  return {};
}

RemoteBranch make(std::string ref, std::string remote, const Config& config) {
  RemoteBranch made;
  made.branch = branch_of_ref(ref, remote);
  made.url = remote_url(remote, config);
  made.ref = std::move(ref);
  made.remote = std::move(remote);
  return made;
}

}  // namespace

std::string remote_url(std::string_view remote, const Config& config) {
  constexpr std::string_view kBegin = "url.";
  constexpr std::string_view kEnd = ".insteadof";
  const std::vector<std::string_view> urls =
      config.get_all("remote." + std::string(remote) + ".url");
  if (urls.empty()) return {};
  const std::string_view url = urls.front();
  std::string_view base;
  size_t longest = 0;
  for (const ConfigEntry& entry : config.entries()) {
    const std::string_view key = entry.key;
    if (!key.starts_with(kBegin) || !key.ends_with(kEnd) || !entry.value) continue;
    if (entry.value->size() <= longest || !url.starts_with(*entry.value)) continue;
    if (key.size() < kBegin.size() + kEnd.size()) continue;
    longest = entry.value->size();
    base = key.substr(kBegin.size(), key.size() - kBegin.size() - kEnd.size());
  }
  return std::string(base).append(url.substr(longest));
}

Result<std::optional<RemoteBranch>> upstream_remote_branch(std::string_view branch,
                                                           const BranchSources& sources,
                                                           const Config& config) {
  RESIDENT_TRY(
      std::optional<Upstream> upstream,
      upstream_of_branch(branch, sources.config, sources.refs, sources.fs, sources.common_dir));
  if (!upstream) return std::optional<RemoteBranch>();
  const auto remote = config.get("branch." + std::string(branch) + ".remote");
  RemoteBranch made = make(std::move(upstream->ref), std::string(remote.value_or("")), config);
  made.looked = std::move(upstream->looked);
  return std::optional(std::move(made));
}

Result<std::optional<RemoteBranch>> push_remote_branch(std::string_view branch,
                                                       const BranchSources& sources,
                                                       const Config& config) {
  auto remote = config.get("branch." + std::string(branch) + ".pushremote");
  if (!remote) remote = config.get("remote.pushdefault");
  if (!remote || remote->empty()) return std::optional<RemoteBranch>();
  const std::string ours = std::string(kHeads) + std::string(branch);
  if (*remote == ".") return std::optional(make(ours, ".", config));
  // git ignores the configuration of a remote whose name looks like a path.
  if (remote->starts_with('/')) return std::optional<RemoteBranch>();
  RESIDENT_TRY(
      std::optional<std::string> ref,
      find_tracking_ref(sources.config("remote." + std::string(*remote) + ".fetch"), ours));
  if (!ref) return std::optional<RemoteBranch>();
  return std::optional(make(*std::move(ref), std::string(*remote), config));
}

}  // namespace resident
