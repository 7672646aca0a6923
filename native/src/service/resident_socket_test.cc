// Answers of a whole Resident on its socket.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>

#include "git/git_program.h"
#include "git/git_version.h"
#include "ipc/socket_path.h"
#include "ipc/socket_protocol.h"
#include "ipc/socket_verbs.h"
#include "service/resident_test_support.h"
#include "verbs/status_question.h"

namespace resident {
namespace {

using testing::Recorder;
using testing::ResidentTest;

namespace stdfs = std::filesystem;

class ResidentSocketTest : public ResidentTest {
 protected:
  UniqueFd connect() {
    auto path = socket_path(repo_.work());
    EXPECT_TRUE(path.ok());
    auto socket = connect_to(*path);
    EXPECT_TRUE(socket.ok()) << (socket.ok() ? "" : socket.error().message);
    return socket.ok() ? std::move(socket).value() : UniqueFd();
  }
  // Waits until the socket accepts connections.
  void await_answer() {
    const auto end = std::chrono::steady_clock::now() + testing::kPatience;
    while (!connect_to(*socket_path(repo_.work())).ok()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  }
  Result<StatusReply> ask(std::vector<std::string> arguments) {
    StatusQuestion question;
    question.client.environment = deciding_environment(repo_.work());
    question.client.git = identity_of(*git_on_path());
    question.arguments = std::move(arguments);
    const UniqueFd socket = connect();
    RESIDENT_CHECK(send_message(socket.get(), encode_question(question)));
    RESIDENT_TRY(std::string payload, receive_message(socket.get()));
    return decode_reply(payload);
  }
};

// A second process that keeps the same worktree answers after the first has closed.
TEST_F(ResidentSocketTest, OutlivesWhoOpenedIt) {
  auto first = open(recorder_, true);
  recorder_.await_watching();
  Recorder other;
  auto second = open(other, true);
  other.await_watching();
  EXPECT_EQ(ask({"--porcelain"})->text, "");
  first.reset();
  await_answer();
  EXPECT_EQ(ask({"--porcelain"})->text, "");
  second.reset();
  EXPECT_FALSE(connect_to(*socket_path(repo_.work())).ok());
}

// Resident follows the config.
TEST_F(ResidentSocketTest, OneStandsInForGitsDaemon) {
  const std::string path = at(".git/fsmonitor--daemon.ipc");
  const auto await = [&](bool there) {
    const auto end = std::chrono::steady_clock::now() + testing::kPatience;
    while (stdfs::exists(stdfs::symlink_status(path)) != there) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::yield();
    }
  };
  repo_.git({"config", "residentGit.standsInForDaemon", "true"});
  auto first = open(recorder_, true);
  recorder_.await_watching();
  EXPECT_FALSE(stdfs::exists(path)) << "git asks nobody";
  repo_.git({"config", "core.fsmonitor", "true"});
  await(true);
  Recorder other;
  auto second = open(other, true);
  other.await_watching();
  EXPECT_TRUE(other.seen().problems.empty());
  const auto mine = stdfs::last_write_time(path);
  first.reset();
  await(true);
  await_answer();
  EXPECT_NE(stdfs::last_write_time(path), mine);
  repo_.git({"config", "--unset", "core.fsmonitor"});
  await(false);
  EXPECT_TRUE(other.seen().problems.empty());
}

TEST_F(ResidentSocketTest, NobodyStandsInWhereNobodyAsked) {
  repo_.git({"config", "residentGit.standsInForDaemon", "true"});
  repo_.git({"config", "core.fsmonitor", "true"});
  const auto stands_in = [&](bool trusted, bool listen) {
    Resident::Options options;
    options.trusted = trusted;
    options.listen = listen;
    Recorder recorder;
    const auto resident = testing::value_of(Resident::open(repo_.work(), options, recorder));
    // Resident opens or closes its socket at the end of the turn that reads the config.
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(status(*resident).ok());
    return stdfs::exists(at(".git/fsmonitor--daemon.ipc"));
  };
  EXPECT_TRUE(stands_in(true, true));
  EXPECT_FALSE(stands_in(false, true));
  EXPECT_FALSE(stands_in(true, false));
}

TEST_F(ResidentSocketTest, OutlivesAProcessThatIsKilled) {
  const std::string path = *socket_path(repo_.work());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 8), 0);
  const pid_t process = ::fork();
  if (process == 0) {
    for (;;) ::pause();
  }
  ::close(listener);
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  ::kill(process, SIGKILL);
  EXPECT_EQ(::waitpid(process, nullptr, 0), process);
  await_answer();
  EXPECT_EQ(ask({"--porcelain"})->text, "");
}

