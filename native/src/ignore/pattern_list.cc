#include "ignore/pattern_list.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace resident {
namespace {

constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";

// Removes trailing spaces, except those that a backslash quotes. A line that ends in a lone
// backslash keeps them all.
std::string_view without_trailing_spaces(std::string_view line) {
  size_t end = 0;  // after the last kept byte
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      if (++i == line.size()) return line;
      end = i + 1;
    } else if (line[i] != ' ') {
      end = i + 1;
    }
  }
  return line.substr(0, end);
}

}  // namespace

std::shared_ptr<const PatternList> PatternList::parse(std::string content, std::string base) {
  return std::shared_ptr<const PatternList>(new PatternList(std::move(content), std::move(base)));
}

PatternList::PatternList(std::string content, std::string base)
    : content_(std::move(content)), base_(std::move(base)) {
  std::string_view rest = content_;
  if (rest.starts_with(kUtf8Bom)) rest.remove_prefix(kUtf8Bom.size());
  for (uint32_t number = 1; !rest.empty(); ++number) {
    size_t end = std::min(rest.find('\n'), rest.size());
    add_line(rest.substr(0, end), number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  index_patterns();
}

void PatternList::add_line(std::string_view line, uint32_t number) {
  if (line.starts_with('#')) return;
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = line.substr(0, line.find('\0'));
  line = without_trailing_spaces(line);

  Pattern pattern{parse_path_pattern(line), number};
  // A pattern without text matches no path.
  if (pattern.text.empty()) return;
  patterns_.push_back(pattern);
}

void PatternList::index_patterns() {
  for (uint32_t i = 0; i < patterns_.size(); ++i) {
    const Pattern& pattern = patterns_[i];
    if (pattern.literal_prefix == pattern.text.size()) {
      SuffixTable& table = pattern.matches_basename ? basenames_ : paths_;
      table.add(pattern.text, i, patterns_.size());
    } else if (pattern.matches_basename && pattern.is_suffix && pattern.text.size() > 1) {
      suffixes_.add(pattern.text.substr(1), i, patterns_.size());
    } else {
      globs_.push_back(i);
    }
  }
}

const Pattern* PatternList::last_match(std::string_view path, std::string_view basename,
                                       bool is_directory, const PatternMatching& matching) const {
  if (path.size() <= base_.size() || basename.empty()) return nullptr;
  if (!starts_with_bytes(path, base_, matching.ignore_case)) return nullptr;
  const std::string_view relative = path.substr(base_.size());

  auto applies = [&](const Pattern& pattern) {
    if (pattern.must_be_directory && !is_directory) return false;
    return pattern.matches_basename ? pattern.matches_name(basename, matching)
                                    : pattern.matches_path(relative, matching);
  };
  auto applies_at = [&](uint32_t position) { return applies(patterns_[position]); };

  const bool try_basename = basenames_.may_have(basename.size());
  const bool try_path = paths_.may_have(relative.size());
  size_t hashed = std::min(suffixes_.longest(), basename.size());
  if (try_basename) hashed = basename.size();
  if (try_path) hashed = relative.size();

  int64_t best = -1;
  SuffixHash hash;
  for (size_t length = 1; length <= hashed; ++length) {
    hash.prepend(relative[relative.size() - length]);
    if (length > basename.size()) continue;
    if (suffixes_.may_have(length)) best = suffixes_.find_above(best, hash, applies_at);
    if (try_basename && length == basename.size()) {
      best = basenames_.find_above(best, hash, applies_at);
    }
  }
  if (try_path) best = paths_.find_above(best, hash, applies_at);

  for (size_t i = globs_.size(); i > 0 && globs_[i - 1] > best; --i) {
    if (applies_at(globs_[i - 1])) {
      best = globs_[i - 1];
      break;
    }
  }
  return best < 0 ? nullptr : &patterns_[static_cast<size_t>(best)];
}

std::string PatternList::written(const Pattern& pattern) const {
  // The parser removed a slash directly before the text.
  const auto at = static_cast<size_t>(pattern.text.data() - content_.data());
  std::string written = pattern.negative ? "!" : "";
  if (at > 0 && content_[at - 1] == '/') written += '/';
  written += pattern.text;
  if (pattern.must_be_directory) written += '/';
  return written;
}

}  // namespace resident
