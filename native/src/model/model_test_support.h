// Shared parts of the model's tests: a repository, and a model of it that tests step by hand. A
// fake watcher replays kernel events. A receiver folds deltas, and git supplies the expected
// answers.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "model/worktree_model.h"
#include "repo_state/metadata_gate.h"
#include "status/ask_git.h"
#include "testing/counting_file_system.h"
#include "testing/fake_git_runner.h"
#include "testing/fake_recursive_watcher.h"
#include "testing/fake_watcher.h"
#include "testing/hermetic_environment.h"
#include "testing/needs_inotify.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"

namespace resident {

// Formats each entry of an answer as one line. Two answers can be compared, and a difference read.
inline std::string line_of(const ChangedEntry& e) {
  char text[256];
  std::snprintf(text, sizeof text, "%c%c %d%d%d%d %06o %06o %06o %s %s %d ",
                static_cast<char>(e.index), static_cast<char>(e.worktree), e.is_submodule,
                e.submodule.new_commits, e.submodule.modified_content,
                e.submodule.untracked_content, e.head.mode, e.in_index.mode, e.worktree_mode,
                e.head.id.hex().c_str(), e.in_index.id.hex().c_str(), e.score);
  return text + e.path + (e.from.empty() ? "" : " <- " + e.from);
}
inline std::string line_of(const UnmergedEntry& e) {
  std::string text = e.is_submodule ? "u S " : "u ";
  for (const Side& side : e.stages) text += std::to_string(side.mode) + " " + side.id.hex() + " ";
  return text + std::to_string(e.worktree_mode) + " " + e.path;
}
inline std::string line_of(const BranchStatus& b) {
  return "# " + b.name + (b.initial ? " initial" : " " + b.head.hex()) +
         (b.detached ? " detached" : "") + " " + b.upstream + " +" + std::to_string(b.ahead) +
         " -" + std::to_string(b.behind);
}
inline std::vector<std::string> lines_of(const StatusResult& status) {
  std::vector<std::string> lines;
  if (status.branch) lines.push_back(line_of(*status.branch));
  for (const auto& entry : status.changed) lines.push_back(line_of(entry));
  for (const auto& entry : status.unmerged) lines.push_back(line_of(entry));
  for (const auto& path : status.untracked) lines.push_back("? " + path);
  for (const auto& path : status.ignored) lines.push_back("! " + path);
  return lines;
}

// Folds deltas like a receiver.
struct Folded {
  uint64_t version = 0;
  std::map<std::string, std::string> tracked;
  std::set<std::string> untracked;
  std::string branch;
  Operation operation = Operation::kNone;
  std::optional<BranchDetails> details;
  std::string operation_step;
  ModelState state;

  void fold(const StatusDelta& delta) {
    if (delta.base_version == 0) *this = {};
    EXPECT_EQ(delta.base_version, version);
    version = delta.version;
    for (const auto& path : delta.removed) tracked.erase(path);
    for (const auto& path : delta.removed_untracked) untracked.erase(path);
    for (const auto& entry : delta.changed) tracked[entry.path] = line_of(entry);
    for (const auto& entry : delta.unmerged) tracked[entry.path] = line_of(entry);
    untracked.insert(delta.untracked.begin(), delta.untracked.end());
    if (delta.branch) branch = line_of(*delta.branch);
    if (delta.operation) operation = *delta.operation;
    if (delta.details) details = *delta.details;
    if (delta.operation_step) operation_step = *delta.operation_step;
    if (delta.state) state = *delta.state;
  }
  friend bool operator==(const Folded&, const Folded&) = default;
};

class ModelTest : public ::testing::Test {
 protected:
  using Args = testing::RepoBuilder::Arguments;

  ModelTest() : environment_(repo_.root()), fake_(fs_) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
  }

  std::string at(std::string_view path) const {
    return path.empty() ? repo_.work() : repo_.work() + "/" + std::string(path);
  }

  // --- Before the model: no events ---

  // Writes a file with a time long ago, so that it is not racily clean.
  void old_file(const std::string& path, const std::string& content) {
    repo_.write(path, content);
    age(path);
  }
  void old_link(const std::string& path, const std::string& target) {
    std::filesystem::create_symlink(target, at(path));
    age(path);
  }
  void age(const std::string& path) {
    const timespec times[2] = {{1'500'000'000, 0}, {1'500'000'000, 0}};
    EXPECT_EQ(::utimensat(AT_FDCWD, at(path).c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  }
  void commit_all() {
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "all"});
  }