TEST_F(ResidentSocketTest, WhyItDoesNotListenIsToldAndItIsTriedAgain) {
  const std::string path = *socket_path(repo_.work());
  stdfs::create_directory(path);
  auto resident = open(recorder_, true);
  const std::vector<std::string> why{"cannot listen on the socket: " + path +
                                     ": Address already in use"};
  EXPECT_EQ(recorder_.await_watching().problems, why);
  stdfs::remove(path);
  await_answer();
  EXPECT_EQ(recorder_.seen().problems, why) << "once";
}

TEST_F(ResidentSocketTest, ADirectoryThatOthersCanEnterHasNoSocket) {
  const stdfs::path directory = stdfs::path(*socket_path(repo_.work())).parent_path();
  stdfs::permissions(directory, stdfs::perms::all);
  auto resident = open(recorder_, true);
  EXPECT_EQ(recorder_.await_watching().problems,
            std::vector<std::string>{"cannot listen on the socket: " + directory.string() +
                                     ": only the owner may have access to this directory"});
  EXPECT_TRUE(stdfs::is_empty(directory));
}

TEST_F(ResidentSocketTest, AnswersAsGitWould) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  repo_.write("f", "1");
  repo_.write("new dir/x", "1");
  repo_.write("a.log", "1");
  for (const testing::RepoBuilder::Arguments& arguments :
       {testing::RepoBuilder::Arguments{"--porcelain=v2", "-z", "--branch"},
        {"--porcelain"},
        {"-s", "-b"},
        {"--porcelain=v2", "--ignored"},
        {"-uall", "-z"},
        {"-s", "new dir/x"},
        {"-s", "--ignored", "--", ":!*.log"}}) {
    auto reply = ask(arguments);
    ASSERT_TRUE(reply.ok()) << reply.error().message;
    EXPECT_EQ(reply->kind, StatusReply::Kind::kOk) << reply->text;
    auto command = arguments;
    command.insert(command.begin(), "status");
    EXPECT_EQ(reply->text, repo_.git(command));
  }
}

// A client with another git sends its version once; the version decides.
TEST_F(ResidentSocketTest, AnswersWhoeverHasAGitWithTheSameRules) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  StatusQuestion question;
  question.client.environment = deciding_environment(repo_.work());
  question.client.git = "another";
  question.arguments = {"--porcelain"};
  const auto reply = [&]() -> Result<StatusReply> {
    const UniqueFd socket = connect();
    RESIDENT_CHECK(send_message(socket.get(), encode_question(question)));
    RESIDENT_TRY(std::string payload, receive_message(socket.get()));
    return decode_reply(payload);
  };
  EXPECT_EQ(reply().value().kind, StatusReply::Kind::kVersion);
  question.client.git_version = to_string(git_version().value());
  EXPECT_EQ(reply().value().kind, StatusReply::Kind::kOk);
  question.client.git_version.clear();
  EXPECT_EQ(reply().value().kind, StatusReply::Kind::kOk) << "it is known";
  question.client.git = "a third one";
  EXPECT_EQ(reply().value().kind, StatusReply::Kind::kVersion);
  for (const char* other : {"2.0.1", "2", "unknown"}) {
    question.client.git_version = other;
    const StatusReply refused = reply().value();
    EXPECT_EQ(refused.kind, StatusReply::Kind::kError);
    EXPECT_NE(refused.text.find(other), std::string::npos) << refused.text;
  }
}

