#include "pattern/pathspec.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "pattern/pathspec_magic.h"
#include "pattern/wildmatch.h"

namespace resident {
namespace {

// Appends `path` to `base` ("" or ending in '/'). Resolves ".", ".." and repeated slashes as text
// only, and keeps a final slash. Each ".." lowers `kept` to the remaining length of base. Returns
// false if ".." leads above the root.
bool append_normalized(std::string_view path, std::string& base, size_t& kept) {
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const bool has_slash = end < path.size();
    const std::string_view component = path.substr(0, end);
    path.remove_prefix(has_slash ? end + 1 : end);
    if (component.empty() || component == ".") continue;
    if (component == "..") {
      if (base.empty()) return false;
      base.pop_back();
      base.resize(base.rfind('/') + 1);
      kept = std::min(kept, base.size());
      continue;
    }
    base += component;
    if (has_slash) base += '/';
  }
  return true;
}

// Returns the absolute `path` relative to the root of the worktree.
Result<std::string> relative_to_worktree(std::string_view path, std::string_view worktree) {
  std::string normalized = "/";
  size_t unused = 0;
  std::string below_root;
  bool valid = append_normalized(path, below_root, unused);
  normalized += below_root;
  if (valid && !worktree.empty() && normalized.starts_with(worktree)) {
    std::string_view rest = std::string_view(normalized).substr(worktree.size());
    if (rest.empty() || worktree.ends_with('/')) return std::string(rest);
    if (rest.starts_with('/')) return std::string(rest.substr(1));
  }
  return Error{ErrorCode::kUnsupported, "pathspec '" + std::string(path) + "': not below '" +
                                            std::string(worktree) + "' by name"};
}

}  // namespace

Result<Pathspec::Item> Pathspec::parse_item(const std::string& argument,
                                            const PathspecOptions& options) {
  RESIDENT_TRY(PathspecMagic magic, parse_pathspec_magic(argument, options.settings));
  Item item;
  item.ignore_case = magic.ignore_case;
  item.pathname = magic.glob;
  item.exclude = magic.exclude;
  if (magic.attributes) item.attributes = std::move(*magic.attributes);
  if (magic.top) {
    // git resolves no "." or ".." here.
    item.match = magic.path;
  } else if (magic.path.starts_with('/')) {
    RESIDENT_TRY(item.match, relative_to_worktree(magic.path, options.worktree));
  } else {
    item.match = options.prefix;
    item.prefix = options.prefix.size();
    if (!append_normalized(magic.path, item.match, item.prefix)) {
      return Error{ErrorCode::kInvalid, "pathspec '" + argument + "' is outside the worktree"};
    }
  }
  item.literal = item.match.size();
  if (!magic.literal) {
    item.literal = std::max(literal_prefix_length(item.match), item.prefix);
    std::string_view globs = std::string_view(item.match).substr(item.literal);
    item.is_suffix = !magic.glob && globs.starts_with('*') &&
                     literal_prefix_length(globs.substr(1)) == globs.size() - 1;
  }
  return item;
}

Result<Pathspec> Pathspec::parse(std::span<const std::string> arguments,
                                 const PathspecOptions& options) {
  Pathspec pathspec;
  bool has_positive = false;
  for (const std::string& argument : arguments) {
    if (argument.empty()) {
      return Error{ErrorCode::kInvalid, "an empty string is not a valid pathspec"};
    }
    RESIDENT_TRY(Item item, parse_item(argument, options));
    (item.exclude ? pathspec.has_exclude_ : has_positive) = true;
    pathspec.items_.push_back(std::move(item));
  }
  // If all elements are exclusions, they apply to the whole worktree, not to the current directory.
  if (pathspec.has_exclude_ && !has_positive) pathspec.items_.push_back(Item{});
  return pathspec;
}

bool Pathspec::glob_matches(const Item& item, std::string_view text) {
  std::string_view pattern = item.match;
  if (!starts_with_bytes(text, pattern.substr(0, item.literal), item.ignore_case)) return false;
  text.remove_prefix(item.literal);
  pattern.remove_prefix(item.literal);
  if (item.is_suffix) return ends_with_bytes(text, pattern.substr(1), item.ignore_case);
  return wildmatch(pattern, text, {.pathname = item.pathname, .ignore_case = item.ignore_case});
}

