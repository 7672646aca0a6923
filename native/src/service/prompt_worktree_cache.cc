#include "service/prompt_worktree_cache.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "config/config_ahead.h"
#include "model/worktree_model.h"
#include "repository/repository.h"
#include "service/resident.h"
#include "watch/system_watchers.h"

namespace resident {

namespace {

// Longest wait of an answer for a program: a prompt is no longer useful after that.
constexpr std::chrono::seconds kQuestionLimit{5};
constexpr std::chrono::seconds kWantedInterval{1};

}  // namespace

class PromptWorktreeCache::Kept final : private Resident::Listener {
 public:
  static Result<std::unique_ptr<Kept>> open(const std::string& root, const Options& options) {
    auto kept = std::make_unique<Kept>();
    Resident::Options how;
    how.trusted = options.trusted;
    how.threads = options.threads;
    how.listen = false;
    how.question_limit = kQuestionLimit;
    RESIDENT_TRY(kept->resident_, Resident::open(root, how, *kept));
    return kept;
  }

  Result<PromptStatus> ask(const PromptQuery& query, const std::function<bool()>& is_wanted) {
    Awaited<PromptStatus> question;
    resident_->prompt(query, question.done());
    if (!wait(question, is_wanted)) return nobody_waits();
    Result<PromptStatus> answer = question.future.get();
    // The listener is called after the answer. An answer to a second question comes after that
    // call: wait for it.
    const bool may_be_gone = !answer.ok() && answer.error().code == ErrorCode::kNotFound;
    if (!std::exchange(is_counted_, true) || may_be_gone) {
      Awaited<std::vector<bool>> next;
      resident_->ignored({}, next.done());
      if (!wait(next, is_wanted)) return nobody_waits();
    }
    return answer;
  }

  std::string root() const { return resident_->identity().root; }
  bool is_gone() const { return gone_; }
  uint64_t directories() const { return directories_; }
  Clock::time_point asked;

 private:
  void on_delta(StatusDelta delta) override {
    if (delta.state) directories_ = delta.state->directories;
  }
  void on_gone(const std::string&) override { gone_ = true; }

  template <typename T>
  struct Awaited {
    // Shared with the continuation, which can run after the wait has ended.
    std::shared_ptr<std::promise<Result<T>>> promise = std::make_shared<std::promise<Result<T>>>();
    std::future<Result<T>> future = promise->get_future();

    Resident::Done<T> done() const {
      return [promise = promise](Result<T> result) { promise->set_value(std::move(result)); };
    }
  };

  // False: the answer is not wanted any more; stops the Resident.
  template <typename T>
  bool wait(const Awaited<T>& awaited, const std::function<bool()>& is_wanted) {
    while (awaited.future.wait_for(kWantedInterval) != std::future_status::ready) {
      if (is_wanted()) continue;
      resident_->stop();
      return false;
    }
    return true;
  }
  Error nobody_waits() const {
    return Error{ErrorCode::kCancelled,
                 resident_->identity().root + ": the caller no longer waits for the answer"};
  }

  bool is_counted_ = false;  // directories_ is known
  std::atomic<uint64_t> directories_{0};
  std::atomic<bool> gone_{false};
  std::unique_ptr<Resident> resident_;  // last member: it calls the listener until it ends
};

PromptWorktreeCache::PromptWorktreeCache(FileSystem& fs, Options options)
    : fs_(fs), options_(std::move(options)) {
}
PromptWorktreeCache::~PromptWorktreeCache() = default;

Result<PromptStatus> PromptWorktreeCache::ask(const std::string& root, const PromptQuery& query) {
  const auto now = options_.now();
  if (const auto large = over_budget_.find(root); large != over_budget_.end()) {
    large->second = now;
    return scan_prompt(fs_, root, query, options_.threads, options_.trusted);
  }
  // A question finds that the worktree was removed and made again since the last question.
  bool is_last = false;
  for (;;) {
    RESIDENT_TRY(Kept* const kept, keep(root));
    kept->asked = now;
    Result<PromptStatus> answer = kept->ask(query, options_.is_wanted);
    if (!answer.ok() && kept->is_gone() && !std::exchange(is_last, true)) continue;
    keep_to_budget(root);
    return answer;
  }
}

// Opens the repository again if it was removed.
Result<PromptWorktreeCache::Kept*> PromptWorktreeCache::keep(const std::string& root) {
  const auto at = kept_.find(root);
  if (at != kept_.end() && !at->second->is_gone()) return at->second.get();
  if (at != kept_.end()) kept_.erase(at);
  RESIDENT_TRY(std::unique_ptr<Kept> opened, Kept::open(root, options_));
  if (opened->root() != root)
    return Error{ErrorCode::kNotFound, root + ": not the root of a worktree"};
  return kept_.emplace(root, std::move(opened)).first->second.get();
}

// `root` was asked about just now, and is released last.
void PromptWorktreeCache::keep_to_budget(const std::string& root) {
  if (kept_.at(root)->directories() > options_.watch_budget) {
    kept_.erase(root);
    over_budget_[root] = options_.now();
  }
  while (directories() > options_.watch_budget) {
    const auto order = [&](const auto& item) {
      return std::pair(item.first == root, item.second->asked);
    };
    kept_.erase(std::min_element(
        kept_.begin(), kept_.end(),
        [&](const auto& one, const auto& other) { return order(one) < order(other); }));
  }
}

void PromptWorktreeCache::release(const std::string& root) {
  kept_.erase(root);
  over_budget_.erase(root);
}

void PromptWorktreeCache::release_idle(Clock::duration idle) {
  const auto before = options_.now() - idle;
  std::erase_if(kept_, [&](const auto& item) { return item.second->asked <= before; });
  std::erase_if(over_budget_, [&](const auto& item) { return item.second <= before; });
}

uint64_t PromptWorktreeCache::directories() const {
  uint64_t sum = 0;
  for (const auto& [root, kept] : kept_) sum += kept->directories();
  return sum;
}

Result<PromptStatus> scan_prompt(FileSystem& fs, const std::string& root, const PromptQuery& query,
                                 unsigned threads, bool trusted) {
  ConfigAhead config_ahead(fs, root);
  RESIDENT_TRY(const Repository repository, discover(root));
  WorktreeModel::Options options;
  options.threads = threads;
  options.trusted = trusted;
  options.once = true;
  RESIDENT_TRY(options.config, config_ahead.load(CurrentConfig::place(repository)));
  // With core.ignoreCase a file can belong to an index entry with a different name.
  if (!query.recurse_untracked && !options.config->get_bool("core.ignorecase", false)) {
    options.untracked = UntrackedNeed::kFirst;
  }
  WorktreeModel model(fs, repository, options);
  RESIDENT_CHECK(model.scan());
  return model.prompt(query);
}

uint64_t default_watch_budget() {
  constexpr uint64_t kShare = 8;
  constexpr uint64_t kWithoutLimit = 8192;
  const uint64_t limit = system_watch_limit();
  return (limit ? limit : kWithoutLimit) / kShare;
}

}  // namespace resident
