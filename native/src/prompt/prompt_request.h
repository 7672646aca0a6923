// Requests and responses of gitstatusd's protocol.
//
//    request    id US directory [US 0|1] RS     1: only parts that need no index
//    response   id US 0 RS                      no repository, or no answer is possible
//               id US 1 {US field}*27 RS        the fields of PromptStatus
//
// RS is ASCII 30, US is ASCII 31. A directory that begins with ':' names a git directory. The
// plugins send a request with an empty directory as their hello. Control characters in a response
// become '?'. This keeps names from splitting a response or reaching a terminal as a command.
//
// Source: the protocol in `gitstatusd --help` of version 1.5.5.
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
  std::string directory;    // the sent directory, without the ':'
  bool is_git_dir = false;  // the directory began with ':'
  bool index = true;
  friend bool operator==(const PromptRequest&, const PromptRequest&) = default;
};

// Parses `record`, which has no RS. Fails with kInvalid, with a message for people, if it is
// malformed.
Result<PromptRequest> parse_prompt_request(std::string_view record);

// The id of an otherwise malformed record. Returns nullopt if the record has no id for an answer.
std::optional<std::string> request_id(std::string_view record);

// Splits a stream of bytes at RS. A record longer than kLongest is cut to that length and marked.
// The buffer never grows beyond kLongest.
class PromptRequestReader {
 public:
  static constexpr size_t kLongest = 64 * 1024;

  struct Record {
    std::string bytes;
    bool is_cut = false;
  };

  void add(std::string_view bytes) { unread_ = bytes; }
  // Returns the next record of the added bytes. Returns nullopt if none is complete: add more
  // bytes.
  std::optional<Record> next();

 private:
  std::string_view unread_;  // the caller's bytes, until next() returns nullopt
  Record begun_;
};

std::string prompt_response(std::string_view id, const PromptStatus& status);
std::string no_repository_response(std::string_view id);

}  // namespace resident
