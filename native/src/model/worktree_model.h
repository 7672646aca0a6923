// WorktreeModel: the resident model of one worktree. Answers any status question, and tells what
// changed since it was last asked to tell.
//
// A question first takes in every event that the kernel has queued and re-checks the files around
// the worktree (by stat, but for what the gate covers), so it has seen every write that returned
// before it was asked.
//
// When events were lost the model is desynced: the next update() scans everything again. Until that
// is done the rows tell what they told before.
//
// What only git can compute (kUnsupported: grafts, an unknown index extension, ...) is asked of
// git: once for each question and change, since what git said holds until something changes.
//
// Nothing waits for a program, where the owner gives a GitRunner: what git has to say (about the
// content of files that only a filter can tell, about submodules, its config, and whatever is
// kUnsupported) is asked in the background and taken in by update(). Until then the rows that
// depend on it stay as they were, state() names it, and a question that needs it is kPending. So it
// is with commits to count, of which an update counts some.
//
// It conducts; what is kept is its parts': CurrentIndex, WorktreeTree, StagedChanges,
// KnownSubmodules, StatusRows, CurrentBranch, GitDelegate while git answers, DeltaMaker for what is
// told. A part knows from the counts in InputVersions whether it is to be made again.
//
// Threads: one owner thread; scans use more inside a call.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "delta/delta_maker.h"
#include "delta/status_delta.h"
#include "explain/explanation.h"
#include "git_fallback/git_delegate.h"
#include "model/current_branch.h"
#include "model/known_submodules.h"
#include "model/model_view.h"
#include "model/prompt_facts.h"
#include "model/repository_place.h"
#include "model/staged_changes.h"
#include "model/status_rows.h"
#include "repo_state/background_git.h"
#include "repo_state/config_source.h"
#include "repo_state/current_index.h"
#include "repo_state/gated_files.h"
#include "repo_state/repository_state.h"
#include "status/content.h"
#include "tree/change_journal.h"
#include "tree/worktree_tree.h"

namespace resident {

class WorktreeModel {
 public:
  struct Options {
    Watcher* watcher = nullptr;  // null: every question scans
    // Spares looks at files around the worktree; used on the owner thread only. Only together with
    // a watcher. May be null.
    MetadataGate* gate = nullptr;
    // Whether anything was mounted or unmounted since it was last asked. Null: that cannot be told,
    // and every scan reads everything.
    std::function<bool()> mounts_changed = {};
    // Paths below the worktree's root at which something is mounted. Null: that cannot be told.
    std::function<std::vector<std::string>()> mounted_below = {};
    Batch::Limits pending = {};  // of what waits to be looked at
    unsigned threads = 1;
    bool trusted = true;  // false: nothing that the repository's own config names is run
    // The only pathspec that will be asked about; null: any. Not together with a watcher. Nothing
    // is looked at that lies outside of it.
    std::shared_ptr<const Pathspec> pathspec = nullptr;
    // What will be asked about untracked files; ignored ones only with kAll.
    UntrackedNeed untracked = UntrackedNeed::kAll;
    bool once = false;               // ScanContext::once
    size_t filters_told_as_git = 0;  // FilterQuestions::tell_as_git(), unless 0
    bool asks_git = true;            // false: what only git can compute is an error (kUnsupported)
    // What Config::load has just said, if somebody asked already.
    std::optional<Config> config = {};
    // The index, if somebody loads it already. May be null.
    IndexAhead* index_ahead = nullptr;
    // Who runs git in the background; null: it is run in place. `git_answered` is called, on any
    // thread, when update() has something to take in or to go on with.
    std::shared_ptr<GitRunner> git = nullptr;
    std::function<void()> git_answered = {};
    Now now = steady_now();
    // Where the worktree's repository is another one by now, questions are kPending and moved_to()
    // names it: the owner makes a model of that. False: git answers from then on. With a watcher.
    bool owner_follows = false;
    // For the scans that update() makes: called now and then on the owner thread; true ends the
    // scan (kCancelled).
    std::function<bool()> tick = {};
  };
  // How a long step goes on; read by any thread.
  struct Progress {
    std::atomic<uint64_t> files_seen{0};
    std::atomic<uint64_t> files_expected{0};
  };

