// Big answers are printed beside the worktree's turns. The test steps the turns, and holds the
// printer at a client.
#include "service/answer_printer.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "git/git_program.h"
#include "ipc/socket_protocol.h"
#include "service/worktree_loop_test_support.h"
#include "testing/allocation_counts.h"

namespace resident {
namespace {

// A client, at which the printer can be held before it prints.
class Client final : public SocketServer::Question {
 public:
  const std::string& payload() const override { return payload_; }
  ProcessId peer() const override { return 0; }
  void answer(std::string payload) override { answer_.set_value(std::move(payload)); }
  bool is_wanted() const override {
    reached_.set_value();
    if (holds_) release_.get_future().wait();
    if (fails_) testing::allocations_left = 0;
    return is_wanted_;
  }

  void hold() { holds_ = true; }
  void leave() { is_wanted_ = false; }
  // The first allocation of the print fails.
  void run_out_of_memory() { fails_ = true; }
  void await_printer() { reached_.get_future().wait(); }
  void release() { release_.set_value(); }
  bool is_answered() { return text_.wait_for(0s) == std::future_status::ready; }
  std::string text() { return text_.get(); }

 private:
  const std::string payload_;
  bool holds_ = false;
  bool fails_ = false;
  bool is_wanted_ = true;
  mutable std::promise<void> reached_;
  mutable std::promise<void> release_;
  std::promise<std::string> answer_;
  std::future<std::string> text_ = answer_.get_future();
};

StatusAnswer untracked_files(size_t count) {
  UnprintedStatus answer;
  for (size_t i = 0; i < count; ++i) {
    answer.status.untracked.push_back("directory/untracked file " + std::to_string(i));
  }
  return answer;
}

class AnswerPrinterTest : public ::testing::Test {
 protected:
  std::shared_ptr<Client> send(size_t rows) { return send(rows, std::make_shared<Client>()); }
  std::shared_ptr<Client> send(size_t rows, std::shared_ptr<Client> client) {
    printer_.send(client, untracked_files(rows));
    return client;
  }
  // A client that holds the printer.
  std::shared_ptr<Client> send_held(size_t rows) {
    const auto client = std::make_shared<Client>();
    client->hold();
    send(rows, client);
    client->await_printer();
    return client;
  }

