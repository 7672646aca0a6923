// The first paragraph of a commit's message.
//
// The format is that of `git log --format=%s`, without re-encoding. Source: git's pretty.c
// (format_subject, get_header).
#pragma once

#include <string>
#include <string_view>

namespace resident {

struct CommitSummary {
  std::string encoding;  // from the commit's header; empty: UTF-8
  std::string text;      // its lines joined by spaces
  friend bool operator==(const CommitSummary&, const CommitSummary&) = default;
};

// `content` is the content of a commit object. Any bytes are allowed.
CommitSummary commit_summary(std::string_view content);

}  // namespace resident
