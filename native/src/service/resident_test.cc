// Resident as a whole: its own threads, inotify, deltas pushed to a listener. Every wait is for a
// condition.
#include "service/resident.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "base/thread_annotations.h"
#include "service/index_lock.h"
#include "service/socket_path.h"
#include "service/socket_protocol.h"
#include "service/status_question.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

constexpr std::chrono::seconds kPatience{60};

// Folds deltas and lets a test wait for what they come to.
class Recorder final : public Resident::Listener {
 public:
  struct Seen {
    uint64_t version = 0;
    std::map<std::string, char> tracked;  // the worktree's letter, else the index's; 'u' unmerged
    std::set<std::string> untracked;
    ModelState state;
    std::string branch;
    int replays = 0;
    std::string gone;
    int gone_calls = 0;
    std::vector<ModelState::Kind> kinds;
  };

  void on_delta(StatusDelta delta) override {
    MutexLock lock(mutex_);
    if (delta.base_version == 0) {
      ++seen_.replays;
      seen_.tracked.clear();
      seen_.untracked.clear();
    } else {
      EXPECT_EQ(delta.base_version, seen_.version);
      EXPECT_EQ(delta.version, seen_.version + 1);
    }
    EXPECT_EQ(seen_.gone_calls, 0) << "nothing follows on_gone";
    seen_.version = delta.version;
    for (const auto& path : delta.removed) seen_.tracked.erase(path);
    for (const auto& path : delta.removed_untracked) seen_.untracked.erase(path);
    for (const auto& entry : delta.changed) {
      seen_.tracked[entry.path] =
          static_cast<char>(entry.worktree == Change::kNone ? entry.index : entry.worktree);
    }
    for (const auto& entry : delta.unmerged) seen_.tracked[entry.path] = 'u';
    seen_.untracked.insert(delta.untracked.begin(), delta.untracked.end());
    if (delta.branch) seen_.branch = delta.branch->name;
    if (delta.state) {
      seen_.state = *delta.state;
      seen_.kinds.push_back(delta.state->kind);
    }
    changed_.notify_all();
  }
  void on_gone(const std::string& message) override {
    MutexLock lock(mutex_);
    seen_.gone = message;
    ++seen_.gone_calls;
    changed_.notify_all();
  }

  // What was seen once `condition` holds; fails the test if it never does.
  Seen await(const char* what, const std::function<bool(const Seen&)>& condition) {
    MutexLock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition(seen_)) {
      if (changed_.wait_until(lock, end) == std::cv_status::timeout) {
        ADD_FAILURE() << "never: " << what;
        break;
      }
    }
    return seen_;
  }
  Seen await_watching() {
    return await("watching",
                 [](const Seen& seen) { return seen.state.kind == ModelState::Kind::kWatching; });
  }
  Seen seen() {
    MutexLock lock(mutex_);
    return seen_;
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  Seen seen_ GUARDED_BY(mutex_);
};

class ResidentTest : public ::testing::Test {
 protected:
  using Seen = Recorder::Seen;

  ResidentTest() : environment_(repo_.root()) {
    environment_.set("XDG_RUNTIME_DIR", repo_.root());
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
    repo_.write("f", "0");
    repo_.write("d/g", "0");
    repo_.write(".gitignore", "*.log\n");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "1"});
  }

  std::unique_ptr<Resident> open(Recorder& recorder, bool listen = false) {
    Resident::Options options;
    options.listen = listen;
    options.watch_metadata = true;
    auto opened = Resident::open(repo_.work(), options, recorder);
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message);
    return opened.ok() ? std::move(opened).value() : nullptr;
  }
  std::unique_ptr<Resident> open() { return open(recorder_); }

  std::string at(std::string_view path) const { return repo_.work() + "/" + std::string(path); }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  Recorder recorder_;
};

