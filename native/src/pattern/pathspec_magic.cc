#include "pattern/pathspec_magic.h"

#include <optional>
#include <utility>

namespace resident {
namespace {

// The punctuation that is a short form of magic, or is reserved for that.
constexpr std::string_view kReservedMnemonics = "!\"#%&',-/:;<=>@_`~";

Error invalid(std::string_view argument, std::string_view reason) {
  return {ErrorCode::kInvalid, "pathspec '" + std::string(argument) + "': " + std::string(reason)};
}

// The length of the word at the start of `text`. The word ends before an unescaped ',' or ')'.
size_t word_length(std::string_view text) {
  size_t i = 0;
  while (i < text.size() && text[i] != ',' && text[i] != ')') {
    i += text[i] == '\\' && i + 1 < text.size() ? 2 : 1;
  }
  return i;
}

// Applies a magic word. Returns the error for an invalid word, else nullopt.
std::optional<Error> apply_word(std::string_view word, std::string_view argument,
                                PathspecMagic& magic) {
  if (word == "top") {
    magic.top = true;
  } else if (word == "literal") {
    magic.literal = true;
  } else if (word == "glob") {
    magic.glob = true;
  } else if (word == "icase") {
    magic.ignore_case = true;
  } else if (word == "exclude") {
    magic.exclude = true;
  } else if (word.starts_with("attr:")) {
    if (magic.attributes) return invalid(argument, "only one 'attr:' is allowed");
    auto demands = parse_attribute_demands(word.substr(5));
    if (!demands.ok()) return std::move(demands).error();
    magic.attributes = std::move(demands).value();
  } else if (word.starts_with("prefix:")) {
    return Error{ErrorCode::kUnsupported, "pathspec '" + std::string(argument) + "': the magic '" +
                                              std::string(word) + "' is left to git"};
  } else {
    return invalid(argument, "unknown magic '" + std::string(word) + "'");
  }
  return std::nullopt;
}

Result<PathspecMagic> parse_long_magic(std::string_view argument) {
  PathspecMagic magic;
  std::string_view rest = argument.substr(2);
  for (;;) {
    size_t length = word_length(rest);
    if (length >= rest.size()) return invalid(argument, "missing ')' at the end of its magic");
    if (length > 0) {
      if (auto error = apply_word(rest.substr(0, length), argument, magic)) return *error;
    }
    bool ends = rest[length] == ')';
    rest.remove_prefix(length + 1);
    if (ends) break;
  }
  magic.path = rest;
  return magic;
}

Result<PathspecMagic> parse_short_magic(std::string_view argument) {
  PathspecMagic magic;
  size_t i = 1;
  for (; i < argument.size() && argument[i] != ':'; ++i) {
    if (argument[i] == '!' || argument[i] == '^') {
      magic.exclude = true;
    } else if (argument[i] == '/') {
      magic.top = true;
    } else if (kReservedMnemonics.find(argument[i]) != std::string_view::npos) {
      return invalid(argument, std::string("unknown magic '") + argument[i] + "'");
    } else {
      break;
    }
  }
  if (i < argument.size() && argument[i] == ':') ++i;
  magic.path = argument.substr(i);
  return magic;
}

}  // namespace

Result<PathspecMagic> parse_pathspec_magic(std::string_view argument,
                                           const PathspecSettings& settings) {
  PathspecMagic magic;
  magic.path = argument;
  if (argument.starts_with(':') && !settings.literal) {
    auto parsed =
        argument.starts_with(":(") ? parse_long_magic(argument) : parse_short_magic(argument);
    if (!parsed.ok()) return parsed;
    magic = std::move(parsed).value();
  }
  if (settings.glob && settings.noglob) {
    return invalid(argument, "the global glob and noglob settings are incompatible");
  }
  // A word of the element overrides the opposite setting of the environment.
  const bool global_glob = settings.glob && !magic.literal;
  const bool global_noglob = settings.noglob && !magic.glob;
  if (settings.literal && (global_glob || settings.ignore_case)) {
    return invalid(argument, "the global literal setting is incompatible with all others");
  }
  magic.glob |= global_glob;
  magic.literal |= settings.literal || global_noglob;
  magic.ignore_case |= settings.ignore_case;
  if (magic.literal && magic.glob) {
    return invalid(argument, "'literal' and 'glob' are incompatible");
  }
  return magic;
}

}  // namespace resident
