#include "history/remote_branch.h"

#include <utility>

#include "refs/ref_name.h"

namespace resident {

namespace {

constexpr std::string_view kRemotes = "refs/remotes/";

std::string branch_of_ref(std::string_view ref, std::string_view remote) {
  for (const std::string& prefix : {std::string(kRemotes) + std::string(remote) + "/",
                                    std::string(kRemotes), std::string(kHeads)}) {
    if (ref.starts_with(prefix)) return std::string(ref.substr(prefix.size()));
  }
  return {};
}

// `url` after the url.<base> whose value for `variable` is its longest prefix.
std::optional<std::string> rewrite(std::string_view url, std::string_view variable,
                                   const Config& config) {
  constexpr std::string_view kBegin = "url.";
  std::string_view base;
  size_t longest = 0;
  for (const ConfigEntry& entry : config.entries()) {
    const std::string_view key = entry.key;
    if (!key.starts_with(kBegin) || !key.ends_with(variable) || !entry.value) continue;
    if (entry.value->size() <= longest || !url.starts_with(*entry.value)) continue;
    if (key.size() < kBegin.size() + variable.size()) continue;
    longest = entry.value->size();
    base = key.substr(kBegin.size(), key.size() - kBegin.size() - variable.size());
  }
  if (longest == 0) return std::nullopt;
  return std::string(base).append(url.substr(longest));
}

std::string fetched_from(std::string_view url, const Config& config) {
  return rewrite(url, ".insteadof", config).value_or(std::string(url));
}

// git ignores the configuration of a remote whose name looks like a path.
Result<std::optional<std::string>> kept_under(const std::string& remote, const std::string& ref,
                                              const Config& config) {
  if (remote.starts_with('/')) return std::optional<std::string>();
  const auto refspecs = config.get_all("remote." + remote + ".fetch");
  return find_tracking_ref({refspecs.begin(), refspecs.end()}, ref);
}

}  // namespace

RemoteBranch remote_branch(std::string ref, std::string remote, const Config& config) {
  RemoteBranch made;
  made.branch = branch_of_ref(ref, remote);
  made.url = remote_url(remote, config);
  made.ref = std::move(ref);
  made.remote = std::move(remote);
  return made;
}

std::string remote_url(std::string_view remote, const Config& config) {
  const std::vector<std::string_view> urls =
      config.get_all("remote." + std::string(remote) + ".url");
  return urls.empty() ? std::string() : fetched_from(urls.front(), config);
}

std::string remote_push_url(std::string_view remote, const Config& config) {
  const std::string section = "remote." + std::string(remote);
  if (const auto urls = config.get_all(section + ".pushurl"); !urls.empty()) {
    return fetched_from(urls.front(), config);
  }
  for (const std::string_view url : config.get_all(section + ".url")) {
    if (auto rewritten = rewrite(url, ".pushinsteadof", config)) return *std::move(rewritten);
  }
  return remote_url(remote, config);
}

Result<std::optional<RemoteBranch>> upstream_remote_branch(std::string_view branch,
                                                           const BranchSources& sources,
                                                           const Config& config) {
  RESIDENT_TRY(
      std::optional<Upstream> upstream,
      upstream_of_branch(branch, sources.config, sources.refs, sources.fs, sources.common_dir));
  if (!upstream) return std::optional<RemoteBranch>();
  const auto remote = config.get("branch." + std::string(branch) + ".remote");
  RemoteBranch made =
      remote_branch(std::move(upstream->ref), std::string(remote.value_or("")), config);
  made.looked = std::move(upstream->looked);
  return std::optional(std::move(made));
}

Result<std::optional<RemoteBranch>> push_remote_branch(std::string_view branch,
                                                       const Config& config) {
  auto remote = config.get("branch." + std::string(branch) + ".pushremote");
  if (!remote) remote = config.get("remote.pushdefault");
  if (!remote || remote->empty()) return std::optional<RemoteBranch>();
  const std::string ours = std::string(kHeads) + std::string(branch);
  if (*remote == ".") return std::optional(remote_branch(ours, ".", config));
  RESIDENT_TRY(std::optional<std::string> ref, kept_under(std::string(*remote), ours, config));
  if (!ref) return std::optional<RemoteBranch>();
  return std::optional(remote_branch(*std::move(ref), std::string(*remote), config));
}

Result<std::optional<RemoteBranch>> push_destination(std::string_view branch,
                                                     const BranchSources& sources,
                                                     const Config& config) {
  const std::string section = "branch." + std::string(branch);
  const std::string fetched(config.get(section + ".remote").value_or("origin"));
  auto configured = config.get(section + ".pushremote");
  if (!configured) configured = config.get("remote.pushdefault");
  const std::string remote(configured.value_or(fetched));
  if (remote.empty()) return std::optional<RemoteBranch>();
  const std::string of_remote = "remote." + remote;
  if (!remote.starts_with('/') && !sources.config(of_remote + ".push").empty()) {
    return Error{ErrorCode::kUnsupported, of_remote + ".push: only git can resolve this refspec"};
  }
  const std::string way = config.get_bool(of_remote + ".mirror", false) && !remote.starts_with('/')
                              ? "current"
                              : std::string(config.get("push.default").value_or("simple"));
  std::optional<std::string> ref;
  std::vector<std::string> looked;
  if (way == "current" || way == "matching" || way == "simple") {
    RESIDENT_TRY(ref, kept_under(remote, std::string(kHeads) + std::string(branch), config));
  }
  const bool is_upstream = way == "upstream" || way == "tracking";
  if (is_upstream || (way == "simple" && remote == fetched)) {
    RESIDENT_TRY(
        std::optional<Upstream> upstream,
        upstream_of_branch(branch, sources.config, sources.refs, sources.fs, sources.common_dir));
    if (!upstream || (!is_upstream && ref != upstream->ref)) return std::optional<RemoteBranch>();
    ref = std::move(upstream->ref);
    looked = std::move(upstream->looked);
  }
  if (!ref) return std::optional<RemoteBranch>();
  RemoteBranch made = remote_branch(*std::move(ref), remote, config);
  made.url = remote_push_url(remote, config);
  made.looked = std::move(looked);
  return std::optional(std::move(made));
}

}  // namespace resident
