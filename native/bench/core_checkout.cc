// Row of a checkout: git writes many files and the index, and a Resident follows.
#include <algorithm>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <string>

#include "bench/core.h"
#include "bench/json.h"
#include "bench/samples.h"
#include "git/git_command.h"
#include "service/resident.h"

namespace resident::bench {

namespace {

// Waits for the answer.
Result<StatusResult> status_of(Resident& kept) {
  std::promise<Result<StatusResult>> answer;
  kept.status({}, [&answer](Result<StatusResult> status) { answer.set_value(std::move(status)); });
  return answer.get_future().get();
}

// Counts the rows that a view would show.
class Follower final : public Resident::Listener {
 public:
  void on_delta(StatusDelta delta) override {
    const std::lock_guard lock(mutex_);
    ++deltas_;
    for (const ChangedEntry& entry : delta.changed) rows_.insert(entry.path);
    for (const UnmergedEntry& entry : delta.unmerged) rows_.insert(entry.path);
    for (const std::string& path : delta.untracked) rows_.insert(path);
    for (const std::string& path : delta.removed) rows_.erase(path);
    for (const std::string& path : delta.removed_untracked) rows_.erase(path);
    most_rows_ = std::max(most_rows_, rows_.size());
    if (delta.state) desyncs_ += delta.state->kind == ModelState::Kind::kVerifying ? 1 : 0;
    if (delta.state && delta.state->kind != ModelState::Kind::kScanning) {
      is_ready_ = true;
      changed_.notify_all();
    }
  }
  void on_gone(const std::string&) override {
    const std::lock_guard lock(mutex_);
    is_ready_ = true;
    changed_.notify_all();
  }

  void wait_until_ready() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_ready_; });
  }
  struct Received {
    int64_t deltas = 0;
    int64_t desyncs = 0;
    size_t most_rows = 0;
  };
  // Counts since the last call.
  Received take() {
    const std::lock_guard lock(mutex_);
    const Received received{deltas_, desyncs_, most_rows_};
    deltas_ = desyncs_ = 0;
    most_rows_ = rows_.size();
    return received;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_ready_ = false;
  std::set<std::string> rows_;
  size_t most_rows_ = 0;
  int64_t deltas_ = 0;
  int64_t desyncs_ = 0;
};

Result<int64_t> check_out(const std::string& worktree, const std::string& branch) {
  const Clock clock;
  RESIDENT_TRY(const GitOutput output, run_git({"checkout", "-q", branch}, {.cwd = worktree}));
  const int64_t time = clock.elapsed();
  if (output.exit_code == 0) return time;
  return Error{ErrorCode::kIo, "git checkout: " + git_message(output)};
}

}  // namespace

Result<std::string> core_checkout(const std::string& worktree, const std::string& branch,
                                  unsigned threads, int runs) {
  RESIDENT_TRY(const GitOutput head,
               run_git({"symbolic-ref", "-q", "--short", "HEAD"}, {.cwd = worktree}));
  if (head.exit_code != 0) return Error{ErrorCode::kInvalid, worktree + ": HEAD is detached"};
  const std::string home = head.out.substr(0, head.out.find('\n'));

  Samples alone;
  // The first checkout there and back is slower: it reads objects and allocates blocks for the
  // first time.
  for (const std::string& to : {branch, home, branch, home}) {
    RESIDENT_TRY(const int64_t time, check_out(worktree, to));
    alone.push_back(time);
  }
  alone.erase(alone.begin(), alone.begin() + 2);
  Follower follower;
  Resident::Options options;
  options.threads = threads;
  options.listen = false;
  options.watch_metadata = true;
  RESIDENT_TRY(const auto kept, Resident::open(worktree, options, follower));
  follower.wait_until_ready();
  RESIDENT_CHECK(status_of(*kept));
  follower.take();

  Samples checkouts;
  Samples rights;
  Samples deltas;
  Samples rows;
  Samples desyncs;
  for (int run = 0; run < runs; ++run) {
    for (const std::string& to : {branch, home}) {
      RESIDENT_TRY(const int64_t time, check_out(worktree, to));
      const Clock clock;
      RESIDENT_TRY(const StatusResult status, status_of(*kept));
      rights.push_back(clock.elapsed());
      checkouts.push_back(time);
      if (!status.changed.empty() || !status.untracked.empty()) {
        return Error{ErrorCode::kCorrupt, "after a checkout there are changes"};
      }
      // The question makes the Resident send its delta.
      RESIDENT_CHECK(status_of(*kept));
      const Follower::Received received = follower.take();
      deltas.push_back(received.deltas);
      rows.push_back(static_cast<int64_t>(received.most_rows));
      desyncs.push_back(received.desyncs);
    }
  }
  return JsonObject()
      .add("ns", rights)
      .add("checkoutNs", checkouts)
      .add("aloneNs", alone)
      .add("deltas", deltas)
      .add("mostRows", rows)
      .add("desyncs", desyncs)
      .add("residentKb", memory_of("self").resident_kb)
      .add("peakKb", memory_of("self").peak_kb)
      .text();
}

}  // namespace resident::bench