PathspecMatch Pathspec::match_item(const Item& item, const Name& name) {
  const std::string_view match = item.match;
  const std::string_view path = name.path;
  // icase never applies to the part from the current directory.
  if (item.ignore_case && !path.starts_with(match.substr(0, item.prefix))) {
    return PathspecMatch::kNone;
  }
  if (!item.attributes.empty() &&
      !(name.has_attributes && name.has_attributes(path, item.attributes))) {
    return PathspecMatch::kNone;
  }
  if (match.empty()) return PathspecMatch::kRecursive;

  const bool is_prefix = starts_with_bytes(path, match, item.ignore_case);
  if (is_prefix) {
    if (match.size() == path.size()) return PathspecMatch::kExact;
    if (match.back() == '/' || path[match.size()] == '/') return PathspecMatch::kRecursive;
  } else if (name.is_directory && match.back() == '/' &&
             equal_bytes(match.substr(0, match.size() - 1), path, item.ignore_case)) {
    return PathspecMatch::kExact;
  }
  const bool has_glob = item.literal < match.size();
  if (has_glob && glob_matches(item, path)) return PathspecMatch::kGlob;

  if (!name.leading || path.empty()) return PathspecMatch::kNone;
  const size_t slash = path.size() - (path.back() == '/' ? 1 : 0);
  if (path.size() < match.size() && match[slash] == '/' &&
      starts_with_bytes(match, path, item.ignore_case)) {
    return PathspecMatch::kLeading;
  }
  // A possible glob match inside the directory is not decided here: it counts as possible.
  if (has_glob && starts_with_bytes(path, match.substr(0, item.literal), item.ignore_case)) {
    return PathspecMatch::kLeading;
  }
  return PathspecMatch::kNone;
}

PathspecMatch Pathspec::best_match(const Name& name, bool exclude) const {
  PathspecMatch best = PathspecMatch::kNone;
  for (const Item& item : items_) {
    if (item.exclude != exclude) continue;
    best = std::max(best, match_item(item, name));
    if (best == PathspecMatch::kExact) break;
  }
  return best;
}

PathspecMatch Pathspec::match_name(const Name& name) const {
  if (items_.empty()) return PathspecMatch::kRecursive;
  const PathspecMatch positive = best_match(name, false);
  if (positive == PathspecMatch::kNone || !has_exclude_) return positive;
  const Name excluded{name.path, name.is_directory, false, name.has_attributes};
  return best_match(excluded, true) == PathspecMatch::kNone ? positive : PathspecMatch::kNone;
}

PathspecMatch Pathspec::match(std::string_view path, bool is_directory,
                              const AttributeCheck& has_attributes) const {
  return match_name({path, is_directory, false, has_attributes});
}

PathspecMatch Pathspec::match_leading(std::string_view directory,
                                      const AttributeCheck& has_attributes) const {
  return match_name({directory, false, true, has_attributes});
}

bool Pathspec::asks_attributes() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const Item& item) { return !item.attributes.empty(); });
}

bool Pathspec::may_match_at_or_below(std::string_view path) const {
  if (items_.empty()) return true;
  return std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    const size_t length = std::min(item.literal, path.size());
    return equal_bytes(std::string_view(item.match).substr(0, length), path.substr(0, length),
                       item.ignore_case);
  });
}

std::string_view Pathspec::common_directory() const {
  std::string_view common;
  bool first = true;
  for (const Item& item : items_) {
    // git compares with the first element, even if that is an exclusion.
    if (item.exclude) {
      if (&item == &items_.front()) return {};
      continue;
    }
    std::string_view fixed =
        std::string_view(item.match).substr(0, item.ignore_case ? item.prefix : item.literal);
    if (!first) {
      size_t same = 0;
      while (same < fixed.size() && same < common.size() && fixed[same] == common[same]) ++same;
      fixed = fixed.substr(0, same);
    }
    common = fixed.substr(0, fixed.rfind('/') + 1);
    first = false;
  }
  return common;
}

}  // namespace resident