// The question carries the pathspec settings. The answerer's own environment does not count.
TEST_F(ResidentSocketTest, SettingsOfPathspecsBelongToTheQuestion) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  repo_.write("new dir/x", "1");
  repo_.write("a.log", "1");
  const std::string before = deciding_environment(repo_.work());
  ::setenv("GIT_ICASE_PATHSPECS", "1", 1);
  EXPECT_EQ(deciding_environment(repo_.work()), before);
  StatusQuestion question;
  question.client.environment = deciding_environment(repo_.work());
  question.client.git = identity_of(*git_on_path());
  question.arguments = {"-s", "--", "A.LOG", "NEW*"};
  question.surroundings = status_surroundings();
  ::unsetenv("GIT_ICASE_PATHSPECS");
  ASSERT_TRUE(question.surroundings.pathspecs.has_value());
  EXPECT_TRUE(question.surroundings.pathspecs->ignore_case);

  const auto reply_to = [&] {
    const UniqueFd socket = connect();
    EXPECT_TRUE(send_message(socket.get(), encode_question(question)).ok());
    auto payload = receive_message(socket.get());
    EXPECT_TRUE(payload.ok());
    return *decode_reply(*payload);
  };
  EXPECT_EQ(reply_to().text,
            repo_.git({"--icase-pathspecs", "status", "-s", "--", "A.LOG", "NEW*"}));
  question.surroundings.pathspecs = PathspecSettings{};
  EXPECT_EQ(reply_to().text, "");
  question.surroundings.pathspecs.reset();
  EXPECT_EQ(reply_to().kind, StatusReply::Kind::kGit);
}

// If git answers for the whole worktree, its output is passed on. A refused question is asked to
// git.
TEST_F(ResidentSocketTest, GivesGitsOwnWordsWhereGitAnswers) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  const auto ask_plainly = [this](std::vector<std::string> arguments, bool on_terminal) {
    StatusQuestion question;
    question.client.environment = deciding_environment(repo_.work());
    question.client.git = identity_of(*git_on_path());
    question.surroundings.english_messages = true;
    question.surroundings.pathspecs = PathspecSettings{};
    question.surroundings.output_is_terminal = on_terminal;
    question.arguments = std::move(arguments);
    const UniqueFd socket = connect();
    EXPECT_TRUE(send_message(socket.get(), encode_question(question)).ok());
    auto payload = receive_message(socket.get());
    EXPECT_TRUE(payload.ok());
    return *decode_reply(*payload);
  };
  repo_.write("new", "1");
  // git writes a warning about grafts.
  repo_.write(".git/info/grafts", "");
  const StatusReply reply = ask_plainly({"--porcelain", "-b"}, false);
  ASSERT_EQ(reply.kind, StatusReply::Kind::kOk) << reply.text;
  EXPECT_EQ(reply.text, repo_.git({"status", "--porcelain", "-b"}));
  EXPECT_NE(reply.errors.find("grafts"), std::string::npos) << reply.errors;
  // On a terminal git can write other output.
  EXPECT_EQ(ask_plainly({"--porcelain"}, true).kind, StatusReply::Kind::kGit);
  repo_.git({"config", "core.repositoryFormatVersion", "7"});
  EXPECT_EQ(ask_plainly({"--porcelain"}, false).kind, StatusReply::Kind::kGit);
}

TEST_F(ResidentSocketTest, AnotherEnvironmentIsNotAnswered) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  StatusQuestion question;
  question.client.environment = "GIT_DIR=/elsewhere\n";
  const UniqueFd socket = connect();
  ASSERT_TRUE(send_message(socket.get(), encode_question(question)).ok());
  auto payload = receive_message(socket.get());
  ASSERT_TRUE(payload.ok());
  EXPECT_EQ(decode_reply(*payload)->kind, StatusReply::Kind::kError);
}

