#include "config/config_listing.h"

#include <optional>

namespace resident {

namespace {

ConfigScope scope_from(std::string_view name) {
  if (name == "system") return ConfigScope::kSystem;
  if (name == "global") return ConfigScope::kGlobal;
  if (name == "local") return ConfigScope::kLocal;
  if (name == "worktree") return ConfigScope::kWorktree;
  if (name == "command") return ConfigScope::kCommand;
  return ConfigScope::kUnknown;
}

// git names a file as it opened it: relative names are relative to the worktree's root.
std::string file_from(std::string_view origin, const std::string& worktree) {
  constexpr std::string_view kFile = "file:";
  if (!origin.starts_with(kFile)) return {};
  std::string path(origin.substr(kFile.size()));
  if (path.empty() || path.front() == '/') return path;
  return worktree + "/" + path;
}

}  // namespace

Result<std::vector<ConfigEntry>> parse_config_listing(std::string_view listing,
                                                      const std::string& worktree) {
  std::vector<ConfigEntry> entries;
  auto field = [&]() -> std::optional<std::string_view> {
    size_t end = listing.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view text = listing.substr(0, end);
    listing.remove_prefix(end + 1);
    return text;
  };
  while (!listing.empty()) {
    auto scope = field();
    auto origin = field();
    auto pair = field();
    if (!scope || !origin || !pair) {
      return Error{ErrorCode::kCorrupt, "git config --list: the output is incomplete"};
    }
    ConfigEntry entry;
    size_t newline = pair->find('\n');
    entry.key = pair->substr(0, newline);
    if (newline != std::string_view::npos) entry.value = pair->substr(newline + 1);
    entry.scope = scope_from(*scope);
    entry.file = file_from(*origin, worktree);
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace resident
