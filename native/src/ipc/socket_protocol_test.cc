#include "ipc/socket_protocol.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>
#include <thread>

namespace resident {
namespace {

TEST(SocketProtocol, ReceivesInPiecesAndRefusesTooMuch) {
  int fds[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
  UniqueFd a(fds[0]), b(fds[1]);
  std::thread sender([&] {
    for (char c : std::string("\0\0\0\5hello", 9)) (void)send_all(a.get(), std::string_view(&c, 1));
  });
  EXPECT_EQ(*receive_message(b.get()), "hello");
  sender.join();
  ASSERT_TRUE(send_message(a.get(), "123456").ok());
  auto limited = receive_message(b.get(), 5);
  ASSERT_FALSE(limited.ok());
  EXPECT_EQ(limited.error().code, ErrorCode::kCorrupt);
  a.reset();
  b.reset();
}

}  // namespace
}  // namespace resident