TEST_F(ResidentSocketTest, AVerbThatItDoesNotKnowIsNamedWithTheVersion) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  const UniqueFd socket = connect();
  ASSERT_TRUE(send_message(socket.get(), std::string_view("blame\0f", 7)).ok());
  const auto reply = decode_reply(testing::value_of(receive_message(socket.get())));
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->kind, StatusReply::Kind::kError);
  EXPECT_EQ(reply->text, "socket: version 3 has no verb \"blame\"");
}

// The greeting names the version, and no verb in the table is newer.
TEST_F(ResidentSocketTest, TheGreetingIsOfTheVersionThatTheVerbsAreOf) {
  EXPECT_EQ(kGreeting, "git-resident " + std::to_string(kSocketVersion) + "\n");
  for (const SocketVerbRow& row : kSocketVerbs) {
    EXPECT_LE(row.since, kSocketVersion) << row.name;
    EXPECT_EQ(name_of(row.verb), row.name);
    const std::string message = std::string(row.name) + '\0' + "fields";
    std::string_view rest = message;
    EXPECT_EQ(testing::value_of(parse_verb(rest)), row.verb);
    EXPECT_EQ(rest, "fields");
  }
}

TEST_F(ResidentSocketTest, SurvivesHostileClients) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  StatusQuestion question;
  question.client.environment = deciding_environment(repo_.work());
  question.client.git = identity_of(*git_on_path());
  question.arguments = {"--porcelain"};
  const std::string good = encode_question(question);
  std::string framed(4, '\0');
  framed[3] = static_cast<char>(good.size() & 0xff);
  framed[2] = static_cast<char>(good.size() >> 8);
  framed += good;
  connect().reset();  // says nothing and leaves
  for (size_t length : {size_t{1}, size_t{3}, size_t{4}, framed.size() - 1}) {
    (void)send_all(connect().get(), std::string_view(framed).substr(0, length));  // truncated
  }
  (void)send_all(connect().get(), "\xff\xff\xff\xff");  // announces four gigabytes
  (void)send_all(connect().get(),
                 std::string("\x00\x20\x00\x00", 4));  // more than a question may have
  for (const std::string& garbage :
       {std::string(), std::string(1, '\0'), std::string("garbage"), std::string(1000, '\xff'),
        std::string("status\0", 7), std::string("status\0\0\0abcd\0unterminated", 27),
        std::string("status\0\0\0"
                    "12\0",
                    12),
        good.substr(0, good.size() / 2)}) {
    const UniqueFd socket = connect();
    ASSERT_TRUE(send_message(socket.get(), garbage).ok());
    auto payload = receive_message(socket.get());
    ASSERT_TRUE(payload.ok()) << payload.error().message;
    auto reply = decode_reply(*payload);
    ASSERT_TRUE(reply.ok());
    EXPECT_EQ(reply->kind, StatusReply::Kind::kError);
  }
  auto reply = ask({"--porcelain"});
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->kind, StatusReply::Kind::kOk) << reply->text;
}

TEST_F(ResidentSocketTest, TwoOfOneWorktreeShareIt) {
  auto first = open(recorder_, true);
  recorder_.await_watching();
  Recorder second_recorder;
  auto second = open(second_recorder, true);
  second_recorder.await_watching();
  repo_.write("new", "1");
  for (Recorder* recorder : {&recorder_, &second_recorder}) {
    recorder->await("told to both",
                    [](const Seen& seen) { return seen.untracked.contains("new"); });
  }
  EXPECT_TRUE(ask({"--porcelain"}).ok());
  second.reset();
  EXPECT_TRUE(ask({"--porcelain"}).ok()) << "the socket is the first one's";
  first.reset();
  EXPECT_FALSE(connect_to(*socket_path(repo_.work())).ok());
}

}  // namespace
}  // namespace resident
