// The protocol between git and its daemon (core.fsmonitor=true, since 2.55 on Linux).
//
//     git -> daemon  git's token, or "quit" or "flush", in packets
//     daemon -> git  monitor_answer() in packets; nothing after "quit"
//
// A packet is four hexadecimal digits, its length including these, then bytes. "0000" ends the
// question and the answer. Source: gitprotocol-common(5) (pkt-line).
#pragma once

#include <string>
#include <string_view>

#include "ipc/socket_framing.h"

namespace resident {

inline constexpr std::string_view kGitSocketName = "fsmonitor--daemon.ipc";  // in the git directory
inline constexpr std::string_view kQuit = "quit";
inline constexpr std::string_view kFlush = "flush";

extern const SocketFraming kGitFraming;

// Packets of `bytes`, with the end packet.
std::string in_packets(std::string_view bytes);

}  // namespace resident
