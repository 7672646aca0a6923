// Requests and responses of gitstatusd's protocol.
//
//   request    id US directory [US 0|1] RS     1: nothing that takes the index
//   response   id US 0 RS                      no repository, or none that can be answered for
//              id US 1 {US field}*27 RS        the fields of PromptStatus
//
// RS is ASCII 30, US is ASCII 31. A directory that begins with ':' names a git directory. The hello
// of the plugins is a request with an empty directory. Control characters in a response become '?',
// so that no name takes a response apart or reaches a terminal as a command.
//
// Source: the protocol that `gitstatusd --help` of version 1.5.5 documents.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "prompt/prompt_status.h"

namespace resident {

inline constexpr char kRecordSeparator = '\x1e';
inline constexpr char kUnitSeparator = '\x1f';

struct PromptRequest {
  std::string id;
  std::string directory;    // as it was sent, without the ':'
  bool is_git_dir = false;  // it began with ':'
  bool index = true;
  friend bool operator==(const PromptRequest&, const PromptRequest&) = default;
};

// `record` without its RS. kInvalid, for people, where it is none of the protocol.
Result<PromptRequest> parse_prompt_request(std::string_view record);

// The id of a record that is malformed otherwise; nullopt where it has none to be answered by.
std::optional<std::string> request_id(std::string_view record);

// Takes a stream of bytes apart at RS. A record that is longer than kLongest is cut there, and
// said so; nothing grows beyond that.
class PromptRequestReader {
 public:
  static constexpr size_t kLongest = 64 * 1024;

  struct Record {
    std::string bytes;
    bool is_cut = false;
  };

  void add(std::string_view bytes) { unread_ = bytes; }
  // The next record of what was added; nullopt where none is whole, and more can be added.
  std::optional<Record> next();

 private:
  std::string_view unread_;  // the caller's, until next() gave nullopt
  Record begun_;
};

std::string prompt_response(std::string_view id, const PromptStatus& status);
std::string no_repository_response(std::string_view id);

}  // namespace resident
