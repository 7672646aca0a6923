// Long answers, late answers, and clients that do not read them.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <map>
#include <utility>

#include "ipc/socket_server_test_support.h"

namespace resident {
namespace {

// A server with answers far longer than a socket buffer.
class LongAnswersTest : public SocketServerTest {
 protected:
  static constexpr size_t kLong = 4 << 20;

  static std::string answer_to(const std::string& question) {
    return question == "short" ? "brief" : std::string(kLong, question[0]);
  }
  std::unique_ptr<SocketServer> serve(SocketServer::Limits limits) {
    auto server = SocketServer::listen(path_, at_once(answer_to), limits);
    EXPECT_TRUE(server.ok());
    return std::move(server).value();
  }
  // A client that asks and does not read; the answer waits beyond the socket buffer. A client that
  // an impatient server drops asks again.
  UniqueFd who_takes_nothing(std::string_view question) {
    for (;;) {
      Result<UniqueFd> socket = connect_to(path_);
      EXPECT_TRUE(socket.ok());
      if (!socket.ok()) return {};
      if (!send_message(socket->get(), question).ok()) continue;
      pollfd ready{socket->get(), POLLIN, 0};
      EXPECT_EQ(::poll(&ready, 1, 60'000), 1);
      char first;
      if (::recv(socket->get(), &first, 1, MSG_PEEK) == 1) return std::move(socket).value();
    }
  }
};

TEST_F(LongAnswersTest, WhoTakesNothingKeepsNobodyWaiting) {
  auto server = serve({});
  const UniqueFd slow = who_takes_nothing("a");
  const UniqueFd silent = std::move(connect_to(path_)).value();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(*ask("short"), "brief");
  EXPECT_EQ(*ask("b"), std::string(kLong, 'b'));
  EXPECT_LT(std::chrono::steady_clock::now() - start, SocketServer::Limits{}.patience / 2);
  EXPECT_EQ(*receive_message(slow.get()), std::string(kLong, 'a')) << "as long as it takes";
}

TEST_F(LongAnswersTest, WhoTakesNothingForTooLongIsDropped) {
  auto server = serve({.patience = std::chrono::milliseconds(20)});
  const UniqueFd slow = who_takes_nothing("a");
  const UniqueFd silent = std::move(connect_to(path_)).value();
  EXPECT_FALSE(receive_exactly(silent.get(), 1).ok());
  // The server dropped it before, or drops it during this wait.
  pollfd gone{slow.get(), 0, 0};
  EXPECT_EQ(::poll(&gone, 1, 60'000), 1);
  EXPECT_FALSE(receive_message(slow.get()).ok());
}

TEST_F(LongAnswersTest, WhatWaitsForClientsIsBounded) {
  auto server = serve({.bytes = 2 * kLong});
  const UniqueFd first = who_takes_nothing("a");
  const UniqueFd second = who_takes_nothing("b");
  const UniqueFd third = who_takes_nothing("c");
  EXPECT_EQ(*ask("short"), "brief");
  EXPECT_FALSE(receive_message(first.get()).ok()) << "the one that has waited longest";
  EXPECT_EQ(*receive_message(second.get()), std::string(kLong, 'b'));
  EXPECT_EQ(*receive_message(third.get()), std::string(kLong, 'c'));
}

// A client that reads all but the end of its answer holds the memory of the whole answer.
TEST_F(LongAnswersTest, AnAnswerCountsUntilItsLastByte) {
  constexpr size_t kUnread = kLong / 2;
  auto server = serve({.bytes = 2 * kLong});
  const UniqueFd first = who_takes_nothing("a");
  EXPECT_TRUE(receive_exactly(first.get(), kLong - kUnread).ok());
  const UniqueFd second = who_takes_nothing("b");
  const UniqueFd third = who_takes_nothing("c");
  EXPECT_EQ(*ask("short"), "brief");
  EXPECT_FALSE(receive_exactly(first.get(), kUnread).ok());
  EXPECT_EQ(*receive_message(second.get()), std::string(kLong, 'b'));
  EXPECT_EQ(*receive_message(third.get()), std::string(kLong, 'c'));
}

TEST_F(LongAnswersTest, SoIsTheNumberOfClients) {
  auto server = serve({.clients = 2});
  const UniqueFd first = std::move(connect_to(path_)).value();
  const UniqueFd second = std::move(connect_to(path_)).value();
  EXPECT_EQ(*ask("short"), "brief");
  EXPECT_FALSE(receive_exactly(first.get(), 1).ok());
}

// A server whose questions the test answers at a time of its choice.
class LateAnswersTest : public SocketServerTest {
 protected:
  LateAnswersTest() {
    auto server = SocketServer::listen(
        path_, [this](Asked asked) { asked_[asked->payload()].set_value(asked); });
    EXPECT_TRUE(server.ok());
    server_ = std::move(server).value();
  }
  // The client's socket, and the question at the server.
  std::pair<UniqueFd, Asked> ask(const std::string& question) {
    std::future<Asked> asked = asked_[question].get_future();
    auto client = connect_to(path_);
    EXPECT_TRUE(client.ok() && send_message(client->get(), question).ok());
    return {std::move(client).value(), asked.get()};
  }

  std::map<std::string, std::promise<Asked>> asked_;  // by payload
  std::unique_ptr<SocketServer> server_;
};

TEST_F(LateAnswersTest, WhoeverIsReadyIsAnswered) {
  auto [first, one] = ask("one");
  auto [second, two] = ask("two");
  two->answer("2");
  EXPECT_EQ(*receive_message(second.get()), "2");
  EXPECT_TRUE(one->is_wanted());
  one->answer("1");
  EXPECT_EQ(*receive_message(first.get()), "1");
  EXPECT_FALSE(one->is_wanted());
  one->answer("again");
  EXPECT_FALSE(receive_message(first.get()).ok()) << "it was answered";
}

TEST_F(LateAnswersTest, WhoIsGoneWantsNoAnswer) {
  auto [first, one] = ask("one");
  first.reset();
  // The server notices this disconnect before it reads the next question.
  auto [second, two] = ask("two");
  EXPECT_FALSE(one->is_wanted());
  one->answer("1");
  two->answer("2");
  EXPECT_EQ(*receive_message(second.get()), "2");
}

TEST_F(LateAnswersTest, AQuestionOutlivesTheServer) {
  auto [client, asked] = ask("one");
  server_.reset();
  asked->answer("1");
  EXPECT_FALSE(receive_message(client.get()).ok());
}

}  // namespace
}  // namespace resident
