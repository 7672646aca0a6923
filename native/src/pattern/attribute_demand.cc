#include "pattern/attribute_demand.h"

#include <algorithm>
#include <utility>

namespace resident {
namespace {

using State = AttributeDemand::State;

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

Error invalid(std::string_view word) {
  return {ErrorCode::kInvalid, "pathspec magic 'attr': '" + std::string(word) + "' is not valid"};
}

// A backslash quotes the next character. Only a few characters are allowed.
Result<std::string> unescape_value(std::string_view text) {
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && ++i == text.size()) return invalid(text);
    const char c = text[i];
    if (!is_alphanumeric(c) && c != ',' && c != '-' && c != '_') return invalid(text);
    value += c;
  }
  return value;
}

Result<AttributeDemand> parse_demand(std::string_view word) {
  AttributeDemand demand;
  std::string_view name = word;
  if (word.front() == '!' || word.front() == '-') {
    demand.state = word.front() == '!' ? State::kUnspecified : State::kUnset;
    name.remove_prefix(1);
  } else if (const size_t equals = word.find('='); equals != std::string_view::npos) {
    demand.state = State::kValue;
    name = word.substr(0, equals);
    RESIDENT_TRY(demand.value, unescape_value(word.substr(equals + 1)));
  } else {
    demand.state = State::kSet;
  }
  if (!is_valid_attribute_name(name)) return invalid(word);
  demand.name = name;
  return demand;
}

}  // namespace

bool is_valid_attribute_name(std::string_view name) {
  // Names reserved since git 2.44. git defines one of them and warns about the others.
  if (name.starts_with("builtin_")) return false;
  return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '.' || c == '_';
  });
}

Result<std::vector<AttributeDemand>> parse_attribute_demands(std::string_view words) {
  if (words.empty()) return invalid(words);
  std::vector<AttributeDemand> demands;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(word.size() + 1, words.size()));
    if (word.empty()) continue;
    RESIDENT_TRY(AttributeDemand demand, parse_demand(word));
    demands.push_back(std::move(demand));
  }
  return demands;
}

}  // namespace resident
