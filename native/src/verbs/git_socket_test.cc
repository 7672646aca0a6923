#include "verbs/git_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "ipc/socket_protocol.h"
#include "testing/repo_builder.h"
#include "verbs/git_monitor.h"
#include "verbs/git_socket_framing.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;
using std::chrono::milliseconds;

class GitSocketTest : public ::testing::Test {
 protected:
  GitSocketTest() : git_dir_(files_.path("git-dir")) { stdfs::create_directory(git_dir_); }

  std::string path() const { return git_dir_ + "/" + std::string(kGitSocketName); }
  bool is_there() const { return stdfs::exists(stdfs::symlink_status(path())); }

  // Reads the whole reply to these bytes. Other connections may wait in the queue.
  std::string ask(std::string_view bytes) {
    auto socket = reach(path());
    const auto end = GitSocket::Clock::now() + std::chrono::seconds(60);
    while (!socket.ok() && socket.error().code != ErrorCode::kNotFound &&
           GitSocket::Clock::now() < end) {
      std::this_thread::yield();
      socket = reach(path());
    }
    if (!socket.ok()) return socket.error().message;
    const timeval forever{0, 0};
    ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
    EXPECT_EQ(::fcntl(socket->get(), F_SETFL, 0), 0);
    EXPECT_TRUE(send_all(socket->get(), bytes).ok());
    std::string said;
    for (char part[256];;) {
      const ssize_t count = ::recv(socket->get(), part, sizeof part, 0);
      if (count <= 0) return said;
      said.append(part, static_cast<size_t>(count));
    }
  }
  // A socket at the path without a listener.
  UniqueFd dead_socket() {
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    return socket;
  }
  void await_wake() {
    woken_.wait(0);
    woken_ = 0;
  }
  void pass(milliseconds time) {
    now_ += time;
    socket_.follow();
  }

  testing::RepoBuilder files_;  // for its temporary directory
  std::string git_dir_;
  GitSocket::Clock::time_point now_{};
  std::vector<std::string> told_;
  std::atomic<int> woken_{0};
  SocketServer::Handler handler_ = [](std::shared_ptr<SocketServer::Question> asked) {
    asked->answer("<" + asked->payload() + ">");
  };
  GitSocket socket_{
      git_dir_, [this](std::shared_ptr<SocketServer::Question> asked) { handler_(asked); },
      [this] {
        woken_ = 1;
        woken_.notify_all();
      },
      [this](std::string why) { told_.push_back(std::move(why)); }, [this] { return now_; }};
};

TEST_F(GitSocketTest, ListensWhileThatIsWanted) {
  EXPECT_FALSE(is_there());
  socket_.want(true);
  EXPECT_EQ(ask("0009token0000"), "000b<token>0000");
  socket_.want(true);
  EXPECT_TRUE(socket_.listens());
  socket_.want(false);
  EXPECT_FALSE(is_there());
  socket_.want(true);
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
  EXPECT_FALSE(stdfs::exists(path() + ".lock"));
  EXPECT_EQ(socket_.due(), GitSocket::Clock::time_point::max());
  EXPECT_TRUE(told_.empty());
}

TEST_F(GitSocketTest, AFlushIsAnsweredWithEverything) {
  socket_.want(true);
  EXPECT_EQ(ask(in_packets("flush")), in_packets(monitor_answer(everything_changed())));
}

TEST_F(GitSocketTest, WhoSaysSomethingElseIsNotAnswered) {
  socket_.want(true);
  EXPECT_EQ(ask("git-resident 3\n"), "");
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
}

TEST_F(GitSocketTest, WhatIsNotAnsweredInASecondIsEverything) {
  std::shared_ptr<SocketServer::Question> held;
  handler_ = [&](std::shared_ptr<SocketServer::Question> asked) { held = std::move(asked); };
  socket_.want(true);
  EXPECT_EQ(ask("0005t0000"), in_packets(monitor_answer(everything_changed())));
  EXPECT_FALSE(held->is_wanted());
  held->answer("too late");
}

TEST_F(GitSocketTest, LeavesThePlaceWhereGitSaysSo) {
  socket_.want(true);
  EXPECT_EQ(ask(in_packets("quit")), "0000");
  await_wake();
  socket_.follow();
  EXPECT_FALSE(is_there());
  EXPECT_EQ(told_, std::vector<std::string>{"cannot replace git's fsmonitor daemon: " + path() +
                                            ": git sent a request to quit"});
  socket_.want(true);
  EXPECT_FALSE(is_there()) << "nothing is wanted anew";
  socket_.want(false);
  socket_.want(true);
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
}

