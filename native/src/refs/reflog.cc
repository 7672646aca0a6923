#include "refs/reflog.h"

#include <optional>

namespace resident {

namespace {

// Takes "<hex id> " off the front of `line`.
std::optional<ObjectId> parse_id(std::string_view& line, HashAlgorithm algorithm) {
  const size_t hex_size = 2 * hash_size(algorithm);
  if (line.size() <= hex_size || line[hex_size] != ' ') return std::nullopt;
  const std::optional<ObjectId> id = ObjectId::from_hex(line.substr(0, hex_size));
  line.remove_prefix(hex_size + 1);
  return id;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<ReflogEntry> parse_entry(std::string_view line, HashAlgorithm algorithm) {
  const std::optional<ObjectId> old_id = parse_id(line, algorithm);
  if (!old_id) return std::nullopt;
  const std::optional<ObjectId> new_id = parse_id(line, algorithm);
  if (!new_id) return std::nullopt;
  const size_t email_end = line.find("> ");
  if (email_end == std::string_view::npos || line.find('>') != email_end) return std::nullopt;
  line.remove_prefix(email_end + 2);
  size_t digits = 0;
  bool is_zero = true;
  for (; digits < line.size() && is_digit(line[digits]); ++digits) is_zero &= line[digits] == '0';
  line.remove_prefix(digits);
  const bool has_zone = line.size() >= 6 && line[0] == ' ' && (line[1] == '+' || line[1] == '-') &&
                        is_digit(line[2]) && is_digit(line[3]) && is_digit(line[4]) &&
                        is_digit(line[5]);
  if (digits == 0 || is_zero || !has_zone) return std::nullopt;
  line.remove_prefix(6);
  if (line.starts_with('\t')) line.remove_prefix(1);
  return ReflogEntry{*old_id, *new_id, line};
}

}  // namespace

void visit_reflog_backwards(std::string_view log, HashAlgorithm algorithm,
                            const ReflogVisitor& visit) {
  for (size_t end; (end = log.rfind('\n')) != std::string_view::npos; log = log.substr(0, end)) {
    const std::string_view before = log.substr(0, end);
    const size_t start = before.rfind('\n');
    const std::string_view line = before.substr(start == std::string_view::npos ? 0 : start + 1);
    const std::optional<ReflogEntry> entry = parse_entry(line, algorithm);
    if (entry && !visit(*entry)) return;
  }
}

}  // namespace resident
