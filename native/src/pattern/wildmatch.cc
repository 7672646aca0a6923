#include "pattern/wildmatch.h"

#include <cstdint>

#include "base/ascii.h"

namespace resident {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool is_printable(char c) {
  return c >= 0x20 && c <= 0x7e;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alpha(char c) {
  return ascii_is_upper(c) || ascii_is_lower(c);
}

enum class Membership { kIn, kOut, kUnknownClass };

// Whether `c` is in the POSIX class `name`. With ignore_case `c` is already folded. git's own ctype
// does not count vertical tab or form feed as space.
Membership posix_class(std::string_view name, char c, bool ignore_case) {
  auto answer = [](bool in) { return in ? Membership::kIn : Membership::kOut; };
  if (name == "alnum") return answer(is_alpha(c) || is_digit(c));
  if (name == "alpha") return answer(is_alpha(c));
  if (name == "blank") return answer(c == ' ' || c == '\t');
  if (name == "cntrl") return answer(static_cast<uint8_t>(c) < 0x20 || c == 0x7f);
  if (name == "digit") return answer(is_digit(c));
  if (name == "graph") return answer(is_printable(c) && c != ' ');
  if (name == "lower") return answer(ascii_is_lower(c));
  if (name == "print") return answer(is_printable(c));
  if (name == "punct") return answer(is_printable(c) && c != ' ' && !is_alpha(c) && !is_digit(c));
  if (name == "space") return answer(c == ' ' || c == '\t' || c == '\n' || c == '\r');
  if (name == "upper") return answer(ascii_is_upper(c) || (ignore_case && ascii_is_lower(c)));
  if (name == "xdigit") {
    char lower = ascii_lower(c);
    return answer(is_digit(c) || (lower >= 'a' && lower <= 'f'));
  }
  return Membership::kUnknownClass;
}

bool in_range(char c, char first, char last, bool ignore_case) {
  auto within = [&](char x) {
    auto u = static_cast<uint8_t>(x);
    return u >= static_cast<uint8_t>(first) && u <= static_cast<uint8_t>(last);
  };
  return within(c) || (ignore_case && ascii_is_lower(c) && within(ascii_upper(c)));
}

struct Bracket {
  bool matched = false;
  size_t end = kNone;  // after the closing bracket; kNone: malformed pattern
};

// Matches `c` against the bracket expression whose '[' is at `start`. With ignore_case `c` is
// already folded.
Bracket match_bracket(std::string_view pattern, size_t start, char c, bool ignore_case) {
  size_t p = start + 1;
  bool negated = p < pattern.size() && (pattern[p] == '!' || pattern[p] == '^');
  if (negated) ++p;
  bool found = false;
  bool has_previous = false;  // whether `previous` may begin a range
  char previous = 0;
  for (bool first = true;; first = false) {
    if (p >= pattern.size()) return {};
    char item = pattern[p];
    if (item == ']' && !first) break;
    if (item == '\\') {
      if (++p >= pattern.size()) return {};
      previous = pattern[p];
      has_previous = true;
      found |= c == previous;
    } else if (item == '-' && has_previous && p + 1 < pattern.size() && pattern[p + 1] != ']') {
      char last = pattern[++p];
      if (last == '\\') {
        if (++p >= pattern.size()) return {};
        last = pattern[p];
      }
      found |= in_range(c, previous, last, ignore_case);
      has_previous = false;
    } else if (item == '[' && p + 1 < pattern.size() && pattern[p + 1] == ':') {
      size_t name = p + 2;
      size_t close = pattern.find(']', name);
      if (close == kNone) return {};
      if (close == name || pattern[close - 1] != ':') {
        // Without ":]" this is an ordinary '['.
        found |= c == '[';
        previous = '[';
        has_previous = true;
      } else {
        Membership membership = posix_class(pattern.substr(name, close - 1 - name), c, ignore_case);
        if (membership == Membership::kUnknownClass) return {};
        found |= membership == Membership::kIn;
        has_previous = false;
        p = close;
      }
    } else {
      found |= c == item;
      previous = item;
      has_previous = true;
    }
    ++p;
  }
  return {found != negated, p + 1};
}

// A star that may still match more of the text.
struct Retry {
  size_t pattern = kNone;  // position after the star
  size_t text = 0;         // text position of the last try
};

// Two retry positions are enough. A later `**` replaces the earlier one: the part between them was
// matched at its earliest possible end. Any text after a later end is also allowed after an earlier
// end. The same holds for `*` within one directory level, and '/' ends its reach.
class Matcher {
 public:
  Matcher(std::string_view pattern, std::string_view text, WildmatchOptions options)
      : pattern_(pattern), text_(text), options_(options) {}