TEST_F(ResidentTest, TellsTheFirstAnswerThenWhatChanges) {
  repo_.write("f", "changed");
  repo_.write("new", "1");
  auto resident = open();
  EXPECT_EQ(resident->identity().root, repo_.work());
  EXPECT_EQ(resident->identity().git_dir, at(".git"));
  const Seen first = recorder_.await_watching();
  EXPECT_EQ(first.tracked, (std::map<std::string, char>{{"f", 'M'}}));
  EXPECT_EQ(first.untracked, std::set<std::string>{"new"});
  EXPECT_EQ(first.branch, "main");
  EXPECT_EQ(first.kinds.front(), ModelState::Kind::kScanning);

  repo_.write("d/h", "1");
  recorder_.await("a new file", [](const Seen& seen) { return seen.untracked.contains("d/h"); });
  stdfs::remove(at("d/h"));
  recorder_.await("it is gone", [](const Seen& seen) { return !seen.untracked.contains("d/h"); });
  stdfs::create_directories(at("x/y"));
  repo_.write("x/y/z", "1");
  recorder_.await("in a new directory",
                  [](const Seen& seen) { return seen.untracked.contains("x/y/z"); });
  stdfs::rename(at("x"), at("w"));
  recorder_.await("moved", [](const Seen& seen) {
    return seen.untracked.contains("w/y/z") && !seen.untracked.contains("x/y/z");
  });
  repo_.write("w/y/z2", "1");
  recorder_.await("below it", [](const Seen& seen) { return seen.untracked.contains("w/y/z2"); });
}

TEST_F(ResidentTest, FollowsWhatGitDoes) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write("f", "1");
  repo_.write("new", "1");
  recorder_.await("changed", [](const Seen& seen) { return seen.tracked.contains("f"); });
  repo_.git({"add", "-A"});
  recorder_.await("staged", [](const Seen& seen) {
    return seen.tracked.contains("new") && seen.tracked.at("new") == 'A' && seen.untracked.empty();
  });
  repo_.git({"commit", "-q", "-m", "2"});
  recorder_.await("clean", [](const Seen& seen) { return seen.tracked.empty(); });
  repo_.git({"checkout", "-q", "-b", "other/branch"});
  recorder_.await("branch", [](const Seen& seen) { return seen.branch == "other/branch"; });
  repo_.git({"checkout", "-q", "HEAD~1"});
  recorder_.await("detached", [](const Seen& seen) { return seen.branch == "HEAD"; });
  repo_.write(".git/info/exclude", "u\n");
  repo_.write("u", "1");
  repo_.write("v", "1");
  const Seen seen = recorder_.await("v", [](const Seen& s) { return s.untracked.contains("v"); });
  EXPECT_FALSE(seen.untracked.contains("u"));
  repo_.write(".git/info/exclude", "");
  recorder_.await("u", [](const Seen& s) { return s.untracked.contains("u"); });
}

TEST_F(ResidentTest, WhatGitIsInTheMiddleOfIsNotTold) {
  auto resident = open();
  recorder_.await_watching();
  // On a machine that stands still for longer than git is waited for, the next try tells.
  for (bool undisturbed = false; !undisturbed;) {
    const auto start = std::chrono::steady_clock::now();
    repo_.write(".git/index.lock", "");
    repo_.write("f", "half-way");
    auto asked = resident->status({});
    ASSERT_TRUE(asked.ok());
    EXPECT_EQ(asked->changed.size(), 1u) << "who asks is told";
    const bool told = recorder_.seen().tracked.contains("f");
    undisturbed = std::chrono::steady_clock::now() - start < IndexLock::kQuiet;
    EXPECT_FALSE(undisturbed && told);
    repo_.write("f", "0");
    repo_.write("g", "1");
    stdfs::remove(at(".git/index.lock"));
    const Seen after = recorder_.await(
        "git is done", [](const Seen& seen) { return seen.untracked.contains("g"); });
    EXPECT_TRUE(after.tracked.empty());
    stdfs::remove(at("g"));
    recorder_.await("and again", [](const Seen& seen) { return !seen.untracked.contains("g"); });
  }
}

TEST_F(ResidentTest, ALockThatWasLeftBehindHoldsNothingUp) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write(".git/index.lock", "");
  repo_.write("f", "1");
  recorder_.await("it is told", [](const Seen& seen) { return seen.tracked.contains("f"); });
}

TEST_F(ResidentTest, ANestedRepositoryIsToldWithoutAQuestion) {
  auto resident = open();
  recorder_.await_watching();
  repo_.write("n/f", "1");
  recorder_.await("a file", [](const Seen& seen) { return seen.untracked.contains("n/f"); });
  repo_.git({"init", "-q", "n"});
  recorder_.await("a repository", [](const Seen& seen) {
    return seen.untracked.contains("n/") && !seen.untracked.contains("n/f");
  });
}

