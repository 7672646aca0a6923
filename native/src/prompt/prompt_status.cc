#include "prompt/prompt_status.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "base/cut_text.h"

namespace resident {

namespace {

constexpr bool PromptQuery::*kParts[] = {&PromptQuery::index, &PromptQuery::recurse_untracked,
                                         &PromptQuery::ignore_status_show_untracked,
                                         &PromptQuery::ignore_bash_show_untracked,
                                         &PromptQuery::ignore_bash_show_dirty};
constexpr bool PromptQuery::*kTagParts[] = {&PromptQuery::tag, &PromptQuery::describe,
                                            &PromptQuery::describe_tags};

// NUL ends a field, so no field can contain it.
void add_field(std::string& out, const std::string& value) {
  for (const char c : value) {
    if (c != '\0') out.push_back(c);
  }
  out.push_back('\0');
}
void add_field(std::string& out, uint64_t value) {
  add_field(out, std::to_string(value));
}

bool parse_value(std::string_view text, std::string& value) {
  value = text;
  return true;
}
bool parse_value(std::string_view text, uint64_t& value) {
  return parse_number(text, value);
}

bool is_described(const PromptStatus& status) {
  bool any = false;
  const auto note = [&](std::string_view, const auto& value) {
    any |= value != std::remove_cvref_t<decltype(value)>();
  };
  visit_description_fields(status, note);
  return any;
}

}  // namespace

std::string encode_prompt_query(const PromptQuery& query) {
  std::string text;
  for (const auto part : kParts) text.push_back(query.*part ? '1' : '0');
  constexpr PromptQuery kDefault;
  const bool is_default = std::all_of(std::begin(kTagParts), std::end(kTagParts),
                                      [&](auto part) { return query.*part == kDefault.*part; });
  if (is_default) return text;
  for (const auto part : kTagParts) text.push_back(query.*part ? '1' : '0');
  return text;
}

Result<PromptQuery> decode_prompt_query(std::string_view text) {
  PromptQuery query;
  const bool has_tag_parts = text.size() == std::size(kParts) + std::size(kTagParts);
  if (!has_tag_parts && text.size() != std::size(kParts))
    return corrupt("socket: malformed prompt query");
  if (text.find_first_not_of("01") != std::string_view::npos)
    return corrupt("socket: malformed prompt query");
  size_t at = 0;
  for (const auto part : kParts) query.*part = text[at++] == '1';
  if (!has_tag_parts) return query;
  for (const auto part : kTagParts) query.*part = text[at++] == '1';
  return query;
}

std::string encode_prompt_status(const PromptStatus& status) {
  std::string out;
  const auto add = [&](std::string_view, const auto& value) { add_field(out, value); };
  visit_prompt_fields(status, add);
  if (is_described(status)) visit_description_fields(status, add);
  return out;
}

Result<PromptStatus> decode_prompt_status(std::string_view bytes) {
  PromptStatus status;
  bool well_formed = true;
  const auto take = [&](std::string_view, auto& value) {
    const size_t end = bytes.find('\0');
    well_formed =
        well_formed && end != std::string_view::npos && parse_value(bytes.substr(0, end), value);
    if (well_formed) bytes.remove_prefix(end + 1);
  };
  visit_prompt_fields(status, take);
  if (well_formed && !bytes.empty()) visit_description_fields(status, take);
  if (!well_formed || !bytes.empty()) return corrupt("socket: malformed prompt status");
  return status;
}

}  // namespace resident
