#include "refs/ref_name.h"

#include <algorithm>
#include <array>
#include <vector>

namespace resident {

namespace {

struct Rule {
  std::string_view prefix;
  std::string_view suffix;
};

// git's rules to complete a name; the first match wins.
constexpr std::array<Rule, 6> kRules = {{
    {"", ""},
    {"refs/", ""},
    {"refs/tags/", ""},
    {kHeads, ""},
    {"refs/remotes/", ""},
    {"refs/remotes/", "/HEAD"},
}};

std::string expand(const Rule& rule, std::string_view name) {
  std::string full(rule.prefix);
  full += name;
  full += rule.suffix;
  return full;
}

bool is_valid_component(std::string_view component) {
  if (component.empty() || component[0] == '.' || component.ends_with(".lock")) return false;
  char last = '\0';
  for (char c : component) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f) return false;
    if (std::string_view("~^:?*[\\").find(c) != std::string_view::npos) return false;
    if ((last == '.' && c == '.') || (last == '@' && c == '{')) return false;
    last = c;
  }
  return true;
}

bool is_worktrees_own(std::string_view name) {
  for (std::string_view prefix : {"refs/worktree/", "refs/bisect/", "refs/rewritten/"}) {
    if (name.starts_with(prefix)) return true;
  }
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || c == '-' || c == '_'; });
}

}  // namespace

RefAddress address_of_ref(std::string_view full_name) {
  constexpr std::string_view kMain = "main-worktree/";
  constexpr std::string_view kOthers = "worktrees/";
  if (full_name.starts_with(kMain)) {
    const std::string_view name = full_name.substr(kMain.size());
    if (is_worktrees_own(name)) return {RefOwner::kMainWorktree, {}, name};
  }
  const size_t slash = full_name.find('/', kOthers.size());
  if (full_name.starts_with(kOthers) && slash != std::string_view::npos) {
    const std::string_view name = full_name.substr(slash + 1);
    if (is_worktrees_own(name)) {
      const size_t size = slash - kOthers.size();
      return {RefOwner::kOtherWorktree, full_name.substr(kOthers.size(), size), name};
    }
  }
  if (is_worktrees_own(full_name)) return {RefOwner::kThisWorktree, {}, full_name};
  return {RefOwner::kShared, {}, full_name};
}

bool is_valid_ref_name(std::string_view name) {
  if (name == "@" || name.ends_with('.')) return false;
  for (;;) {
    const size_t slash = name.find('/');
    if (!is_valid_component(name.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    name.remove_prefix(slash + 1);
  }
}

std::vector<std::string> ref_name_candidates(std::string_view name) {
  std::vector<std::string> candidates;
  for (const Rule& rule : kRules) candidates.push_back(expand(rule, name));
  return candidates;
}

std::string shorten_unambiguous_ref(std::string_view full_name, bool strips_head,
                                    const std::function<bool(const std::string&)>& exists) {
  // From the rule that shortens most to the rule that shortens least. The first rule shortens
  // nothing.
  const size_t end = strips_head ? kRules.size() : kRules.size() - 1;
  for (size_t i = end - 1; i > 0; --i) {
    const auto& [prefix, suffix] = kRules[i];
    if (full_name.size() <= prefix.size() + suffix.size()) continue;
    if (!full_name.starts_with(prefix) || !full_name.ends_with(suffix)) continue;
    const std::string_view name =
        full_name.substr(prefix.size(), full_name.size() - prefix.size() - suffix.size());
    bool ambiguous = false;
    for (size_t earlier = 0; earlier < i && !ambiguous; ++earlier) {
      ambiguous = exists(expand(kRules[earlier], name));
    }
    if (!ambiguous) return std::string(name);
  }
  return std::string(full_name);
}

}  // namespace resident