TEST_F(ResidentTest, AQuestionSeesWhatWasWrittenBefore) {
  auto resident = open();
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "n" + std::to_string(i % 7) + "/f" + std::to_string(i);
    repo_.write(name, "1");
    auto status = resident->status(query);
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(status->untracked.size(), static_cast<size_t>(i) + 1);
  }
}

TEST_F(ResidentTest, ReplayTellsEverythingAndGoesOn) {
  repo_.write("new", "1");
  repo_.write("f", "1");
  auto resident = open();
  const Seen before = recorder_.await_watching();
  resident->replay();
  const Seen after =
      recorder_.await("replayed", [&](const Seen& seen) { return seen.replays > before.replays; });
  EXPECT_EQ(after.tracked, before.tracked);
  EXPECT_EQ(after.untracked, before.untracked);
  EXPECT_EQ(after.version, before.version);
  EXPECT_EQ(after.state, before.state);
  repo_.write("newer", "1");
  recorder_.await("and goes on", [](const Seen& seen) { return seen.untracked.contains("newer"); });
}

TEST_F(ResidentTest, RescanLooksAtEverything) {
  auto resident = open();
  recorder_.await_watching();
  Resident::RescanProgress last;
  const std::atomic<bool> cancelled{false};
  auto result =
      resident->rescan([&](const Resident::RescanProgress& now) { last = now; }, cancelled);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->files_seen, 3u);
  EXPECT_EQ(last.files_seen, 3u);
  EXPECT_EQ(last.files_expected, 3u);
  recorder_.await_watching();
}

TEST_F(ResidentTest, ARescanOfManyFilesTicksAndCanBeCancelled) {
  for (int i = 0; i < 3000; ++i)
    repo_.write("many/" + std::to_string(i % 600) + "/" + std::to_string(i), "0");
  auto resident = open();
  recorder_.await_watching();
  // Cancelled before it begins: nothing is looked at for long, and the old answer stands.
  const Seen before = recorder_.seen();
  std::atomic<bool> cancelled{true};
  auto result = resident->rescan(nullptr, cancelled);
  if (!result.ok()) {
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  }
  recorder_.await_watching();
  EXPECT_EQ(recorder_.seen().untracked, before.untracked);
  repo_.write("many/7/new", "1");
  recorder_.await("still live",
                  [](const Seen& seen) { return seen.untracked.contains("many/7/new"); });
}

TEST_F(ResidentTest, CloseWhileScanning) {
  for (int i = 0; i < 500; ++i) repo_.write("many/" + std::to_string(i) + "/f", "0");
  for (int i = 0; i < 10; ++i) {
    Recorder recorder;
    auto resident = open(recorder, true);
    if (i % 2) recorder.await("a sign of life", [](const Seen& seen) { return seen.version > 0; });
    resident.reset();
  }
}

TEST_F(ResidentTest, CloseAnswersWhoWaits) {
  for (int i = 0; i < 500; ++i) repo_.write("many/" + std::to_string(i) + "/f", "0");
  auto resident = open();
  // Asked while the first scan runs; answered by it or by its end.
  std::thread asker([&resident = *resident] { (void)resident.status(StatusQuery{}); });
  asker.join();
  resident.reset();
}

TEST_F(ResidentTest, IgnoredAndContent) {
  repo_.write("f", "1");
  auto resident = open();
  auto ignored = resident->ignored({"a.log", "f", "d/b.log", "d"});
  ASSERT_TRUE(ignored.ok());
  EXPECT_EQ(*ignored, (std::vector<bool>{true, false, true, false}));
  auto head = resident->content("f", Resident::Source::kHead);
  ASSERT_TRUE(head.ok());
  EXPECT_EQ(*head, "0");
  repo_.git({"add", "f"});
  EXPECT_EQ(*resident->content("f", Resident::Source::kIndex), "1");
  EXPECT_EQ(*resident->content("f", Resident::Source::kStage2), std::nullopt);
  EXPECT_EQ(*resident->content("gone", Resident::Source::kHead), std::nullopt);
}

TEST_F(ResidentTest, NamesItsMetadataFiles) {
  auto resident = open();
  recorder_.await_watching();
  (void)resident->ignored({});
  const auto files = resident->metadata_files();
  for (const char* name : {".git/HEAD", ".git/index", ".git/info/exclude", ".git/refs/heads/main",
                           ".git/packed-refs", ".git/config", ".git/MERGE_HEAD"}) {
    EXPECT_NE(std::find(files.begin(), files.end(), at(name)), files.end()) << name;
  }
}

