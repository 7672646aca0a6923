#include "porcelain/option_parser.h"

namespace resident {

namespace {

// How well an argument matches an option's name.
enum class Match : uint8_t { kNone, kAbbreviated, kExact };

struct Naming {
  Match match = Match::kNone;
  bool negated = false;
};

// Matches one spelling of an option with the argument. `name` is the argument before '=', without
// dashes.
Match match_spelling(std::string_view spelling, std::string_view name) {
  if (name == spelling) return Match::kExact;
  return spelling.starts_with(name) ? Match::kAbbreviated : Match::kNone;
}

// `argument` has no dashes but has its "=value". Negated spellings can be abbreviated only without
// a value.
Naming match_option(const OptionSpec& spec, std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  const bool has_value = name.size() != argument.size();
  if (Match match = match_spelling(spec.name, name); match != Match::kNone) return {match, false};
  if (!spec.negatable) return {};

  constexpr std::string_view kNo = "no-";
  if (kNo.starts_with(argument)) return {Match::kAbbreviated, true};
  if (argument.starts_with(kNo)) {
    Match match = match_spelling(spec.name, name.substr(kNo.size()));
    if (match == Match::kAbbreviated && has_value) match = Match::kNone;
    return {match, true};
  }
  if (!spec.name.starts_with(kNo)) return {};
  return {match_spelling(spec.name.substr(kNo.size()), name), true};
}

class Parser {
 public:
  explicit Parser(std::span<const OptionSpec> specs) : specs_(specs) {}

  std::optional<GivenArguments> parse(const std::vector<std::string>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::string_view argument = arguments[i];
      if (argument == "--" || argument == "--end-of-options") {
        given_.operands.insert(given_.operands.end(),
                               arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                               arguments.end());
        break;
      }
      if (argument.size() < 2 || argument[0] != '-') {
        given_.operands.emplace_back(argument);
      } else if (argument[1] == '-' ? !long_option(argument.substr(2))
                                    : !letters(argument.substr(1))) {
        return std::nullopt;
      }
    }
    return std::move(given_);
  }

 private:
  // An exact name wins anywhere in the table. An abbreviation must be the only match.
  bool long_option(std::string_view argument) {
    const OptionSpec* abbreviated = nullptr;
    bool negated = false;
    int candidates = 0;
    for (const OptionSpec& spec : specs_) {
      Naming naming = match_option(spec, argument);
      if (naming.match == Match::kExact) return give(spec, naming.negated, argument);
      if (naming.match == Match::kNone) continue;
      abbreviated = &spec;
      negated = naming.negated;
      ++candidates;
    }
    return candidates == 1 && give(*abbreviated, negated, argument);
  }

  bool give(const OptionSpec& spec, bool negated, std::string_view argument) {
    GivenOption given{spec.id, negated};
    if (size_t equals = argument.find('='); equals != std::string_view::npos) {
      if (negated || spec.value == OptionSpec::Value::kNone) return false;
      given.value = argument.substr(equals + 1);
    }
    given_.options.push_back(std::move(given));
    return true;
  }

  bool letters(std::string_view cluster) {
    std::string_view rest = cluster;
    while (!rest.empty()) {
      const OptionSpec* spec = find_letter(rest.front());
      if (!spec) return false;
      rest.remove_prefix(1);
      GivenOption given{spec->id};
      if (spec->value == OptionSpec::Value::kOptional && !rest.empty()) {
        given.value = rest;
        rest = {};
      }
      given_.options.push_back(std::move(given));
      bool first = rest.size() + 1 == cluster.size();
      if (first && looks_like_name(cluster)) return false;
    }
    return true;
  }

  // "-short": git takes it for a long option with a missing dash.
  bool looks_like_name(std::string_view cluster) const {
    if (cluster.size() < 3) return false;
    if (cluster.starts_with("no-")) return true;
    for (const OptionSpec& spec : specs_) {
      if (spec.name.starts_with(cluster)) return true;
    }
    return false;
  }

  const OptionSpec* find_letter(char letter) const {
    for (const OptionSpec& spec : specs_) {
      if (spec.letter != 0 && spec.letter == letter) return &spec;
    }
    return nullptr;
  }

  std::span<const OptionSpec> specs_;
  GivenArguments given_;
};

}  // namespace

std::optional<GivenArguments> parse_options(std::span<const OptionSpec> specs,
                                            const std::vector<std::string>& arguments) {
  return Parser(specs).parse(arguments);
}

}  // namespace resident
