#include "porcelain/porcelain.h"

#include "porcelain/long_format.h"
#include "porcelain/porcelain_writer.h"

namespace resident {

const char* conflict_letters(int stage_mask) {
  constexpr const char* kLetters[] = {"??", "DD", "AU", "UD", "UA", "DU", "AA", "UU"};
  return kLetters[stage_mask & 7];
}

void PorcelainWriter::colored(std::string_view color, std::string_view text) {
  out_ += color;
  out_ += text;
  if (!color.empty()) out_ += "\033[m";
}

void PorcelainWriter::path(std::string_view path, QuoteSpaces spaces) {
  if (options_.null_terminated) {
    out_ += path;
  } else if (options_.prefix.empty() || options_.format == StatusFormat::kPorcelainV1) {
    append_quoted(out_, path, options_.quote_high_bytes, spaces);
  } else {
    append_quoted(out_, relative_path(path, options_.prefix), options_.quote_high_bytes, spaces);
  }
}

void PorcelainWriter::mode(uint32_t mode) {
  char digits[6];
  for (int i = 5; i >= 0; --i) {
    digits[i] = static_cast<char>('0' + (mode & 7));
    mode >>= 3;
  }
  out_.append(digits, sizeof digits);
}

void PorcelainWriter::id(const ObjectId& id) {
  if (id.is_null()) {
    out_.append(2 * hash_size(options_.algorithm), '0');
  } else {
    out_ += id.hex();
  }
}

namespace {

// An upper bound for paths from the root without escapes, without colours. In the long format it
// is only an estimate.
size_t expected_size(const StatusResult& status, const PrintOptions& options) {
  constexpr size_t kHeaders = 512;
  // Letters, modes, separators, quotes and ids of a row.
  constexpr size_t kOther = 6;
  size_t tracked = 24;
  if (options.format == StatusFormat::kPorcelainV2) {
    tracked = 64 + 6 * hash_size(options.algorithm);
  }
  size_t size = kHeaders;
  for (const ChangedEntry& entry : status.changed) {
    size += entry.path.size() + entry.from.size() + tracked;
  }
  for (const UnmergedEntry& entry : status.unmerged) size += entry.path.size() + tracked;
  for (const std::string& path : status.untracked) size += path.size() + kOther;
  for (const std::string& path : status.ignored) size += path.size() + kOther;
  return size;
}

}  // namespace

void append_status(std::string& out, const StatusResult& status, const PrintOptions& options) {
  out.reserve(out.size() + expected_size(status, options));
  if (options.format == StatusFormat::kLong) return print_long(status, options, out);
  PorcelainWriter writer(options, out);
  if (options.format == StatusFormat::kPorcelainV2) {
    print_v2(status, writer);
  } else {
    print_short(status, writer);
  }
}

std::string print_status(const StatusResult& status, const PrintOptions& options) {
  std::string out;
  append_status(out, status, options);
  return out;
}

}  // namespace resident
