// Helpers that the printers of the three formats share.
#pragma once

#include <string>
#include <string_view>

#include "porcelain/porcelain.h"
#include "porcelain/printed_path.h"

namespace resident {

inline constexpr uint32_t kGitlinkMode = 0160000;

// The two letters of a path with these stages (UnmergedEntry::stage_mask()). "??" if no stage is
// set.
const char* conflict_letters(int stage_mask);

class PorcelainWriter {
 public:
  PorcelainWriter(const PrintOptions& options, std::string& out) : options_(options), out_(out) {}

  const PrintOptions& options() const { return options_; }
  char end() const { return options_.null_terminated ? '\0' : '\n'; }

  void text(std::string_view text) { out_ += text; }
  void character(char c) { out_ += c; }
  void colored(std::string_view color, std::string_view text);
  // Writes the path: unchanged with -z, else relative and quoted.
  void path(std::string_view path, QuoteSpaces spaces);
  void mode(uint32_t mode);  // six octal digits
  void id(const ObjectId& id);

 private:
  const PrintOptions& options_;
  std::string& out_;
};

// The printers. Both read everything from `status`.
void print_short(const StatusResult& status, PorcelainWriter& writer);  // short and version 1
void print_v2(const StatusResult& status, PorcelainWriter& writer);

}  // namespace resident
