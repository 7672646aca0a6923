#include "status/sparse_cone.h"

#include "base/ascii.h"
#include "base/cut_text.h"

namespace resident {
namespace {

bool is_glob_special(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

// True if special characters occur only escaped or as "/*" at the end.
bool is_plain(std::string_view pattern) {
  for (size_t i = 1; i < pattern.size(); ++i) {
    if (!is_glob_special(pattern[i]) || pattern[i - 1] == '\\') continue;
    const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (pattern[i] == '\\' && is_glob_special(next)) continue;
    if (pattern[i] == '*' && pattern[i - 1] == '/' && next == '\0') continue;
    return false;
  }
  return true;
}

std::string without_escapes(std::string_view pattern) {
  std::string plain;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && ++i == pattern.size()) break;
    plain += pattern[i];
  }
  return plain;
}

// Same rule as for ignore files: drops trailing spaces, unless a backslash escapes them.
std::string_view without_trailing_spaces(std::string_view line) {
  size_t end = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      end = ++i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

}  // namespace

std::shared_ptr<const SparseCone> SparseCone::parse(std::string_view patterns, bool ignore_case) {
  auto cone = std::make_shared<SparseCone>();
  cone->ignore_case_ = ignore_case;
  if (patterns.starts_with("\xef\xbb\xbf")) patterns.remove_prefix(3);
  while (!patterns.empty()) {
    std::string_view line = cut(patterns, '\n');
    if (line.empty() || line[0] == '#') continue;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!cone->add(without_trailing_spaces(line))) return nullptr;
  }
  return cone;
}

// False if cone mode does not know the line.
bool SparseCone::add(std::string_view line) {
  const bool negative = line.starts_with('!');
  if (negative) line.remove_prefix(1);
  const bool directory = line.ends_with('/');
  if (directory) line.remove_suffix(1);
  if (line == "/*" && negative == directory) {
    everything_ = !negative;
    return true;
  }
  if (line.size() < 2 || line[0] != '/' || line.find("**") != line.npos) return false;
  if ((!directory && line != "/*") || !is_plain(line)) return false;
  if (line.size() > 2 && line.ends_with("/*")) {
    // "!/a/b/*/": only the direct files of an earlier directory.
    if (!negative) return false;
    std::string parent = fold(without_escapes(line.substr(0, line.size() - 2)));
    if (recursive_.erase(parent) == 0) return false;
    parents_.insert(std::move(parent));
    return true;
  }
  if (negative) return false;
  std::string path = fold(without_escapes(line));
  if (parents_.contains(path)) return false;
  recursive_.insert(std::move(path));
  return true;
}

std::string SparseCone::fold(std::string_view path) const {
  std::string folded(path);
  if (ignore_case_) {
    for (char& c : folded) c = ascii_lower(c);
  }
  return folded;
}

bool SparseCone::contains(std::string_view path) const {
  if (everything_) return true;
  std::string at = "/" + fold(path);
  size_t slash = at.rfind('/');
  if (slash == 0 || recursive_.contains(at)) return true;
  at.resize(slash);
  if (parents_.contains(at)) return true;
  for (; slash > 0; slash = at.rfind('/')) {
    at.resize(slash);
    if (recursive_.contains(at)) return true;
  }
  return false;
}

}  // namespace resident