  // While it lives, what is called is part of one question, which was first put at `asked`, a
  // next_request() of then or before, and at `asked_at`, on which depends what update() polls. A
  // question that is kPending is to be asked again once git has answered.
  using RequestId = BackgroundGit::RequestId;
  using Clock = BackgroundGit::Clock;
  class Asking {
   public:
    Asking(WorktreeModel& model, RequestId asked,
           Clock::time_point asked_at = Clock::time_point::max())
        : model_(model) {
      model_.git_.begin_question(asked);
      model_.asked_at_ = asked_at;
    }
    ~Asking() {
      model_.git_.end_question();
      model_.asked_at_.reset();
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    WorktreeModel& model_;
  };

  WorktreeModel(FileSystem& fs, Repository repository, const Options& options);
  ~WorktreeModel();

  // Looks at everything, for the first time or again. What was watched all the while and is as it
  // was read is not listed again. kCancelled leaves everything as it was. `tick`
  // is called now and then on the calling thread while it lasts.
  Result<void> scan(const std::atomic<bool>* cancelled = nullptr,
                    const std::function<void()>& tick = nullptr);
  // Takes in everything that happened. Cheap when nothing did. An error (a truncated index, a
  // missing HEAD) is also what answer() gives until it is gone. kNotFound with gone() set: the
  // worktree was removed.
  // What no event tells of is looked at as `poll` says; as part of a question, where it was not
  // since the question was put.
  using Poll = PollScope;
  Result<void> update(Poll poll = Poll::kEverything);
  bool gone() const { return gone_; }
  // Non-empty: events were lost (or everything is to be looked at again), and update() will scan.
  const std::string& desynced() const { return desynced_; }
  // What is known of the files may be wrong, because of `reason`: they are looked at again by the
  // next update().
  void mark_desynced(const std::string& reason);
  // Takes the queues of the watcher and of the gate in, without anything else; what it says is
  // applied by the next update().
  void drain();
  // Looks for what no event told: a slice of a round, as WorktreeTree::sweep() makes it; while git
  // answers, a round is one question to git. True where update() is to be called, which takes in
  // what was found. Does nothing while desynced: a scan is due.
  bool sweep(uint64_t limit, const std::function<bool()>& interrupted = {});
  WorktreeTree::SweepProgress sweep_progress() const;
  // What state() says of it, for whoever paces it.
  void set_sweep_state(const SweepState& state) { sweep_state_ = state; }
  // Grows with everything that was taken in.
  uint64_t activity() const { return activity_; }
  RequestId next_request() const { return git_.tasks().next(); }
  // What the owner waits for, for the longest time; nullopt: nothing.
  std::optional<GitTasks::Awaited> awaited() const;
  // When update() is to be called, and take_delta(), though nothing tells of a change: state() then
  // names what is waited for, or git is asked again about files that had not settled.
  std::optional<std::chrono::steady_clock::time_point> due() const;
  // Nobody's question is kPending any more.
  void end_questions() { delegate_.drop_forgotten(); }

  // kUnsupported where git must answer and `query` wants to know of the operation, or has a
  // pathspec: what is asked of git in our stead then has to be the command as it was written.
  Result<StatusResult> answer(const StatusQuery& query);
  // Like answer(), right after scan() or update(), but kUnsupported if git would write to stderr or
  // must answer itself: git is then to be run in the asker's place.
  Result<StatusResult> answer_if_no_warnings(const StatusQuery& query);
  // What a prompt shows; where only git can tell, as git's commands say it.
  Result<PromptStatus> prompt(const PromptQuery& query);
  Result<std::vector<bool>> ignored(const std::vector<std::string>& paths);
  // nullopt where HEAD (stage -1) or the index (stage 0..3) has no such file.
  Result<std::optional<std::string>> content(const std::string& path, int stage);
  // Why `path` (from the root, normalised, without a slash at the end; "" for the root) stands in
  // the status as it does; `as_directory` as explain_path() has it. kUnsupported where git must
  // answer.
  Result<Explanation> explain(const std::string& path, bool as_directory = false);

