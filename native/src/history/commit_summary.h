// The first paragraph of a commit's message.
//
// Source: git's pretty.c (format_subject, get_header), as `git log --format=%s` prints it without
// re-encoding.
#pragma once

#include <string>
#include <string_view>

namespace resident {

struct CommitSummary {
  std::string encoding;  // that the commit names; empty: UTF-8
  std::string text;      // its lines joined by spaces
  friend bool operator==(const CommitSummary&, const CommitSummary&) = default;
};

// `content` is a commit object's content, whatever is in it.
CommitSummary commit_summary(std::string_view content);

}  // namespace resident
