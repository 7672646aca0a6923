// "<four digits> TAB <pattern> TAB <text>": the lines of corpus/wildmatch.lines. The digits are
// git's results without and with case folding, then as paths without and with it. The unit test
// checks git's results. This target checks all four modes:
// - a pattern without glob characters matches only an equal text;
// - a text quoted byte by byte matches itself;
// - the matcher with its two retry positions agrees with a search of all possibilities;
// - libFuzzer's -timeout ends an exponential search.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "fuzz/fuzz_target.h"
#include "pattern/wildmatch.h"

namespace resident {
namespace {

// One item of a pattern: a run of stars, or an item that matches one byte.
struct Item {
  std::string_view text;
  size_t stars = 0;
};

// nullopt for patterns with brackets, because only the matcher finds their end. Also for a final
// lone backslash.
std::optional<std::vector<Item>> items_of(std::string_view pattern) {
  std::vector<Item> items;
  for (size_t at = 0; at < pattern.size();) {
    size_t end = at + 1;
    if (pattern[at] == '[') return std::nullopt;
    if (pattern[at] == '\\' && ++end > pattern.size()) return std::nullopt;
    if (pattern[at] == '*') {
      end = std::min(pattern.find_first_not_of('*', at), pattern.size());
      items.push_back({pattern.substr(at, end - at), end - at});
    } else {
      items.push_back({pattern.substr(at, end - at)});
    }
    at = end;
  }
  return items;
}

// Searches all possibilities: which ends in the text each item can reach.
class Trial {
 public:
  Trial(std::vector<Item> items, std::string_view text, WildmatchOptions options)
      : items_(std::move(items)), text_(text), options_(options) {}

  bool run() {
    std::vector<bool> reached(text_.size() + 1, false);
    reached[0] = true;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].stars == 0) {
        reached = one_byte(items_[i].text, reached);
      } else if (!crosses_slashes(i)) {
        reached = any(reached, false);
      } else if (options_.pathname && i + 1 < items_.size() && items_[i + 1].text == "/") {
        // The item includes its slash.
        reached = directories(reached);
        ++i;
      } else {
        reached = any(reached, true);
      }
    }
    return reached.back();
  }

 private:
  bool crosses_slashes(size_t i) const {
    if (!options_.pathname) return true;
    const bool begins = i == 0 || items_[i - 1].text == "/" || items_[i - 1].text == "\\/";
    const bool ends =
        i + 1 == items_.size() || items_[i + 1].text == "/" || items_[i + 1].text == "\\/";
    return items_[i].stars > 1 && begins && ends;
  }

  std::vector<bool> one_byte(std::string_view item, const std::vector<bool>& from) const {
    std::vector<bool> to(from.size(), false);
    for (size_t t = 0; t < text_.size(); ++t) {
      if (from[t]) to[t + 1] = wildmatch(item, text_.substr(t, 1), options_);
    }
    return to;
  }

  std::vector<bool> any(std::vector<bool> from, bool over_slashes) const {
    for (size_t t = 0; t < text_.size(); ++t) {
      if (from[t] && (over_slashes || text_[t] != '/')) from[t + 1] = true;
    }
    return from;
  }

  std::vector<bool> directories(const std::vector<bool>& from) const {
    std::vector<bool> to = from;
    bool within = false;
    for (size_t t = 0; t < text_.size(); ++t) {
      within = within || from[t];
      if (within && text_[t] == '/') to[t + 1] = true;
    }
    return to;
  }

  const std::vector<Item> items_;
  const std::string_view text_;
  const WildmatchOptions options_;
};

void check(std::string_view pattern, std::string_view text, WildmatchOptions options) {
  const bool matches = wildmatch(pattern, text, options);
  if (literal_prefix_length(pattern) == pattern.size()) {
    expect(matches == equal_bytes(pattern, text, options.ignore_case));
  }
  std::string quoted;
  bool has_upper = false;
  for (char c : text) {
    quoted.append(1, '\\').append(1, c);
    has_upper = has_upper || ascii_is_upper(c);
  }
  // A quoted letter is not folded, but the text is.
  expect(wildmatch(quoted, text, options) == !(options.ignore_case && has_upper));
  if (auto items = items_of(pattern)) {
    expect(matches == Trial(*std::move(items), text, options).run());
  }
}

const FuzzTarget wildmatch_target("wildmatch", [](Bytes bytes) {
  FuzzInput input(bytes);
  input.until('\t');
  std::string_view pattern = input.until('\t');
  std::string_view text = input.rest();
  pattern = pattern.substr(0, pattern.find('\0'));
  text = text.substr(0, text.find('\0'));
  for (bool pathname : {false, true}) {
    for (bool ignore_case : {false, true}) check(pattern, text, {pathname, ignore_case});
  }
});

}  // namespace
}  // namespace resident
