#include "attributes/attribute_file.h"

#include <algorithm>
#include <utility>

#include "base/c_quote.h"
#include "pattern/attribute_demand.h"

namespace resident {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";
constexpr std::string_view kMacroPrefix = "[attr]";
// git's own limits. It ignores longer lines and larger files.
constexpr size_t kLineLimit = 2048;
constexpr size_t kFileLimit = 100 * 1024 * 1024;

std::string_view without_leading_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
}

// The text before the first blank.
std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(kBlank));
}

}  // namespace

std::shared_ptr<const AttributeFile> AttributeFile::parse(std::string content, std::string base,
                                                          AttributeSource source) {
  const bool too_large = content.size() >= kFileLimit;
  if (too_large) content.clear();
  std::shared_ptr<AttributeFile> file(
      new AttributeFile(std::move(content), std::move(base), source));
  file->git_complains_ |= too_large;
  return file;
}

AttributeFile::AttributeFile(std::string content, std::string base, AttributeSource source)
    : content_(std::move(content)), base_(std::move(base)), source_(source) {
  const bool from_file = source != AttributeSource::kIndex;
  std::string_view rest = content_;
  uint32_t number = 0;
  if (from_file && rest.starts_with(kUtf8Bom)) rest.remove_prefix(kUtf8Bom.size());
  if (!from_file) rest = rest.substr(0, rest.find('\0'));
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const bool terminated = end < rest.size();
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(terminated ? end + 1 : end);
    if (from_file && terminated && line.ends_with('\r')) line.remove_suffix(1);
    git_complains_ |= !add_line(line.substr(0, line.find('\0')), ++number);
  }
}

bool AttributeFile::add_line(std::string_view line, uint32_t number) {
  std::string_view text = without_leading_blanks(line);
  if (text.empty() || text.front() == '#') return true;
  if (line.size() >= kLineLimit) return false;

  std::string_view name = first_word(text);
  std::string_view states = text.substr(name.size());
  if (auto unquoted = unquote_c_style(text)) {
    states = text.substr(unquoted->end);
    // git's patterns end at a NUL.
    unquoted->text.resize(std::min(unquoted->text.find('\0'), unquoted->text.size()));
    name = unquoted_.emplace_back(std::move(unquoted->text));
  }

  const bool is_macro = name.size() > kMacroPrefix.size() && name.starts_with(kMacroPrefix);
  PathPattern pattern;
  if (is_macro) {
    name = first_word(without_leading_blanks(name.substr(kMacroPrefix.size())));
    if (!base_.empty() || !is_valid_attribute_name(name)) return false;
  } else {
    pattern = parse_path_pattern(name);
    if (pattern.negative) return false;
  }

  const auto first = static_cast<uint32_t>(assignments_.size());
  if (!add_assignments(states)) {
    assignments_.resize(first);
    return false;
  }
  const auto count = static_cast<uint32_t>(assignments_.size()) - first;
  if (is_macro) {
    macros_.push_back({name, first, count});
  } else if (!pattern.text.empty()) {
    rules_.push_back({pattern, first, count, number, name});
  }
  return true;
}

// Returns false if a name is invalid.
bool AttributeFile::add_assignments(std::string_view text) {
  for (text = without_leading_blanks(text); !text.empty(); text = without_leading_blanks(text)) {
    const std::string_view word = first_word(text);
    text.remove_prefix(word.size());
    const size_t equals = word.find('=');
    Assignment assignment{word.substr(0, equals), {}};
    // A sign wins over a value: "-name=value" unsets.
    if (word.front() == '-' || word.front() == '!') {
      assignment.name.remove_prefix(1);
      if (word.front() == '-') assignment.value = {AttributeState::kUnset};
    } else if (equals == std::string_view::npos) {
      assignment.value = {AttributeState::kSet};
    } else {
      assignment.value = {AttributeState::kValue, word.substr(equals + 1)};
    }
    if (!is_valid_attribute_name(assignment.name)) return false;
    assignments_.push_back(assignment);
  }
  return true;
}

}  // namespace resident
