// WorktreeModel: the resident model of one worktree. It answers any status question, and makes
// deltas of the changes since the last delta.
//
// A question first applies all events that the kernel has queued. It also checks the files around
// the worktree by stat, unless the gate covers them. It therefore sees every write that returned
// before the question was asked. With a late watcher, a question is kPending until a barrier has
// passed.
//
// If events were lost, the model is desynced: the next update() scans everything again. The rows
// stay unchanged until that scan ends.
//
// If only git can compute an answer (kUnsupported: grafts, an unknown index extension, ...), git is
// asked. It runs once per question and change: its answer stays valid until something changes.
//
// If the owner supplies a GitRunner, no call waits for a program. The model then asks git in the
// background about filtered files, submodules, its config, and everything kUnsupported. In update()
// it applies the answers. Until then the dependent rows stay unchanged, state() names the request,
// and a question that needs it is kPending. Commits are counted the same way: each update counts
// some.
//
// The model orders its parts, which keep the data: ModelInputs, TreeFreshness, and the two sources
// of answers, ComputedStatus and GitFallback. It decides which source is current.
//
// Threads: one owner thread; scans use more threads inside a call.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "delta/delta_maker.h"
#include "delta/status_delta.h"
#include "explain/explanation.h"
#include "git_fallback/git_fallback.h"
#include "model/changed_names.h"
#include "model/computed_status.h"
#include "model/model_inputs.h"
#include "model/model_options.h"
#include "model/tree_freshness.h"
#include "repo_state/gated_files.h"

namespace resident {

class WorktreeModel {
 public:
  using Options = ModelOptions;
  using Changes = resident::Changes;
  using ChangesFor = resident::ChangesFor;
  using Clock = BackgroundGit::Clock;
  using Poll = PollScope;
  using RequestId = BackgroundGit::RequestId;

  // Scope of one question. `asked`: a next_request() from when the question was first asked, or
  // earlier. `asked_at`: the time of the question. Inside the scope, update() polls everything
  // unless a full poll began since then. If a question is kPending, ask it again once git has
  // answered.
  class Asking {
   public:
    Asking(WorktreeModel& model, RequestId asked,
           Clock::time_point asked_at = Clock::time_point::max())
        : model_(model) {
      model_.inputs_.git.begin_question(asked);
      model_.freshness_.poll_log().begin_question(asked_at);
      model_.freshness_.events().begin_question(asked_at);
    }
    ~Asking() {
      model_.inputs_.git.end_question();
      model_.freshness_.events().end_question();
      model_.freshness_.poll_log().end_question();
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    WorktreeModel& model_;
  };

  WorktreeModel(FileSystem& fs, Repository repository, const Options& options);

  // Checks everything, for the first time or again. Does not list a directory again if its watch
  // held and it is unchanged. kCancelled: nothing changed. `tick` is called regularly on the
  // calling thread.
  Result<void> scan(const std::atomic<bool>* cancelled = nullptr,
                    const std::function<void()>& tick = nullptr);
  // Applies all changes. Cheap if nothing changed. After an error (a truncated index, a missing
  // HEAD), answer() returns the same error until it is gone. Error kNotFound with
  // freshness().gone(): the worktree was removed. Polls unwatched directories per `poll`; inside a
  // question, only if they were not polled since it was asked.
  // Error kPending: git is being asked, or files changed during the update. Nothing retries in
  // here. The owner is woken (Options::git_answered) when it has to call again.
  Result<void> update(Poll poll = Poll::kEverything);
  // Events, polls and the sweep's progress, for the owner that paces them.
  TreeFreshness& freshness() { return freshness_; }
  const TreeFreshness& freshness() const { return freshness_; }
  // Checks a part of the tree for changes without an event, as WorktreeTree::sweep(). While git
  // answers, a round is a single question to git. True: call update() to apply the changes it
  // found. Does nothing while desynced: a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  RequestId next_request() const { return inputs_.git.tasks().next(); }
  // The request that the owner has waited for longest; nullopt: none.
  std::optional<GitTasks::Awaited> awaited() const;
  // The time to call update() and take_delta() without an event; nullopt: none. At that time
  // state() names the awaited request, or git is asked again about files that had not settled.
  std::optional<Clock::time_point> due() const;
  // Call when no question is kPending any more.
  void end_questions() { fallback_.drop_forgotten(); }

