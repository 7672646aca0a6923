// Sockets between processes of this machine. A path is the address.
//
// A port supplies every function of this header. A socket is closed when a program starts.
//
// Threads: any.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/descriptor_io.h"
#include "os/process.h"
#include "os/unique_fd.h"

namespace resident {

enum class SocketMode : uint8_t { kBlocking, kNonBlocking };

// Whether an address can hold the path.
bool fits_socket_address(const std::string& path);
// Returns another name of `directory`/`name` that an address can hold. It is valid while `holds` is
// open.
std::string short_socket_address(const std::string& directory, std::string_view name,
                                 UniqueFd& holds);

// kInvalid: the path is too long. kNotFound: nobody listens. kUnsafe: another user listens. Any
// other error: somebody listens.
Result<UniqueFd> connect_local(const std::string& path, SocketMode mode,
                               std::chrono::milliseconds patience);
// Replaces the file at `path` by a socket that only this user can reach. It is non-blocking.
Result<UniqueFd> listen_local(const std::string& path);

struct AcceptedSocket {
  UniqueFd socket;  // non-blocking; invalid: none
  bool lacks_resources = false;
};
AcceptedSocket accept_local(int listener);

// The peer's process id if it runs as the same user; 0: the peer is in another pid namespace.
// Returns nullopt for another user.
std::optional<ProcessId> peer_of_same_user(int socket);

// Timeouts of a blocking socket. 0: none.
void set_receive_timeout(int socket, std::chrono::milliseconds timeout);
void set_send_timeout(int socket, std::chrono::milliseconds timeout);

IoResult receive_some(int socket, void* into, size_t size);
// Sending to a closed socket is an error, and never a signal.
IoResult send_some(int socket, const void* bytes, size_t size);

}  // namespace resident