TEST_F(ResidentTest, TheWorktreeIsRemoved) {
  auto resident = open();
  recorder_.await_watching();
  stdfs::remove_all(at(""));
  const Seen seen = recorder_.await("gone", [](const Seen& s) { return s.gone_calls > 0; });
  EXPECT_EQ(seen.gone, repo_.work() + ": the worktree was removed");
  EXPECT_FALSE(resident->status(StatusQuery{}).ok());
  EXPECT_EQ(recorder_.seen().gone_calls, 1);
}

TEST_F(ResidentTest, TheWorktreeIsMovedAwayAndAQuestionNoticesFirst) {
  auto resident = open();
  recorder_.await_watching();
  // Its parent is not watched; the root's own event may come before or after the question.
  stdfs::rename(at(""), repo_.path("away"));
  EXPECT_FALSE(resident->status(StatusQuery{}).ok());
  recorder_.await("gone", [](const Seen& seen) { return seen.gone_calls > 0; });
}

TEST_F(ResidentTest, ABrokenIndexIsToldAndHeals) {
  auto resident = open();
  recorder_.await_watching();
  const std::string whole = repo_.read(".git/index");
  repo_.write(".git/index", "garbage");
  const Seen failed = recorder_.await(
      "failed", [](const Seen& seen) { return seen.state.kind == ModelState::Kind::kFailed; });
  EXPECT_NE(failed.state.message.find(at(".git/index")), std::string::npos) << failed.state.message;
  repo_.write(".git/index", whole);
  recorder_.await_watching();
}

TEST_F(ResidentTest, OpeningWhatIsNoWorktree) {
  Recorder recorder;
  auto none = Resident::open(repo_.root(), {}, recorder);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  EXPECT_NE(none.error().message.find(repo_.root()), std::string::npos) << none.error().message;
}

// --- The socket
// --------------------------------------------------------------------------------------------------

class ResidentSocketTest : public ResidentTest {
 protected:
  UniqueFd connect() {
    auto path = socket_path(repo_.work());
    EXPECT_TRUE(path.ok());
    auto socket = connect_to(*path);
    EXPECT_TRUE(socket.ok()) << (socket.ok() ? "" : socket.error().message);
    return socket.ok() ? std::move(socket).value() : UniqueFd();
  }
  Result<StatusReply> ask(std::vector<std::string> arguments) {
    StatusQuestion question;
    question.environment = deciding_environment(repo_.work());
    question.arguments = std::move(arguments);
    const UniqueFd socket = connect();
    RESIDENT_CHECK(send_message(socket.get(), encode_question(question)));
    RESIDENT_TRY(std::string payload, receive_message(socket.get()));
    return decode_reply(payload);
  }
};

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

// How pathspecs are to be read is asked along with them, whatever the answerer's own environment
// says of that.
TEST_F(ResidentSocketTest, SettingsOfPathspecsBelongToTheQuestion) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  repo_.write("new dir/x", "1");
  repo_.write("a.log", "1");
  const std::string before = deciding_environment(repo_.work());
  ::setenv("GIT_ICASE_PATHSPECS", "1", 1);
  EXPECT_EQ(deciding_environment(repo_.work()), before);
  StatusQuestion question;
  question.environment = deciding_environment(repo_.work());
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

TEST_F(ResidentSocketTest, AnotherEnvironmentIsNotAnswered) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  StatusQuestion question;
  question.environment = "GIT_DIR=/elsewhere\n";
  const UniqueFd socket = connect();
  ASSERT_TRUE(send_message(socket.get(), encode_question(question)).ok());
  auto payload = receive_message(socket.get());
  ASSERT_TRUE(payload.ok());
  EXPECT_EQ(decode_reply(*payload)->kind, StatusReply::Kind::kError);
}

TEST_F(ResidentSocketTest, SurvivesHostileClients) {
  auto resident = open(recorder_, true);
  recorder_.await_watching();
  StatusQuestion question;
  question.environment = deciding_environment(repo_.work());
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
  (void)send_all(connect().get(), "\xff\xff\xff\xff");  // four gigabytes to come
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
