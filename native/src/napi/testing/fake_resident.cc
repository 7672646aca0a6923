#include "napi/testing/fake_resident.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "napi/job_queue.h"

namespace resident {
namespace {

std::atomic<int> live_count = 0;

bool consume_prefix(std::string_view& line, std::string_view prefix) {
  if (!line.starts_with(prefix)) return false;
  line.remove_prefix(prefix.size());
  return true;
}

ModelState watching() {
  ModelState state;
  state.kind = ModelState::Kind::kWatching;
  state.directories = 1;
  return state;
}

// Details with every member set.
BranchDetails details_of_fake() {
  BranchDetails details;
  details.tag_known = details.push_known = BranchDetails::Known::kKnown;
  details.tag = {"v1\xff", 3};
  details.stashes = 2;
  details.action = "rebase-i 2/5";
  details.upstream = {"origin", "main", "https://x/a"};
  details.push = {"mine", "main", ""};
  details.push_counts = {1, 4};
  return details;
}

class FakeResident final : public Resident {
 public:
  FakeResident(const std::string& path, const Options& options, Listener& listener)
      : listener_(listener), configuration_(options.configuration) {
    ++live_count;
    identity_ = {path, path + "/.git", path + "/.git"};
    next_.state = watching();
    next_.unwatched_files = {path + "/HEAD", path + "/index"};
    send();
  }
  ~FakeResident() override {
    stop();
    rescans_.finish();
    questions_.finish();
    model_.finish();
    --live_count;
  }

  void stop() override { stopping_ = true; }

  Identity identity() const override { return identity_; }

  void status(const StatusQuery&, Done<StatusResult> done) override { done(StatusResult{}); }

  void prompt(const PromptQuery&, Done<PromptStatus> done) override { done(PromptStatus{}); }

  void rescan(std::function<void(const RescanProgress&)> progress, Cancelled cancelled,
              Done<RescanResult> done) override {
    rescans_.post([=, this] { done(rescanned(progress, *cancelled)); });
  }

  void ignored(std::vector<std::string> paths, Done<std::vector<bool>> done) override {
    questions_.post([=, this] { done(are_ignored(paths)); });
  }

  void explain(std::string path, Done<Explanation> done) override {
    questions_.post([path = std::move(path), done = std::move(done)] {
      Explanation explanation;
      explanation.path = path;
      explanation.kind = FileKind::kRegular;
      explanation.untracked = true;
      done(std::move(explanation));
    });
  }

  void content(std::string path, Source source, Done<std::optional<std::string>> done) override {
    questions_.post([=, this] { done(run(path, source)); });
  }

  void metadata_changed() override {
    if (change_posted_.exchange(true)) return;
    questions_.post([this] {
      change_posted_ = false;
      next_.content_changed = true;
      send();
    });
  }

  void configure(Configuration configuration) override {
    questions_.post([this, now = std::move(configuration)] {
      const Configuration before = std::exchange(configuration_, now);
      if (now == before) return;
      if (now.open_files != before.open_files) next_.untracked = now.open_files;
      if (now.visible != before.visible)
        next_.problems.emplace_back(now.visible ? "visible" : "hidden");
      if (now.details != before.details) {
        next_.details.emplace();
        if (now.details) *next_.details = details_of_fake();
      }
      if (now.sweep != before.sweep) sweep_is(now.sweep);
      send();
    });
  }

  void replay() override {
    questions_.post([this] {
      model_.post([this, sweep = sweep_] {
        StatusDelta delta;
        delta.version = ++version_;
        delta.untracked.assign(untracked_.begin(), untracked_.end());
        delta.state = watching();
        delta.state->sweep = sweep;
        listener_.on_delta(std::move(delta));
      });
    });
  }

