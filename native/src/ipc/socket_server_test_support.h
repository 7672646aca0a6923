// A server on a socket of its own, and its clients.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ipc/socket_protocol.h"
#include "ipc/socket_server.h"
#include "ipc/socket_verbs.h"
#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {

using Asked = std::shared_ptr<SocketServer::Question>;

// A server's handler that answers each question at once with reply(question). A client that awaits
// the end of the connection gets no answer.
inline SocketServer::Handler at_once(std::function<std::string(const std::string&)> reply) {
  return [=](const Asked& asked) {
    std::string_view fields = asked->payload();
    const auto verb = parse_verb(fields);
    if (verb.ok() && *verb == SocketVerb::kAwaitEnd) return;
    asked->answer(reply(asked->payload()));
  };
}

class SocketServerTest : public ::testing::Test {
 protected:
  SocketServerTest() : path_(files_.path("socket")) {}

  std::unique_ptr<SocketServer> listen() {
    auto server = SocketServer::listen(
        path_, at_once([](const std::string& question) { return "<" + question + ">"; }));
    EXPECT_TRUE(server.ok()) << (server.ok() ? "" : server.error().message);
    return server.ok() ? std::move(server).value() : nullptr;
  }
  Result<std::string> ask(std::string_view question) {
    RESIDENT_TRY(UniqueFd socket, connect_to(path_));
    RESIDENT_CHECK(send_message(socket.get(), question));
    return receive_message(socket.get());
  }

  sockaddr_un address_of_path() const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path_.data(), path_.size());
    return address;
  }
  // A socket that listens at path_ and sends nothing.
  UniqueFd mute_listener() {
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_of_path();
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(socket.get(), 8), 0);
    return socket;
  }

  testing::RepoBuilder files_;  // for its temporary directory
  const std::string path_;
};

}  // namespace resident