  void open_model(Watcher* watcher) {
    auto found = discover(repo_.work());
    ASSERT_TRUE(found.ok()) << found.error().message;
    WorktreeModel::Options options;
    options.watcher = watcher;
    options.mounts_changed = [this] { return std::exchange(mounts_changed_, false); };
    options.mounted_below = [this] { return mounted_; };
    options.threads = threads_;
    options.pending = pending_;
    options.gate = gate_.get();
    options.git = git_;
    options.git_answered = wake_;
    options.trusted = trusted_;
    options.tick = [this] { return stops_ || (ticks_left_ > 0 && --ticks_left_ == 0); };
    model_ = std::make_unique<WorktreeModel>(fs_, *found, options);
  }
  // Counts the listings of pack directories, which are not the worktree's.
  void count_pack_lists() {
    using Call = testing::CountingFileSystem::Call;
    fs_.set_fault([this](Call call, std::string_view path) -> std::optional<Error> {
      pack_lists_ += call == Call::kOpen && path.ends_with("/pack");
      return std::nullopt;
    });
  }
  // Opens a model on the fake watcher, and scans. RESIDENT_WATCH_RECURSIVELY=1: on a recursive
  // watch with every habit, whose events are the kernel's. CMakeLists.txt names the tests for it.
  void start() {
    if (std::getenv("RESIDENT_WATCH_RECURSIVELY")) return start_on_recursive(testing::kAllHabits);
    open_model(&fake_);
    auto scanned = model_->scan();
    ASSERT_TRUE(scanned.ok()) << scanned.error().message;
    take();
  }
  // The same on inotify: for programs whose events a test cannot predict.
  void start_on_inotify() {
    start_on(make_inotify_watcher([] {}));
  }
  // False: this system does not allow fanotify on the worktree.
  bool start_on_fanotify() {
    start_on(std::make_unique<FanotifyWatcher>([] {}));
    return model_->state().kind == ModelState::Kind::kWatching;
  }
  // The same on one recursive watch with these habits.
  void start_on_recursive(const testing::WatchHabits& habits, unsigned seed = 1) {
    auto watcher = std::make_unique<testing::FakeRecursiveWatcher>(
        posix_file_system(), make_inotify_watcher([] {}), habits, seed);
    recursive_ = watcher.get();
    start_on(std::move(watcher));
  }
  void start_on(std::unique_ptr<Watcher> watcher) {
    real_ = std::move(watcher);
    open_model(real_.get());
    auto scanned = model_->scan();
    ASSERT_TRUE(scanned.ok()) << scanned.error().message;
    take();
  }

  // The same with a gate on inotify, like the resident.
  void start_gated() {
    make_gate();
    start_on_inotify();
  }
  void make_gate() {
    metadata_watcher_ = make_inotify_watcher([] {});
    gate_ = std::make_unique<MetadataGate>(fs_, *metadata_watcher_, [] { return false; });
  }
  // The same with git in the background: nothing is known before git has answered.
  void open_gated() {
    make_gate();
    real_ = make_inotify_watcher([] {});
    open_model(real_.get());
    (void)model_->scan();
  }

  // Updates once per wake, like the loop. Returns the number of updates.
  int update_while(bool& woken, testing::FakeGitRunner& runner) {
    int updates = 0;
    while (std::exchange(woken, false) && updates < 100) {
      update();
      runner.answer_all();
      ++updates;
    }
    return updates;
  }

  // --- Changes, with the events that the kernel would queue ---

