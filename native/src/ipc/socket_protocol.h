// The protocol between a client (git-resident status, in a terminal or a prompt) and a resident
// process, on the worktree's socket.
//
//     server -> client   "git-resident 3\n", the version of the protocol
//     client -> server   Message: a verb (socket_verbs.h) and its fields
//     server -> client   Message: the verb's answer, if it has one
//
// A Message is a 32-bit big-endian byte count, then fields. Each field ends in NUL; the last field
// is the rest. Both sides check the other's user id before they send anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

inline constexpr std::string_view kGreeting = "git-resident 3\n";
inline constexpr uint32_t kMaxMessage = uint32_t{1} << 30;

Result<void> send_all(int socket, std::string_view bytes);
Result<std::string> receive_exactly(int socket, size_t count);

// The header of a payload of `size` bytes, at most kMaxMessage.
std::string message_header(size_t size);

Result<void> send_message(int socket, std::string_view payload);
// kCorrupt if the message exceeds `limit` bytes.
Result<std::string> receive_message(int socket, uint32_t limit = kMaxMessage);

// Connects and checks the peer without blocking; the socket is non-blocking. kNotFound: nobody
// listens. Any other error: somebody listens.
Result<UniqueFd> reach(const std::string& path);
// Like reach(), and also checks the greeting. Has a short timeout. kNotFound: nobody listens. Any
// other error: somebody listens.
Result<UniqueFd> connect_to(const std::string& path);

}  // namespace resident