  bool run() {
    for (;;) {
      switch (step()) {
        case Step::kAdvanced:
          break;
        case Step::kMatched:
          return true;
        case Step::kMalformed:
          return false;
        case Step::kMismatch:
          if (!retry()) return false;
          break;
      }
    }
  }

 private:
  enum class Step { kAdvanced, kMatched, kMismatch, kMalformed };

  char folded(char c) const { return options_.ignore_case ? ascii_lower(c) : c; }

  Step step() {
    if (p_ == pattern_.size()) return t_ == text_.size() ? Step::kMatched : Step::kMismatch;
    char item = pattern_[p_];
    if (item == '*') return star();
    if (t_ == text_.size()) return Step::kMismatch;
    char c = folded(text_[t_]);
    size_t next = p_ + 1;
    bool matched;
    if (item == '[') {
      Bracket bracket = match_bracket(pattern_, p_, c, options_.ignore_case);
      if (bracket.end == kNone) return Step::kMalformed;
      matched = bracket.matched && !(options_.pathname && c == '/');
      next = bracket.end;
    } else if (item == '?') {
      matched = !(options_.pathname && c == '/');
    } else if (item == '\\') {
      if (next == pattern_.size()) return Step::kMalformed;
      matched = c == pattern_[next];
      ++next;
    } else {
      matched = c == folded(item);
    }
    if (!matched) return Step::kMismatch;
    p_ = next;
    ++t_;
    return Step::kAdvanced;
  }

  Step star() {
    size_t first = p_;
    while (p_ < pattern_.size() && pattern_[p_] == '*') ++p_;
    std::string_view rest = pattern_.substr(p_);
    bool slash_follows = rest.starts_with('/');
    bool crosses_slashes = true;
    if (options_.pathname) {
      crosses_slashes = p_ - first > 1 && (first == 0 || pattern_[first - 1] == '/') &&
                        (rest.empty() || slash_follows || rest.starts_with("\\/"));
    }
    if (rest.empty()) {
      bool takes_all = crosses_slashes || text_.find('/', t_) == kNone;
      return takes_all ? Step::kMatched : Step::kMismatch;
    }
    if (!crosses_slashes) {
      star_ = {p_, t_};
      return Step::kAdvanced;
    }
    // `**/` matches nothing or whole directories. The rest of the pattern is tried here and after
    // each further slash.
    whole_directories_ = options_.pathname && slash_follows;
    if (whole_directories_) ++p_;
    double_star_ = {p_, t_};
    star_ = {};
    return Step::kAdvanced;
  }

  bool retry() {
    if (star_.pattern != kNone && star_.text < text_.size() && text_[star_.text] != '/') {
      t_ = ++star_.text;
      p_ = star_.pattern;
      return true;
    }
    if (double_star_.pattern == kNone) return false;
    if (whole_directories_) {
      size_t slash = text_.find('/', double_star_.text);
      if (slash == kNone) return false;
      double_star_.text = slash + 1;
    } else {
      if (double_star_.text == text_.size()) return false;
      ++double_star_.text;
    }
    t_ = double_star_.text;
    p_ = double_star_.pattern;
    star_ = {};
    return true;
  }

  const std::string_view pattern_;
  const std::string_view text_;
  const WildmatchOptions options_;
  size_t p_ = 0;
  size_t t_ = 0;
  Retry star_;         // the last star that cannot match '/'
  Retry double_star_;  // the last star that can match '/'
  bool whole_directories_ = false;
};

}  // namespace

bool wildmatch(std::string_view pattern, std::string_view text, WildmatchOptions options) {
  return Matcher(pattern, text, options).run();
}

}  // namespace resident