  static std::string parent(const std::string& path) {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash);
  }
  static std::string name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
  void mark(const std::string& path, bool arrived) {
    fake_.mark(at(parent(path)), name(path), arrived);
  }

  void write(const std::string& path, const std::string& content) {
    const bool existed = std::filesystem::exists(std::filesystem::symlink_status(at(path)));
    repo_.write(path, content);
    mark(path, !existed);
  }
  void mkdir(const std::string& path) {
    EXPECT_TRUE(std::filesystem::create_directory(at(path))) << path;
    mark(path, true);
  }
  void symlink(const std::string& target, const std::string& path) {
    std::filesystem::create_symlink(target, at(path));
    mark(path, true);
  }
  void chmod(const std::string& path, mode_t mode) {
    EXPECT_EQ(::chmod(at(path).c_str(), mode), 0);
    mark(path, false);
    if (std::filesystem::is_directory(at(path))) fake_.mark(at(path), "", false);
  }
  // Removes everything below too, deepest first.
  void remove(const std::string& path) {
    if (std::filesystem::is_directory(std::filesystem::symlink_status(at(path)))) {
      std::vector<std::string> below;
      for (const auto& entry : std::filesystem::directory_iterator(at(path))) {
        below.push_back(entry.path().filename().string());
      }
      for (const auto& child : below) remove(path + "/" + child);
      fake_.mark(at(path), "", false);
    }
    std::filesystem::remove(at(path));
    mark(path, false);
  }
  void rename(const std::string& from, const std::string& to) {
    std::filesystem::rename(at(from), at(to));
    mark(from, false);
    mark(to, true);
    if (std::filesystem::is_directory(std::filesystem::symlink_status(at(to))))
      fake_.mark(at(to), "", false);
  }

  // --- Answers ---

  static StatusQuery query(UntrackedMode untracked, IgnoredMode ignored) {
    StatusQuery query;
    query.untracked = untracked;
    query.ignored = ignored;
    query.branch = true;
    return query;
  }

  std::vector<std::string> lines(UntrackedMode untracked = UntrackedMode::kAll,
                                 IgnoredMode ignored = IgnoredMode::kNo) {
    const StatusQuery asked = query(untracked, ignored);
    auto status = after_barrier([&] { return model_->answer(asked); });
    // On a slow machine git is asked again about files that may have changed since.
    while (!status.ok() && status.error().code == ErrorCode::kPending && answer_for_git()) {
      status = model_->answer(asked);
    }
    if (!status.ok()) return {"error: " + status.error().message};
    return lines_of(*status);
  }
  // Asks as one question until a recursive watcher has reported all earlier changes.
  template <typename Ask>
  auto after_barrier(const Ask& ask) -> decltype(ask()) {
    if (!recursive_) return ask();
    const WorktreeModel::Asking asking(*model_, model_->next_request(), steady_now()());
    auto answer = ask();
    for (int i = 0; !answer.ok() && answer.error().code == ErrorCode::kPending && i < 10; ++i) {
      recursive_->tick();
      answer = ask();
    }
    return answer;
  }
  // True if a question was waiting for git.
  bool answer_for_git() {
    auto* runner = dynamic_cast<testing::FakeGitRunner*>(git_.get());
    return runner && runner->answer_all() > 0;
  }

  std::vector<std::string> git_lines(UntrackedMode untracked, IgnoredMode ignored) {
    constexpr const char* kUntracked[] = {"no", "normal", "all"};
    constexpr const char* kIgnored[] = {"no", "traditional", "matching"};
    const std::string out =
        repo_.git({"status", "--porcelain=v2", "-z", "--branch",
                   std::string("--untracked-files=") + kUntracked[static_cast<int>(untracked)],
                   std::string("--ignored=") + kIgnored[static_cast<int>(ignored)]});
    auto parsed = parse_porcelain_v2(out);
    return parsed.ok() ? lines_of(*parsed) : std::vector<std::string>{parsed.error().message};
  }

  // Compares every mode with git, and the folded deltas with the current state.
  void expect_as_git(const std::string& when = {}) {
    SCOPED_TRACE(when);
    for (auto untracked : {UntrackedMode::kAll, UntrackedMode::kNormal}) {
      for (auto ignored : {IgnoredMode::kNo, IgnoredMode::kTraditional, IgnoredMode::kMatching}) {
        EXPECT_EQ(lines(untracked, ignored), git_lines(untracked, ignored))
            << "untracked " << static_cast<int>(untracked) << " ignored "
            << static_cast<int>(ignored);
      }
    }
    EXPECT_EQ(lines(UntrackedMode::kNo), git_lines(UntrackedMode::kNo, IgnoredMode::kNo));
    // The model answered, not git.
    if (!git_may_answer_) {
      EXPECT_NE(model_->state().kind, ModelState::Kind::kDelegated) << model_->state().message;
    }
    expect_told();
  }
  void expect_told() {
    take();
    Folded whole;
    whole.fold(model_->whole());
    EXPECT_EQ(told_.tracked, whole.tracked);
    EXPECT_EQ(told_.untracked, whole.untracked);
    EXPECT_EQ(told_.branch, whole.branch);
    EXPECT_EQ(told_.operation, whole.operation);
    EXPECT_TRUE(told_.details == whole.details);
    EXPECT_EQ(told_.operation_step, whole.operation_step);
    EXPECT_EQ(told_.state, whole.state);
    EXPECT_EQ(told_.version, whole.version);
  }

  // Takes all waiting deltas.
  std::vector<StatusDelta> take() {
    std::vector<StatusDelta> deltas;
    while (auto delta = model_->take_delta()) {
      EXPECT_EQ(delta->version, delta->base_version + 1);
      told_.fold(*delta);
      told_problems_.insert(told_problems_.end(), delta->problems.begin(), delta->problems.end());
      deltas.push_back(std::move(*delta));
    }
    return deltas;
  }
  void update() {
    auto updated = after_barrier([&] { return model_->update(); });
    EXPECT_TRUE(updated.ok()) << updated.error().message;
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
  testing::CountingFileSystem fs_;
  uint64_t pack_lists_ = 0;  // see count_pack_lists()
  testing::FakeWatcher fake_;
  std::unique_ptr<Watcher> real_;
  testing::FakeRecursiveWatcher* recursive_ = nullptr;  // may be `real_`
  std::unique_ptr<Watcher> metadata_watcher_;
  std::unique_ptr<MetadataGate> gate_;
  std::shared_ptr<GitRunner> git_;  // null: git is run in place
  std::function<void()> wake_;      // empty: commits are not counted in steps
  bool mounts_changed_ = false;
  std::vector<std::string> mounted_;  // paths below the root
  unsigned threads_ = 1;
  Batch::Limits pending_;
  bool git_may_answer_ = false;
  bool trusted_ = true;
  bool stops_ = false;  // true: cancels long work
  int ticks_left_ = 0;  // at 1 the next tick cancels, once
  std::unique_ptr<WorktreeModel> model_;
  Folded told_;
  std::vector<std::string> told_problems_;
};

}  // namespace resident
