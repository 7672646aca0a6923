#include "prompt/prompt_format.h"

#include <optional>
#include <utility>

namespace resident {

namespace {

constexpr size_t kShortId = 7;

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(uint64_t value) {
  return std::to_string(value);
}

std::optional<std::string> field(const PromptStatus& status, std::string_view wanted) {
  if (wanted == "head") {
    return status.branch.empty() ? status.commit.substr(0, kShortId) : status.branch;
  }
  std::optional<std::string> found;
  const auto look = [&](std::string_view name, const auto& value) {
    if (name == wanted) found = text_of(value);
  };
  visit_prompt_fields(status, look);
  visit_description_fields(status, look);
  return found;
}

void append_for(PromptReader reader, std::string_view text, std::string& out) {
  const char doubled = reader == PromptReader::kZsh ? '%' : '#';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(byte < 0x20 || byte == 0x7f ? '?' : c);
    if (reader != PromptReader::kPlain && c == doubled) out.push_back(c);
  }
}

Error malformed(const std::string& what) {
  return Error{ErrorCode::kInvalid, "--format: " + what};
}

}  // namespace

Result<PromptFormat> PromptFormat::parse(std::string_view text) {
  PromptFormat format;
  while (!text.empty()) {
    Part part;
    const size_t percent = text.find('%');
    part.before = text.substr(0, percent);
    if (percent == std::string_view::npos) {
      format.parts_.push_back(std::move(part));
      break;
    }
    text.remove_prefix(percent + 1);
    if (text.starts_with('%')) {
      part.before.push_back('%');
      text.remove_prefix(1);
      format.parts_.push_back(std::move(part));
      continue;
    }
    if (!part.before.empty()) format.parts_.push_back(std::exchange(part, {}));
    const size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) {
      return malformed("each % must begin %(name) or %%");
    }
    const std::string_view inner = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    const size_t name_end = inner.find_first_of(":?");
    part.name = inner.substr(0, name_end);
    if (!field({}, part.name)) return malformed("unknown field '" + part.name + "'");
    part.always = name_end == std::string_view::npos;
    if (!part.always) {
      const std::string_view rest = inner.substr(name_end + 1);
      part.shows_value = inner[name_end] == ':';
      const size_t colon = part.shows_value ? rest.find(':') : std::string_view::npos;
      part.before = rest.substr(0, colon);
      if (colon != std::string_view::npos) part.after = rest.substr(colon + 1);
    }
    format.parts_.push_back(std::move(part));
  }
  return format;
}

void PromptFormat::add_needs(PromptQuery& query) const {
  query.tag = false;
  for (const Part& part : parts_) {
    query.tag |= part.name == "tag";
    query.describe |= part.name == "describe";
    query.describe_tags |=
        part.name == "describe-tags" || part.name == "nearest-tag" || part.name == "tag-distance";
  }
}

std::string PromptFormat::print(const PromptStatus& status, PromptReader reader) const {
  std::string out;
  for (const Part& part : parts_) {
    const std::string value = part.name.empty() ? "" : *field(status, part.name);
    const bool is_set = !value.empty() && value != "0";
    if (!part.name.empty() && !part.always && !is_set) continue;
    out += part.before;
    if (part.shows_value) append_for(reader, value, out);
    out += part.after;
  }
  return out;
}

}  // namespace resident