  // What changed since an earlier call gave `token`; any other token means everything, and so does
  // whatever is not known for certain. Takes in what happened, but polls nothing and does not wait
  // for git. More may be told than changed, never less.
  struct Changes {
    bool everything = false;
    std::string token;  // for the next call
    std::vector<std::string> names;
  };
  enum class ChangesFor : uint8_t {
    // GitNames: what makes git look at what changed, and at all that is not clean.
    kGit,
    // The same for a command that does not stage what it writes to .gitmodules after it has asked.
    kGitKeepingModules,
    // Paths, each once; a directory that came or went ends in '/', and stands for all below. A
    // submodule's stands for all that is in it, and for its commit.
    kPeople,
  };
  Changes changes_since(std::string_view token, ChangesFor whom);
  // Whether git, which asks its own daemon, is to be answered in the daemon's place.
  bool stands_in_for_daemon() const { return !git_.asks_monitor(); }

  // Whether deltas tell BranchDetails, which nothing is done for otherwise; from the next update()
  // on. Commits are visited as those ahead and behind are. False: it was so before.
  bool want_details(bool wanted);

  // A problem of the owner's, for take_delta().
  void record_problem(std::string problem) { problems_.push_back(std::move(problem)); }
  // What changed since the last call, with versions one apart; nullopt where nothing did.
  std::optional<StatusDelta> take_delta();
  // Everything, as one delta from version 0 to the current one.
  StatusDelta whole();

  const Repository& repository() const { return repository_; }
  // Null: nowhere, as far as is known.
  const Repository* moved_to() const { return place_.found(); }
  // git answers for the whole repository, and the model tells only what git says.
  bool is_delegated() const { return delegate_.is_active(); }
  // What git says to a command of a user's, from the directory `prefix` ("" or "sub/dir/"); while
  // is_delegated(), right after update(). Kept until something changes.
  Result<GitOutput> git_output(const std::vector<std::string>& arguments,
                               const std::string& prefix);
  // With Options::filters_told_as_git: what git said of the files that only a filter can tell.
  const GitOutput* said_of_filters() const { return content_.filters().said(); }
  // How often git was asked while it answers for the whole worktree.
  uint64_t git_runs() const { return delegate_.runs(); }
  // kPending where config() and what follows are to be read again once git has answered.
  Result<void> check_known() const;
  // Null until it was read; out of date while is_delegated().
  const Config* config() const { return state_ ? &state_->config() : nullptr; }
  // Those of the git on PATH; null like config().
  const GitRules* git_rules() const { return state_ ? &state_->git_rules() : nullptr; }
  std::string git_identity() const { return state_ ? state_->git_identity() : ""; }
  std::vector<std::string> metadata_files() const;
  Progress& progress() { return progress_; }
  ModelState state() const;
  // update() is to be called from time to time, though no event comes.
  bool polls() const { return tree_ && tree_->polls(); }
  // And with Poll::kRecent soon, since something happened there.
  bool is_hinted() const { return tree_ && tree_->is_hinted(); }
  // What happens in the directories of these files is looked for first; of many the first count.
  void prioritize(std::span<const std::string> paths) { tree_->prioritize(paths); }
  // When what no event tells of was looked at last, in each scope, for how long, and with how much
  // processor time.
  struct Polled {
    Clock::time_point began = Clock::time_point::min();
    Clock::duration took{};
    Clock::duration cost{};
  };
  const Polled& polled_everything() const { return polled_everything_; }
  const Polled& polled_names() const { return polled_names_; }
  const Polled& polled_recent() const { return polled_recent_; }
  const WorktreeTree::Work& work() const { return tree_->work(); }

 private:
  KnownSubmodules::StartScan untrusted_scan();

  // --- What surrounds the worktree
  GitSource git_source();
  Result<void> refresh_metadata();
  void apply_repository_changes(const RepositoryState::Changes& changes);
  Result<void> refresh_index();
  Result<void> check_repository() const;
  void set_content_rules();

  // --- What happened in it
  void pend(Batch batch);
  bool root_is_there();
  Result<void> apply_changes();
  Result<void> apply_worktree_changes();
  bool apply_pending_paths();
  void poll();
  struct LookStart {
    Clock::time_point at;
    std::chrono::nanoseconds cpu;
  };
  LookStart begin_look() const;
  void record_verification(Poll scope, const LookStart& start);
  void bind_tree();
  Result<void> rescan_tree(const WorktreeTree::ScanControl& control);
  Result<void> scan_tree(const WorktreeTree::ScanControl& control);
  Result<void> scan_ourselves(const WorktreeTree::ScanControl& control);
  Result<void> scan_without_git(const WorktreeTree::ScanControl& control);

