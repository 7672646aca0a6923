#include "history/commit_summary.h"

#include "base/cut_text.h"

namespace resident {

namespace {

std::string_view without_trailing_space(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r\n");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

CommitSummary commit_summary(std::string_view content) {
  constexpr std::string_view kEncoding = "encoding ";
  CommitSummary summary;
  bool is_encoded = false;
  while (!content.empty()) {
    const std::string_view line = cut(content, '\n');
    if (line.empty()) break;
    if (!is_encoded && line.starts_with(kEncoding)) {
      is_encoded = true;
      summary.encoding = line.substr(kEncoding.size());
    }
  }
  // git reads a message up to its first NUL.
  content = content.substr(0, content.find('\0'));
  while (!content.empty()) {
    const std::string_view line = without_trailing_space(cut(content, '\n'));
    if (line.empty()) {
      if (summary.text.empty()) continue;
      break;
    }
    if (!summary.text.empty()) summary.text.push_back(' ');
    summary.text += line;
  }
  return summary;
}

}  // namespace resident
