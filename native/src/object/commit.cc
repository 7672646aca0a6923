#include "object/commit.h"

#include <limits>
#include <optional>

namespace resident {

namespace {

// Consumes "<keyword> <hex id>\n" from the front of `rest`; nullopt, with `rest` as it was, where
// the line has another form.
std::optional<ObjectId> parse_id_line(std::string_view& rest, std::string_view keyword,
                                      HashAlgorithm algorithm) {
  const size_t hex_size = 2 * hash_size(algorithm);
  const size_t length = keyword.size() + 1 + hex_size;
  if (rest.size() <= length || !rest.starts_with(keyword) || rest[keyword.size()] != ' ' ||
      rest[length] != '\n') {
    return std::nullopt;
  }
  auto id = ObjectId::from_hex(rest.substr(keyword.size() + 1, hex_size));
  if (id) rest.remove_prefix(length + 1);
  return id;
}

// The number at the front of `text`; saturates, as git's strtoumax does.
uint64_t leading_number(std::string_view text) {
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  size_t at = text.find_first_not_of(" \t");
  uint64_t value = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    const uint64_t digit = static_cast<uint64_t>(text[at] - '0');
    if (value > (kMax - digit) / 10) return kMax;
    value = value * 10 + digit;
  }
  return value;
}

// The date of the line at the front of `rest`, behind the first '>'.
uint64_t time_of_person(std::string_view rest) {
  const size_t email_end = rest.find('>');
  if (email_end == std::string_view::npos) return 0;
  rest.remove_prefix(email_end + 1);
  const size_t line_end = rest.find('\n');
  if (line_end == std::string_view::npos) return 0;
  return leading_number(rest.substr(0, line_end));
}

// `rest` starts at the author line. The date follows the first '>' after "committer".
uint64_t committer_time(std::string_view rest) {
  if (!rest.starts_with("author")) return 0;
  const size_t author_end = rest.find('\n');
  if (author_end == std::string_view::npos) return 0;
  rest.remove_prefix(author_end + 1);
  return rest.starts_with("committer") ? time_of_person(rest) : 0;
}

}  // namespace

Result<CommitHeader> parse_commit(std::string_view content, HashAlgorithm algorithm) {
  CommitHeader header;
  auto tree = parse_id_line(content, "tree", algorithm);
  if (!tree) return corrupt("bad tree pointer in commit");
  header.tree = *tree;
  while (content.starts_with("parent ")) {
    auto parent = parse_id_line(content, "parent", algorithm);
    if (!parent) return corrupt("bad parents in commit");
    header.parents.push_back(*parent);
  }
  header.committer_time = committer_time(content);
  return header;
}

Result<TagHeader> parse_tag(std::string_view content, HashAlgorithm algorithm) {
  TagHeader header;
  auto object = parse_id_line(content, "object", algorithm);
  if (!object) return corrupt("bad object pointer in tag");
  header.object = *object;
  constexpr std::string_view kType = "type ";
  const size_t line_end = content.find('\n');
  if (!content.starts_with(kType) || line_end == std::string_view::npos) {
    return corrupt("missing type in tag");
  }
  auto type = object_type_from_name(content.substr(kType.size(), line_end - kType.size()));
  if (!type) return corrupt("unknown type in tag");
  header.type = *type;
  content.remove_prefix(line_end + 1);
  constexpr std::string_view kName = "tag ";
  const size_t name_end = content.find('\n');
  if (!content.starts_with(kName) || name_end == std::string_view::npos) return header;
  header.name = content.substr(kName.size(), name_end - kName.size());
  content.remove_prefix(name_end + 1);
  if (content.starts_with("tagger ")) header.tagger_time = time_of_person(content);
  return header;
}

}  // namespace resident