  // --- What follows from it
  Result<void> finish();
  Result<void> diff_head();
  Result<void> expand_index(std::vector<uint32_t> directories);
  Result<void> update_parts();
  // Before anything is answered.
  Result<void> come_up_to_date();
  Result<void> update_branch(const ModelView& view);
  // kPending as long as commits are being counted.
  Result<void> count_branch(const ModelView& view);
  void update_details(const ModelView& view);

  // --- Files that only a filter can tell
  void ask_filters();
  // Asks for answers that may no longer hold for the question. `counts(path)` limits the files.
  Result<void> ask_filters_again(const std::function<bool(const std::string&)>& counts);
  void recheck_filtered_file(const std::string& path);
  void compare_again();
  void drop_filters_of_others();

  // --- While git answers
  Result<void> delegate(Error reason, WorktreeTree::ScanControl control);
  std::vector<std::string> delegation_files() const;
  void record_delegation_files();
  std::optional<std::vector<std::string>> files_of_answers();
  Result<void> apply_changes_for_git();
  Result<void> follow_git();
  Result<void> tell_as_git();
  void update_details_by_git();

  // --- What changed
  bool knows_every_change() const;
  std::vector<std::string> names_for_people(const ChangeJournal::Since& since) const;
  std::optional<std::vector<std::string>> names_for_git(const ChangeJournal::Since& since,
                                                        std::string_view token,
                                                        ChangesFor whom) const;

  // --- Questions
  ModelView view();
  StatusRows::Sources sources(const ModelView& view) const { return {view, staged_, submodules_}; }
  Result<void> check_known(const ModelView& view, const StatusQuery& query);
  Result<void> check_known_at(const ModelView& view, const std::string& path);
  Result<StatusResult> own_answer(const StatusQuery& query, bool without_warnings);
  Result<PromptStatus> own_prompt(const PromptQuery& query);
  Result<void> add_branch(const ModelView& view, const StatusQuery& query, StatusResult& result);
  Result<void> add_operation(const ModelView& view, StatusResult& result) const;
  const std::set<std::string>& untracked() const;
  DeltaMaker::Now now() const;

  FileSystem& fs_;
  const Repository repository_;
  const Options options_;
  Progress progress_;
  InputVersions input_versions_;
  BackgroundGit git_;  // before everything that asks
  RepositoryPlace place_;
  ConfigSource config_source_;
  std::unique_ptr<RepositoryState> state_;
  CurrentIndex index_;
  FileContent content_;
  const PathLimit limit_;
  ChangeJournal journal_;
  std::unique_ptr<WorktreeTree> tree_;
  StagedChanges staged_;
  KnownSubmodules submodules_;
  StatusRows rows_;
  CurrentBranch branch_;
  PromptFacts prompt_;
  bool wants_details_ = false;
  std::optional<BranchDetails> details_;  // unset: not wanted, or not known yet
  GitDelegate delegate_;
  std::set<std::string> untracked_by_git_;  // while it answers
  OutsidePrograms programs_of_git_;         // that its answer depends on, where all are known
  DeltaMaker deltas_;
  std::vector<std::string> problems_;  // the owner's, not told yet
  GatedFiles gated_files_;

  bool scanned_ = false;  // the tree stands
  bool scanning_ = false;
  bool settings_differ_ = false;  // the tree was scanned with others, or is behind its index
  bool watches_lost_ = false;     // since the last scan that read everything
  std::chrono::milliseconds scan_time_{0};  // of a one-shot scan, which is part of its answer
  bool gone_ = false;
  MetadataGate::Coverage root_coverage_;
  std::optional<Error> failure_;
  std::string desynced_;
  Batch pending_;
  uint64_t activity_ = 0;
  std::optional<Clock::time_point> asked_at_;  // of the question that is being answered
  Poll wanted_poll_ = Poll::kNothing;          // of the update under way
  Polled polled_everything_;
  Polled polled_names_;
  Polled polled_recent_;
  SweepState sweep_state_;
  uint64_t rounds_swept_ = 0;  // by the tree, as of the last sweep()
  uint64_t rounds_by_git_ = 0;
};

}  // namespace resident
