#include "prompt/prompt_status.h"

#include <charconv>

namespace resident {

namespace {

constexpr bool PromptQuery::*kParts[] = {&PromptQuery::index, &PromptQuery::recurse_untracked,
                                         &PromptQuery::ignore_status_show_untracked,
                                         &PromptQuery::ignore_bash_show_untracked,
                                         &PromptQuery::ignore_bash_show_dirty};

// NUL ends a field, so that none can hold it.
void add_field(std::string& out, const std::string& value) {
  for (const char c : value) {
    if (c != '\0') out.push_back(c);
  }
  out.push_back('\0');
}
void add_field(std::string& out, uint64_t value) {
  add_field(out, std::to_string(value));
}

bool take_value(std::string_view text, std::string& value) {
  value = text;
  return true;
}
bool take_value(std::string_view text, uint64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

}  // namespace

std::string encode_prompt_query(const PromptQuery& query) {
  std::string text;
  for (const auto part : kParts) text.push_back(query.*part ? '1' : '0');
  return text;
}

Result<PromptQuery> decode_prompt_query(std::string_view text) {
  PromptQuery query;
  if (text.size() != std::size(kParts)) return corrupt("socket: a malformed query of a prompt");
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '0' && text[i] != '1') return corrupt("socket: a malformed query of a prompt");
    query.*kParts[i] = text[i] == '1';
  }
  return query;
}

std::string encode_prompt_status(const PromptStatus& status) {
  std::string out;
  visit_prompt_fields(status, [&](std::string_view, const auto& value) { add_field(out, value); });
  return out;
}

Result<PromptStatus> decode_prompt_status(std::string_view bytes) {
  PromptStatus status;
  bool well_formed = true;
  visit_prompt_fields(status, [&](std::string_view, auto& value) {
    const size_t end = bytes.find('\0');
    well_formed =
        well_formed && end != std::string_view::npos && take_value(bytes.substr(0, end), value);
    if (well_formed) bytes.remove_prefix(end + 1);
  });
  if (!well_formed || !bytes.empty()) return corrupt("socket: a malformed status of a prompt");
  return status;
}

}  // namespace resident
