// The verbs of a worktree's socket: the first field of what a client says.
//
// | verb      | since | question        | answer                                             |
// | --------- | ----- | --------------- | -------------------------------------------------- |
// | status    | 3     | StatusQuestion  | StatusReply                                        |
// | prompt    | 3     | PromptQuestion  | PromptReply                                        |
// | changes   | 3     | ChangesQuestion | ChangesReply                                       |
// | await-end | 3     | nothing         | none: the end of the connection tells the server's |
//
// "since" is the version in the server's greeting; a client hears it before it says anything, and
// leaves where it is another one. A verb that is not here is answered with an error that names it
// and the version. Another user's process is shown the door without a word.
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

// Of what a client says. kUnsupported: an error for people that names what it is.
Result<SocketVerb> socket_verb(std::string_view payload);

}  // namespace resident