 private:
  Result<RescanResult> rescanned(const std::function<void(const RescanProgress&)>& progress,
                                 const std::atomic<bool>& cancelled) {
    RESIDENT_CHECK(fault());
    constexpr uint64_t kFiles = 1000;
    for (uint64_t seen = 0; seen <= kFiles || must_wait(); seen += seen <= kFiles ? 10 : 0) {
      if (cancelled || stopping_) return Error{ErrorCode::kCancelled, "the rescan was cancelled"};
      progress({std::min(seen, kFiles), kFiles});
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return RescanResult{kFiles, 100.0};
  }

  Result<std::vector<bool>> are_ignored(const std::vector<std::string>& paths) {
    RESIDENT_CHECK(fault());
    while (must_wait()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (stopping_) return Error{ErrorCode::kCancelled, identity_.root + ": closed"};
    std::vector<bool> result;
    for (const std::string& path : paths) result.push_back(path.ends_with(".o"));
    return result;
  }

  Result<std::optional<std::string>> run(const std::string& script, Source source) {
    if (stopping_) return Error{ErrorCode::kCancelled, identity_.root + ": closed"};
    RESIDENT_CHECK(fault());
    if (source == Source::kStage1) return std::optional<std::string>();
    std::string_view rest = script;
    while (!rest.empty()) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      command(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::optional<std::string>(script);
  }

  void sweep_is(std::chrono::milliseconds within) {
    sweep_ = {};
    if (within.count() > 0) {
      sweep_ = {SweepState::Pace::kLoad, std::chrono::duration_cast<std::chrono::seconds>(within),
                1'000, 40};
    }
    next_.state = watching();
    next_.state->sweep = sweep_;
  }

  Result<void> fault() {
    std::lock_guard lock(wait_mutex_);
    if (fault_.empty()) return {};
    return Error{ErrorCode::kIo, std::exchange(fault_, {})};
  }

  bool must_wait() {
    std::lock_guard lock(wait_mutex_);
    return !stopping_ && !wait_for_.empty() && ::access(wait_for_.c_str(), F_OK) != 0;
  }

  void command(std::string_view line) {
    if (consume_prefix(line, "? ")) {
      next_.untracked.emplace_back(line);
    } else if (consume_prefix(line, "! ")) {
      next_.removed_untracked.emplace_back(line);
    } else if (consume_prefix(line, "- ")) {
      next_.removed.emplace_back(line);
    } else if (consume_prefix(line, "u ")) {
      UnmergedEntry entry;
      const int mask = line[0] - '0';
      for (int i = 0; i < 3; ++i) entry.stages[i].mode = mask & (1 << i) ? 0100644 : 0;
      entry.path = line.substr(2);
      next_.unmerged.push_back(std::move(entry));
    } else if (consume_prefix(line, "many ")) {
      const int count = std::atoi(std::string(line).c_str());
      for (int i = 0; i < count; ++i) {
        char path[32];
        std::snprintf(path, sizeof path, "many/%07d", i);
        next_.untracked.emplace_back(path);
      }
    } else if (consume_prefix(line, "branch ")) {
      next_.branch.emplace();
      next_.branch->name = line;
      next_.branch->head = *ObjectId::from_hex("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    } else if (consume_prefix(line, "problem ")) {
      next_.problems.emplace_back(line);
    } else if (line == "send") {
      send();
    } else if (consume_prefix(line, "gone ")) {
      model_.post([this, message = std::string(line)] { listener_.on_gone(message); });
    } else if (consume_prefix(line, "fail ")) {
      std::lock_guard lock(wait_mutex_);
      fault_ = line;
    } else if (consume_prefix(line, "wait ")) {
      std::lock_guard lock(wait_mutex_);
      wait_for_ = line;
    } else if (line.size() > 3) {
      ChangedEntry entry;
      entry.index = static_cast<Change>(line[0]);
      entry.worktree = static_cast<Change>(line[1]);
      entry.path = line.substr(3);
      if (entry.index == Change::kRenamed) {
        entry.from = "old/" + entry.path;
        entry.score = 87;
      }
      entry.is_submodule = entry.path == "sub";
      entry.submodule.new_commits = entry.is_submodule;
      next_.changed.push_back(std::move(entry));
    }
  }

  void send() {
    model_.post([this, delta = std::exchange(next_, {})]() mutable {
      for (const std::string& path : delta.removed_untracked) untracked_.erase(path);
      untracked_.insert(delta.untracked.begin(), delta.untracked.end());
      delta.base_version = version_;
      delta.version = ++version_;
      delta.since = std::chrono::steady_clock::now();
      listener_.on_delta(std::move(delta));
    });
  }

  Listener& listener_;
  Identity identity_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> change_posted_ = false;

  std::mutex wait_mutex_;  // guards wait_for_ and fault_
  std::string wait_for_;
  std::string fault_;

  // The jobs of questions_ own these.
  StatusDelta next_;
  SweepState sweep_;
  Configuration configuration_;

  // The jobs of model_ own these.
  uint64_t version_ = 0;
  std::set<std::string> untracked_;

  JobQueue model_;
  JobQueue questions_;
  JobQueue rescans_;
};

}  // namespace

int live_fake_residents() {
  return live_count;
}

Result<std::unique_ptr<Resident>> Resident::open(const std::string& path, const Options& options,
                                                 Listener& listener) {
  if (path.starts_with("fail:")) return Error{ErrorCode::kNotFound, path.substr(5)};
  return std::unique_ptr<Resident>(std::make_unique<FakeResident>(path, options, listener));
}

}  // namespace resident
