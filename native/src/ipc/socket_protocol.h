// What a client (git-resident status, in a terminal or a prompt) and a resident process say to each
// other over the worktree's socket.
//
//   server -> client   "git-resident 3\n", the version of what follows
//   client -> server   Message: a verb (socket_verbs.h) and its fields
//   server -> client   Message: what the verb answers, if anything
//
// A Message is a 32-bit big-endian count of bytes, then fields that end in NUL each but for the
// last, which takes the rest. Both sides check the other's user id before anything is said.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace resident {

inline constexpr std::string_view kGreeting = "git-resident 3\n";
inline constexpr uint32_t kMaxMessage = uint32_t{1} << 30;

// The process at the other end, where it runs as the same user; 0 where it is in another namespace
// of processes.
std::optional<pid_t> peer_of_same_user(int socket);

Result<void> send_all(int socket, std::string_view bytes);
Result<std::string> receive_exactly(int socket, size_t count);

// What goes ahead of a payload of so many bytes, at most kMaxMessage.
std::string message_header(size_t size);

Result<void> send_message(int socket, std::string_view payload);
// More than `limit` bytes are kCorrupt.
Result<std::string> receive_message(int socket, uint32_t limit = kMaxMessage);

// Connects and checks the peer, without waiting for anything; the socket does not block. kNotFound
// where nobody listens; any other error says that somebody does.
Result<UniqueFd> reach(const std::string& path);
// The same, and checks its greeting. kNotFound where nobody listens; any other error
// says that somebody does. Does not wait for long.
Result<UniqueFd> connect_to(const std::string& path);

}  // namespace resident
