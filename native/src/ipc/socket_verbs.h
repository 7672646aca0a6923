// The verbs of a worktree's socket: the first field of a client's message.
//
// | verb      | since | question        | answer                                             |
// | --------- | ----- | --------------- | -------------------------------------------------- |
// | status    | 3     | StatusQuestion  | StatusReply                                        |
// | prompt    | 3     | PromptQuestion  | PromptReply                                        |
// | changes   | 3     | ChangesQuestion | ChangesReply                                       |
// | await-end | 3     | nothing         | none: the end of the connection is the server's end |
//
// "since" is the version in the server's greeting. A client reads the greeting first, and
// disconnects if the version differs. An unknown verb gets an error with its name and the version.
// A process of another user is disconnected without a message.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace resident {

inline constexpr int kSocketVersion = 3;

enum class SocketVerb { kStatus, kPrompt, kChanges, kAwaitEnd };

struct SocketVerbRow {
  SocketVerb verb;
  std::string_view name;
  int since;
};
inline constexpr SocketVerbRow kSocketVerbs[] = {
    {SocketVerb::kStatus, "status", 3},
    {SocketVerb::kPrompt, "prompt", 3},
    {SocketVerb::kChanges, "changes", 3},
    {SocketVerb::kAwaitEnd, "await-end", 3},
};

constexpr std::string_view name_of(SocketVerb verb) {
  for (const SocketVerbRow& row : kSocketVerbs) {
    if (row.verb == verb) return row.name;
  }
  return {};
}

// Removes the verb from a client's message; its fields remain. kUnsupported: the error names the
// unknown verb, for users.
Result<SocketVerb> parse_verb(std::string_view& message);

}  // namespace resident