  AnswerPrinter printer_{std::make_shared<Executor>(1u), {.big_rows = 3, .waiting_rows = 10}};
};

TEST_F(AnswerPrinterTest, ASmallAnswerIsPrintedAtOnce) {
  const auto held = send_held(3);
  EXPECT_TRUE(send(2)->is_answered());
  EXPECT_FALSE(held->is_answered());
  held->release();
  EXPECT_EQ(held->text(), encode_reply(untracked_files(3)));
}

TEST_F(AnswerPrinterTest, BeyondTheBoundTheCallerPrints) {
  const auto held = send_held(30);
  const auto longer = send(11);
  EXPECT_FALSE(longer->is_answered()) << "a single answer may exceed the bound";
  EXPECT_TRUE(send(3)->is_answered());
  held->release();
  EXPECT_EQ(longer->text(), encode_reply(untracked_files(11)));
  const auto next = send_held(3);
  const auto first = send(5);
  const auto second = send(5);
  EXPECT_FALSE(first->is_answered());
  EXPECT_FALSE(second->is_answered());
  EXPECT_TRUE(send(3)->is_answered());
  next->release();
  EXPECT_EQ(second->text(), encode_reply(untracked_files(5)));
  EXPECT_TRUE(first->is_answered()) << "in order";
}

TEST_F(AnswerPrinterTest, AClientThatLeftGetsNoAnswer) {
  const auto gone = std::make_shared<Client>();
  gone->leave();
  send(3, gone);
  (void)send(3)->text();
  EXPECT_FALSE(gone->is_answered());
}

TEST_F(AnswerPrinterTest, AClientIsToldThatMemoryRanOut) {
  const auto unlucky = std::make_shared<Client>();
  unlucky->run_out_of_memory();
  send(3, unlucky);
  EXPECT_EQ(decode_reply(unlucky->text())->text, "not enough memory to print the status");
  EXPECT_EQ(send(3)->text(), encode_reply(untracked_files(3)));
}

// From the rows to the socket.
TEST(AnswerMemoryTest, TheBytesOfABigAnswerAreAllocatedOnce) {
  constexpr size_t kRows = 50'000;
  constexpr size_t kSlack = size_t{256} << 10;
  StatusAnswer answer = untracked_files(kRows);
  const size_t size = encode_reply(answer).size() + message_header(0).size();
  ASSERT_GT(size, 4 * kSlack);
  const testing::RepoBuilder files;
  AnswerPrinter printer(std::make_shared<Executor>(1u));
  const auto server = SocketServer::listen(files.path("socket"),
                                           [&](std::shared_ptr<SocketServer::Question> asked) {
                                             printer.send(std::move(asked), std::move(answer));
                                           });
  ASSERT_TRUE(server.ok());
  const UniqueFd client = testing::value_of(connect_to(files.path("socket")));
  static std::array<char, 64 << 10> bytes;
  const uint64_t before = testing::bytes_allocated;
  ASSERT_TRUE(send_message(client.get(), "status").ok());
  size_t received = 0;
  for (ssize_t got; (got = ::recv(client.get(), bytes.data(), bytes.size(), 0)) > 0;) {
    received += static_cast<size_t>(got);
  }
  EXPECT_EQ(received, size);
  EXPECT_LT(testing::bytes_allocated - before, size + kSlack);
}

// The turns of a worktree, which the test steps.
class TurnsBesidePrinterTest : public AnswerPrinterTest {
 protected:
  TurnsBesidePrinterTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "0");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
    for (const char* name : {"1", "2", "3"}) repo_.write(name, "");
    options_.configuration.sweep = 0ms;
    loop_ = make_stepped_loop(repo_.work(), options_, recorder_, tree_);
    loop_->scan();
    loop_->tell_first();
  }
  void turn(const WorktreeLoop::Task& task) {
    std::vector<WorktreeLoop::PostedTask> tasks;
    tasks.push_back({task, WorktreeLoop::Clock::now()});
    loop_->turn(std::move(tasks), true);
  }
  // Asks in a turn, like a client of the socket.
  void ask(const std::shared_ptr<Client>& client) {
    StatusQuestion question;
    question.client.environment = deciding_environment(repo_.work());
    question.client.git = identity_of(*git_on_path());
    question.arguments = {"--porcelain"};
    turn([&](WorktreeModel* model, WorktreeLoop::Attempt) {
      Result<StatusAnswer> answer =
          answer_status(question, loop_->update_until_quick(), *model, gits_);
      EXPECT_TRUE(answer.ok());
      if (answer.ok()) printer_.send(client, std::move(*answer));
      return true;
    });
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  testing::Recorder recorder_;
  Resident::Options options_;
  ClientGits gits_;
  testing::FakeWatcher* tree_ = nullptr;
  std::unique_ptr<WorktreeLoop> loop_;
};

TEST_F(TurnsBesidePrinterTest, AnotherTurnRunsWhileABigAnswerIsPrinted) {
  const auto slow = std::make_shared<Client>();
  slow->hold();
  ask(slow);
  slow->await_printer();
  const std::string before = repo_.git({"status", "--porcelain"});
  repo_.write("f", "22");
  tree_->mark(repo_.work(), "f");
  const auto quick = std::make_shared<Client>();
  ask(quick);
  EXPECT_EQ(recorder_.seen().tracked, (std::map<std::string, char>{{"f", 'M'}}));
  EXPECT_FALSE(slow->is_answered());
  slow->release();
  EXPECT_EQ(decode_reply(slow->text())->text, before) << "as of its turn";
  EXPECT_EQ(decode_reply(quick->text())->text, repo_.git({"status", "--porcelain"}));
}

}  // namespace
}  // namespace resident
