#include "ipc/socket_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <filesystem>
#include <functional>
#include <future>
#include <thread>

#include "ipc/listener_end.h"
#include "ipc/socket_server_test_support.h"
#include "os/thread_limit_test_support.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

TEST_F(SocketServerTest, AnswersOneAfterTheOther) {
  auto server = listen();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*ask(std::to_string(i)), "<" + std::to_string(i) + ">");
  EXPECT_EQ(*ask(""), "<>");
  EXPECT_EQ(ask(std::string(1 << 20, 'x'))->size(), (1u << 20) + 2);
  EXPECT_FALSE(ask(std::string((1 << 20) + 1, 'x')).ok()) << "longer than a question may be";
  EXPECT_EQ(*ask("still there"), "<still there>");
}

TEST_F(SocketServerTest, OnlyItsUserMayConnect) {
  auto server = listen();
  struct stat st;
  ASSERT_EQ(::lstat(path_.c_str(), &st), 0);
  EXPECT_TRUE(S_ISSOCK(st.st_mode));
  EXPECT_EQ(st.st_mode & 0777, 0600u);
}

TEST_F(SocketServerTest, RemovesItsSocketAtItsEnd) {
  listen().reset();
  EXPECT_FALSE(stdfs::exists(stdfs::symlink_status(path_)));
  auto connected = connect_to(path_);
  ASSERT_FALSE(connected.ok());
  EXPECT_EQ(connected.error().code, ErrorCode::kNotFound);
}

TEST_F(SocketServerTest, EndsWhileAClientSaysNothing) {
  auto server = listen();
  auto client = connect_to(path_);
  ASSERT_TRUE(client.ok());
  server.reset();
  EXPECT_FALSE(receive_message(client->get()).ok());
}

TEST_F(SocketServerTest, ReplacesWhatADeadProcessLeft) {
  mute_listener().reset();
  ASSERT_TRUE(stdfs::exists(stdfs::symlink_status(path_)));
  auto server = listen();
  EXPECT_EQ(*ask("x"), "<x>");
}

TEST_F(SocketServerTest, WithoutAThreadItLeavesNoSocket) {
  RESIDENT_NEEDS_ROOT();
  ASSERT_EQ(::chmod(files_.root().c_str(), 0777), 0);
  testing::in_child([&] {
    testing::allow_no_more_threads();
    const auto server = SocketServer::listen(path_, at_once([](const std::string&) { return ""; }));
    ASSERT_FALSE(server.ok());
    EXPECT_EQ(server.error().message, "cannot start a thread: Resource temporarily unavailable");
  });
  EXPECT_FALSE(stdfs::exists(stdfs::symlink_status(path_)));
}

TEST_F(SocketServerTest, AnotherOneListensAlready) {
  auto first = listen();
  auto second = SocketServer::listen(path_, at_once([](const std::string&) { return "second"; }));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kInvalid);
  EXPECT_NE(second.error().message.find(path_), std::string::npos);
  EXPECT_EQ(*ask("x"), "<x>");
}

// A process of another user. It lives as long as this object. It listens on a socket at `path`, and
// has reported that.
class OtherUser {
 public:
  static constexpr uid_t kUser = 65534;
  static bool can_be() { return ::geteuid() == 0; }

  // `act` may only make system calls; its return value, below 256, is result().
  explicit OtherUser(const std::function<int()>& act) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::_exit(::setresuid(kUser, kUser, kUser) == 0 ? act() : 255);
  }
  ~OtherUser() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    (void)result();
  }
  int result() {
    int status = 0;
    if (::waitpid(std::exchange(pid_, -1), &status, 0) < 0 || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
  }

 private:
  pid_t pid_ = -1;
};

TEST_F(SocketServerTest, AClientOfAnotherUserIsToldNothing) {
  if (!OtherUser::can_be()) GTEST_SKIP() << "only root can be another user";
  auto server = listen();
  // Open the permissions: only the user check is left.
  stdfs::permissions(files_.root(), stdfs::perms::all);
  stdfs::permissions(path_, stdfs::perms::all);
  const sockaddr_un address = address_of_path();
  OtherUser client([&] {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      return 200;
    }
    char bytes[64];
    const ssize_t count = ::recv(socket, bytes, sizeof bytes, 0);
    return count > 0 ? static_cast<int>(count) : 0;
  });
  EXPECT_EQ(client.result(), 0) << "bytes of a greeting, or 200: it could not connect";
  EXPECT_EQ(*ask("x"), "<x>");
}

TEST_F(SocketServerTest, AServerOfAnotherUserIsNotAsked) {
  if (!OtherUser::can_be()) GTEST_SKIP() << "only root can be another user";
  stdfs::permissions(files_.root(), stdfs::perms::all);
  const sockaddr_un address = address_of_path();
  int ready[2];
  ASSERT_EQ(::pipe2(ready, O_CLOEXEC), 0);
  const UniqueFd from(ready[0]), to(ready[1]);
  OtherUser server([&] {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket, 8) != 0 || ::write(to.get(), "1", 1) != 1) {
      return 1;
    }
    for (;;) {
      const int client = ::accept(socket, nullptr, nullptr);
      (void)!::send(client, kGreeting.data(), kGreeting.size(), MSG_NOSIGNAL);
    }
  });
  char byte;
  ASSERT_EQ(::read(from.get(), &byte, 1), 1);
  auto client = connect_to(path_);
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().code, ErrorCode::kUnsafe) << client.error().message;
  // ListenerEnd refuses it, too.
  auto end = ListenerEnd::watch(path_, [] {});
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::kUnsafe) << end.error().message;
}

