#include "history/upstream.h"

#include <algorithm>
#include <utility>

#include "refs/ref_name.h"

namespace resident {

namespace {

Error unsupported(std::string what) {
  return {ErrorCode::kUnsupported, std::move(what)};
}

struct Refspec {
  bool negative = false;
  bool is_pattern = false;  // both sides hold a '*'
  std::string source;
  std::optional<std::string> destination;
};

bool is_valid_side(std::string side, bool is_pattern) {
  if (const size_t star = side.find('*'); is_pattern && star != std::string::npos) side[star] = 'x';
  return is_valid_ref_name(side);
}

// Nullopt for what git would refuse.
std::optional<Refspec> parse_refspec(std::string_view text) {
  Refspec refspec;
  refspec.negative = text.starts_with('^');
  if (refspec.negative || text.starts_with('+')) text.remove_prefix(1);
  const size_t colon = text.rfind(':');
  refspec.source = text.substr(0, colon);
  if (colon != std::string_view::npos) refspec.destination = text.substr(colon + 1);
  if (refspec.negative && refspec.destination) return std::nullopt;

  const auto has_star = [](std::string_view side) {
    return side.find('*') != std::string_view::npos;
  };
  refspec.is_pattern = has_star(refspec.source);
  if (!refspec.negative && refspec.is_pattern != has_star(refspec.destination.value_or(""))) {
    return std::nullopt;
  }
  if (refspec.source == "@") refspec.source = "HEAD";

  // Neither side of a fetch refspec need be given; a source may also be an object id, which is a
  // valid name.
  const bool may_be_empty = !refspec.negative;
  if (!(may_be_empty && refspec.source.empty()) &&
      !is_valid_side(refspec.source, refspec.is_pattern)) {
    return std::nullopt;
  }
  if (refspec.destination && !refspec.destination->empty() &&
      !is_valid_side(*refspec.destination, refspec.is_pattern)) {
    return std::nullopt;
  }
  return refspec;
}

// What the star of `pattern` stands for in `name`.
std::optional<std::string_view> match_star(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  const std::string_view suffix = pattern.substr(star + 1);
  if (name.size() < star + suffix.size() || !name.starts_with(pattern.substr(0, star)) ||
      !name.ends_with(suffix)) {
    return std::nullopt;
  }
  return name.substr(star, name.size() - star - suffix.size());
}

std::string fill_star(std::string_view pattern, std::string_view with) {
  const size_t star = pattern.find('*');
  std::string filled(pattern.substr(0, star));
  filled += with;
  filled += pattern.substr(star + 1);
  return filled;
}

// `name` with the part that matches `from` put into `to`, or `to` itself where they are no
// patterns.
std::optional<std::string> map_name(bool is_pattern, std::string_view from, std::string_view to,
                                    std::string_view name) {
  if (!is_pattern) return from == name ? std::optional<std::string>(to) : std::nullopt;
  auto star = match_star(from, name);
  if (!star) return std::nullopt;
  return fill_star(to, *star);
}

// git asks its negative refspecs about sources. It takes the name at hand for a destination first
// and maps it back, which for a source mostly finds nothing; names in refspecs without a star are
// compared as sources.
bool is_excluded(const std::vector<Refspec>& refspecs, const std::string& name) {
  for (const Refspec& positive : refspecs) {
    if (positive.negative) continue;
    auto source = positive.is_pattern ? map_name(true, *positive.destination, positive.source, name)
                                      : map_name(false, positive.source, positive.source, name);
    if (!source) continue;
    for (const Refspec& negative : refspecs) {
      if (negative.negative &&
          map_name(negative.is_pattern, negative.source, negative.source, *source)) {
        return true;
      }
    }
  }
  return false;
}

// The files that describe a remote of that name where config does not.
std::vector<std::string> remote_files(const std::string& remote, const ConfigLookup& config,
                                      const std::string& common_dir) {
  const bool can_be_file_name =
      !remote.empty() && remote != "." && remote != ".." && remote.find('/') == std::string::npos;
  if (!can_be_file_name || !config("remote." + remote + ".url").empty() ||
      !config("remote." + remote + ".vcs").empty()) {
    return {};
  }
  return {common_dir + "/remotes/" + remote, common_dir + "/branches/" + remote};
}

// Whether a remote of that name may be described by a file instead of by config.
Result<void> check_no_remote_file(const std::string& remote, const ConfigLookup& config,
                                  FileSystem& fs, const std::string& common_dir) {
  for (const std::string& path : remote_files(remote, config, common_dir)) {
    if (fs.lstat(path).ok())
      return unsupported(path + ": the remote is configured in an old-style file");
  }
  return {};
}

// Whether the last of a boolean variable's values turns it off.
bool is_false(const std::vector<std::string>& values) {
  if (values.empty()) return false;
  std::string value = values.back();
  for (char& c : value) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return value == "false" || value == "no" || value == "off" || value == "0";
}

// What a name without a remote means in this repository.
Result<Upstream> find_local_ref(const std::string& name, const ConfigLookup& config,
                                RefStore& refs) {
  if (name == "@" || name.find("@{") != std::string::npos) {
    return unsupported("upstream '" + name + "' can only be found in reflogs");
  }
  // Only where git would warn does it look on and find that the name is ambiguous.
  const bool first_counts = is_false(config("core.warnambiguousrefs"));
  Upstream upstream;
  size_t found = 0;
  for (std::string& candidate : ref_name_candidates(name)) {
    auto target = refs.look_up(candidate);
    upstream.looked.push_back(std::move(candidate));
    upstream.git_warns |= !target.ok();
    if (!target.ok() || !*target) continue;
    upstream.ref = std::move((*target)->name);
    ++found;
    if (first_counts) break;
  }
  if (found != 1) upstream.ref = name;
  return upstream;
}

}  // namespace

Result<std::optional<std::string>> find_tracking_ref(const std::vector<std::string>& refspecs,
                                                     const std::string& name) {
  std::vector<Refspec> parsed;
  for (const std::string& text : refspecs) {
    auto refspec = parse_refspec(text);
    if (!refspec) return unsupported("invalid refspec '" + text + "'");
    parsed.push_back(*std::move(refspec));
  }
  if (is_excluded(parsed, name)) return std::optional<std::string>();
  for (const Refspec& refspec : parsed) {
    if (refspec.negative || !refspec.destination) continue;
    auto mapped = map_name(refspec.is_pattern, refspec.source, *refspec.destination, name);
    if (mapped) return mapped;
  }
  return std::optional<std::string>();
}

BranchStatus::Push push_of_branch(std::string_view branch, const std::string& upstream,
                                  const ConfigLookup& config) {
  using Push = BranchStatus::Push;
  const std::string section = "branch." + std::string(branch);
  std::string remote;
  for (const std::string& key :
       {section + ".remote", std::string("remote.pushdefault"), section + ".pushremote"}) {
    if (const auto values = config(key); !values.empty()) remote = values.back();
  }
  // git ignores the configuration of a remote whose name looks like a path.
  if (remote.empty() || remote.starts_with('/')) return Push::kUpstream;
  const std::string of_remote = "remote." + remote;
  if (!config(of_remote + ".push").empty()) return Push::kUnknown;
  const auto ways = config("push.default");
  const std::string way = ways.empty() ? "simple" : ways.back();
  const auto mirror = config(of_remote + ".mirror");
  const bool mirrors = !mirror.empty() && !is_false(mirror);
  // Any other way leads to the upstream or, for git, nowhere.
  if (!mirrors && way != "current" && way != "matching") return Push::kUpstream;
  const auto tracking =
      find_tracking_ref(config(of_remote + ".fetch"), std::string(kHeads) + std::string(branch));
  if (!tracking.ok()) return Push::kUnknown;
  return !*tracking || **tracking == upstream ? Push::kUpstream : Push::kElsewhere;
}

std::vector<std::string> remote_files_of_branch(std::string_view branch, const ConfigLookup& config,
                                                const std::string& common_dir) {
  const auto remotes = config("branch." + std::string(branch) + ".remote");
  if (remotes.empty()) return {};
  return remote_files(remotes.back(), config, common_dir);
}

Result<std::optional<Upstream>> upstream_of_branch(std::string_view branch,
                                                   const ConfigLookup& config, RefStore& refs,
                                                   FileSystem& fs, const std::string& common_dir) {
  const std::string section = "branch." + std::string(branch);
  const auto remotes = config(section + ".remote");
  const auto merges = config(section + ".merge");
  if (remotes.empty() || merges.empty()) return std::optional<Upstream>();
  const std::string& remote = remotes.back();

  RESIDENT_CHECK(check_no_remote_file(remote, config, fs, common_dir));
  std::vector<std::string> refspecs;
  // git ignores the configuration of a remote whose name looks like a path.
  if (!remote.starts_with('/')) refspecs = config("remote." + remote + ".fetch");
  // The first one is the upstream, but git looks for each.
  std::optional<Upstream> upstream;
  for (size_t i = 0; i < merges.size(); ++i) {
    RESIDENT_TRY(std::optional<std::string> tracking, find_tracking_ref(refspecs, merges[i]));
    std::optional<Upstream> found;
    if (tracking) {
      found = Upstream{*std::move(tracking), {}, false};
    } else if (remote == ".") {
      RESIDENT_TRY(found, find_local_ref(merges[i], config, refs));
    }
    if (i == 0) {
      upstream = std::move(found);
    } else if (upstream && found) {
      upstream->git_warns |= found->git_warns;
      upstream->looked.insert(upstream->looked.end(), found->looked.begin(), found->looked.end());
    }
  }
  return upstream;
}

}  // namespace resident