  // kUnsupported if git must answer and `query` asks for the operation or has a pathspec. The
  // caller then has to run git with the original command line.
  Result<StatusResult> answer(const StatusQuery& query);
  // Like answer(), right after scan() or update(). kUnsupported if git would write to stderr or
  // must answer itself: run git in place of the client.
  Result<StatusResult> answer_if_no_warnings(const StatusQuery& query);
  // The facts for a prompt. If only git can answer, they come from git's commands.
  Result<PromptStatus> prompt(const PromptQuery& query);
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths);
  // nullopt: HEAD (stage -1) or the index (stage 0..3) has no such file.
  Result<std::optional<std::string>> content(const std::string& path, int stage);
  // Why `path` has its row in the status. It is from the root, normalised, without a slash at the
  // end; "" is the root. `as_directory`: see explain_path(). Error kUnsupported if git must answer.
  Result<Explanation> explain(const std::string& path, bool as_directory = false);
  // The names that changed since an earlier call returned `token`. An unknown token, or any doubt,
  // means everything. Applies pending events, but polls nothing and does not wait for git. May
  // report more than changed, never less.
  Changes changes_since(std::string_view token, ChangesFor whom);

  // Deltas contain BranchDetails only if `wanted`; from the next update() on. Otherwise no work is
  // done for them. Commits are visited in the same steps as for ahead and behind. False: the
  // setting was the same before.
  bool want_details(bool wanted);
  // The changes since the last call; nullopt: none. Each delta's version is the last version plus
  // 1.
  std::optional<StatusDelta> take_delta();
  // The whole state, as one delta from version 0 to the current one.
  StatusDelta whole();
  ModelState state() const;

  const Repository& repository() const { return inputs_.repository; }
  // Null: not moved, or not known.
  const Repository* moved_to() const { return inputs_.place.found(); }
  // True if the model answers git in place of git's own daemon.
  bool stands_in_for_daemon() const { return !inputs_.git.asks_monitor(); }
  // git answers for the whole repository; the model only passes its answers on.
  bool is_delegated() const { return source_ == &fallback_; }
  // git's answers to users' commands, while is_delegated().
  GitFallback& git_fallback() { return fallback_; }
  // kPending: read repository_state() again once git has answered, or a late watcher has reported
  // all changes.
  Result<void> check_known() const;
  // Config, rules and identity of git, and HEAD. Null until they are read; stale while
  // is_delegated().
  const RepositoryState* repository_state() const {
    return inputs_.state.is_loaded() ? &inputs_.state : nullptr;
  }
  // The files around the worktree that decide the answers, sorted.
  std::vector<std::string> metadata_files() const;

 private:
  Result<void> come_up_to_date();
  Result<void> apply_changes();
  Result<void> scan_ourselves(const ScanControl& control);
  Result<void> let_git_answer(Error reason, const ScanControl& control);
  // Puts a question to the current source. If only git can answer it, git answers this question.
  template <typename Ask>
  std::invoke_result_t<Ask, StatusSource&> put(const Ask& ask);
  DeltaMaker::Now now() const;

  ModelInputs inputs_;
  DeltaMaker deltas_;
  TreeFreshness freshness_;
  GitFallback fallback_;
  ComputedStatus computed_;
  StatusSource* source_ = &computed_;
  GatedFiles gated_files_;
  std::optional<Error> failure_;  // the last update failed with it
  bool wants_details_ = false;
};

}  // namespace resident