TEST_F(SocketServerTest, LeavesTheSocketOfWhoTookItsPlace) {
  auto first = listen();
  ASSERT_EQ(::unlink(path_.c_str()), 0);
  auto second = listen();
  first.reset();
  EXPECT_EQ(*ask("x"), "<x>");
}

// Each server finds the socket of a dead process.
TEST_F(SocketServerTest, OfManyWhoWantToListenOneDoes) {
  for (int round = 0; round < 20; ++round) {
    mute_listener().reset();
    std::vector<std::future<std::unique_ptr<SocketServer>>> coming;
    std::atomic<int> waiting{6};
    for (int i = 0; i < 6; ++i) {
      coming.push_back(std::async(std::launch::async, [&]() -> std::unique_ptr<SocketServer> {
        for (--waiting; waiting > 0;) std::this_thread::yield();
        auto server = SocketServer::listen(
            path_, at_once([](const std::string& question) { return "<" + question + ">"; }));
        return server.ok() ? std::move(server).value() : nullptr;
      }));
    }
    std::vector<std::unique_ptr<SocketServer>> servers;
    for (auto& server : coming) servers.push_back(server.get());
    std::erase(servers, nullptr);
    EXPECT_EQ(servers.size(), 1u);
    EXPECT_EQ(*ask("x"), "<x>");
    servers.clear();
    EXPECT_FALSE(stdfs::exists(stdfs::symlink_status(path_)));
  }
}

TEST_F(SocketServerTest, TheEndOfWhoListensIsTold) {
  auto nobody = ListenerEnd::watch(path_, [] {});
  ASSERT_FALSE(nobody.ok());
  EXPECT_EQ(nobody.error().code, ErrorCode::kNotFound);

  auto server = listen();
  std::promise<void> ended;
  auto end = ListenerEnd::watch(path_, [&] { ended.set_value(); });
  ASSERT_TRUE(end.ok()) << end.error().message;
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*ask("x"), "<x>");
  auto told = ended.get_future();
  EXPECT_NE(told.wait_for(std::chrono::seconds(0)), std::future_status::ready);
  server.reset();
  told.get();
}

TEST_F(SocketServerTest, AStoppedProcessKeepsNobodyWaitingAndItsSocket) {
  const UniqueFd mute = mute_listener();
  auto client = connect_to(path_);
  EXPECT_FALSE(client.ok()) << "it never greets";
  auto server = SocketServer::listen(path_, at_once([](const std::string&) { return ""; }));
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(stdfs::exists(stdfs::symlink_status(path_)));
}

TEST_F(SocketServerTest, WhatIsNotAnsweredInTimeIsAnsweredForIt) {
  std::promise<Asked> held;
  SocketServer::Limits limits;
  limits.late = {std::chrono::milliseconds(1), "late"};
  auto server = SocketServer::listen(
      path_, [&](Asked asked) { held.set_value(std::move(asked)); }, limits);
  ASSERT_TRUE(server.ok());
  EXPECT_EQ(*ask("x"), "late");
  const Asked asked = held.get_future().get();
  EXPECT_FALSE(asked->is_wanted());
  asked->answer("later still");
  EXPECT_EQ(asked->peer(), ::getpid());
}

TEST_F(SocketServerTest, AnotherVersionIsNotSpokenTo) {
  const UniqueFd listener = mute_listener();
  std::thread other([&] {
    UniqueFd client(::accept(listener.get(), nullptr, nullptr));
    (void)send_all(client.get(), "git-resident 9\n");
    (void)receive_exactly(client.get(), 1);
  });
  auto client = connect_to(path_);
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().code, ErrorCode::kUnsupported);
  other.join();
}

TEST_F(SocketServerTest, WithoutDescriptorsItWaitsAtRest) {
  auto server = listen();
  const UniqueFd client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_of_path();
  rlimit whole{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &whole), 0);
  rlimit none = whole;
  // All lower descriptors are in use.
  none.rlim_cur = static_cast<rlim_t>(client.get()) + 1;
  const auto time_used = [] {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
  };

  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const double before = time_used();
  ASSERT_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            0);
  pollfd greeted{client.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&greeted, 1, 500), 0) << "nothing comes, and nobody is busy for it";
  EXPECT_LT(time_used() - before, 0.1);

  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &whole), 0);
  EXPECT_EQ(::poll(&greeted, 1, 10'000), 1) << "its turn comes";
  ASSERT_EQ(*receive_exactly(client.get(), kGreeting.size()), kGreeting);
  ASSERT_TRUE(send_message(client.get(), "x").ok());
  EXPECT_EQ(*receive_message(client.get()), "<x>");
}

TEST_F(SocketServerTest, APathTooLongForASocket) {
  const std::string path = files_.path(std::string(120, 'x'));
  EXPECT_FALSE(SocketServer::listen(path, at_once([](const std::string&) { return ""; })).ok());
  EXPECT_FALSE(connect_to(path).ok());
}

}  // namespace
}  // namespace resident
