#include "history/branch_details.h"

#include "base/cut_text.h"

namespace resident {

std::optional<BranchDetails::Tag> described_tag(std::string_view line) {
  const size_t id = line.rfind("-g");
  if (id == std::string_view::npos || id == 0) return std::nullopt;
  const size_t number = line.rfind('-', id - 1);
  if (number == std::string_view::npos) return std::nullopt;
  BranchDetails::Tag tag{std::string(line.substr(0, number)), 0};
  const std::string_view digits = line.substr(number + 1, id - number - 1);
  if (!parse_number(digits, tag.distance)) return std::nullopt;
  return tag;
}

}  // namespace resident
