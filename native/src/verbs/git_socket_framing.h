// How git and its daemon talk (core.fsmonitor=true, since 2.55 on Linux).
//
//   git -> daemon  the token that git keeps, or "quit" or "flush", in packets
//   daemon -> git  what monitor_answer() is, in packets; nothing where it was told to quit
//
// A packet is four hexadecimal digits, its length with these, then bytes; "0000" ends both. Source:
// gitprotocol-common(5) (pkt-line).
#pragma once

#include <string>
#include <string_view>

#include "ipc/socket_framing.h"

namespace resident {

inline constexpr std::string_view kGitSocketName = "fsmonitor--daemon.ipc";  // in the git directory
inline constexpr std::string_view kQuit = "quit";
inline constexpr std::string_view kFlush = "flush";

extern const SocketFraming kGitFraming;

// In packets, with their end.
std::string in_packets(std::string_view bytes);

}  // namespace resident