TEST_F(GitSocketTest, TakesThePlaceOfADaemonThatQuits) {
  std::atomic<int> heard{0};
  auto daemon = SocketServer::listen(
      path(),
      [&](std::shared_ptr<SocketServer::Question> asked) {
        heard += asked->payload() == kQuit ? 1 : 100;
        heard.notify_all();
        asked->answer("");
      },
      {}, kGitFraming);
  ASSERT_TRUE(daemon.ok());
  socket_.want(true);
  EXPECT_FALSE(socket_.listens());
  heard.wait(0);
  EXPECT_EQ(heard, 1);
  daemon->reset();
  EXPECT_EQ(socket_.due(), now_ + milliseconds(20));
  pass(milliseconds(19));
  EXPECT_FALSE(socket_.listens());
  pass(milliseconds(1));
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
  EXPECT_TRUE(told_.empty());
}

// git's daemon needs a client that stays connected.
TEST_F(GitSocketTest, StaysConnectedUntilADaemonHasHeard) {
  const UniqueFd daemon = dead_socket();
  ASSERT_EQ(::listen(daemon.get(), 8), 0);
  socket_.want(true);
  pass(milliseconds(20));
  pass(milliseconds(40));
  const auto accepted = [&] {
    return UniqueFd(::accept4(daemon.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  };
  // The first connection only checked for a listener, and closed.
  std::vector<UniqueFd> open;
  for (UniqueFd next = accepted(); next.valid(); next = accepted()) {
    pollfd asked{next.get(), POLLIN, 0};
    EXPECT_EQ(::poll(&asked, 1, 0), 1);
    if ((asked.revents & POLLHUP) == 0) open.push_back(std::move(next));
  }
  ASSERT_EQ(open.size(), 1u) << "it is told once";
  char said[16];
  ASSERT_EQ(::recv(open[0].get(), said, sizeof said, 0), 12);
  EXPECT_EQ(std::string_view(said, 12), "0008quit0000");
  open.clear();
  pass(milliseconds(80));
  UniqueFd again;
  for (UniqueFd next = accepted(); next.valid(); next = accepted()) again = std::move(next);
  ASSERT_EQ(::recv(again.get(), said, sizeof said, 0), 12) << "and again where it hung up";
}

TEST_F(GitSocketTest, LeavesADaemonThatStays) {
  auto daemon = SocketServer::listen(
      path(), [](std::shared_ptr<SocketServer::Question> asked) { asked->answer("mine"); }, {},
      kGitFraming);
  ASSERT_TRUE(daemon.ok());
  socket_.want(true);
  const auto began = now_;
  auto longest = milliseconds(0);
  while (socket_.due() != GitSocket::Clock::time_point::max()) {
    const auto wait = std::chrono::ceil<milliseconds>(socket_.due() - now_);
    longest = std::max(longest, wait);
    pass(wait);
  }
  EXPECT_GE(now_ - began, std::chrono::seconds(60));
  EXPECT_LT(now_ - began, std::chrono::seconds(62));
  EXPECT_EQ(longest, milliseconds(1000)) << "ever more seldom";
  EXPECT_EQ(told_,
            std::vector<std::string>{"cannot replace git's fsmonitor daemon: " + path() +
                                     ": another process listens on this socket and does not quit"});
  EXPECT_EQ(ask("0005t0000"), in_packets("mine"));
}

TEST_F(GitSocketTest, WaitsForADaemonThatBegins) {
  files_.write("git-dir/fsmonitor--daemon.ipc.lock", "");
  socket_.want(true);
  EXPECT_FALSE(is_there());
  pass(milliseconds(20));
  EXPECT_FALSE(is_there());
  stdfs::remove(path() + ".lock");
  pass(milliseconds(40));
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
}

TEST_F(GitSocketTest, ReplacesWhatAKilledProcessLeft) {
  dead_socket().reset();
  ASSERT_TRUE(is_there());
  socket_.want(true);
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
}

TEST_F(GitSocketTest, WhyItCannotListenIsTold) {
  stdfs::remove(git_dir_);
  socket_.want(true);
  EXPECT_EQ(told_, std::vector<std::string>{"cannot replace git's fsmonitor daemon: " + path() +
                                            ": No such file or directory"});
  EXPECT_EQ(socket_.due(), GitSocket::Clock::time_point::max());
}

TEST_F(GitSocketTest, APathMayBeLongerThanThatOfASocket) {
  const std::string place = files_.path(std::string(100, 'l'));
  stdfs::create_directory(place);
  GitSocket far(
      place, handler_, [] {}, [&](std::string why) { told_.push_back(why); });
  far.want(true);
  EXPECT_TRUE(far.listens());
  EXPECT_TRUE(told_.empty());
  stdfs::rename(place, git_dir_ + "/short");
  git_dir_ += "/short";
  EXPECT_EQ(ask("0005t0000"), "0007<t>0000");
  far.close();
  EXPECT_FALSE(is_there());
}

}  // namespace
}  // namespace resident
