#include "model/known_submodules.h"

#include <algorithm>
#include <utility>

#include "object/tree.h"
#include "repo_state/user_files.h"

namespace resident {

namespace {

Result<StoredGitmodules> stored_gitmodules(const ModelView& view) {
  if (const auto position = view.index.find_path(kGitmodules)) {
    const bool merged = view.index.entries()[*position].stage() == 0;
    return merged ? StoredGitmodules::kIndex : StoredGitmodules::kUnmerged;
  }
  if (!view.state.head_tree()) return StoredGitmodules::kNone;
  RESIDENT_TRY(const std::string root, view.state.objects().read_tree(*view.state.head_tree()));
  for (TreeIterator entries(root, view.repository.algorithm);;) {
    RESIDENT_TRY(const bool more, entries.next());
    if (!more) return StoredGitmodules::kNone;
    if (entries.entry().name == kGitmodules) return StoredGitmodules::kHead;
  }
}

}  // namespace

// Known states follow their paths to the new positions.
void KnownSubmodules::find_gitlinks(const ModelView& view, std::set<uint32_t>& to_look) {
  std::map<std::string, Known> before;
  for (auto& [position, known] : by_position_) before.emplace(known.path, std::move(known));
  by_position_.clear();
  any_ = false;
  for (const uint32_t i : view.index.gitlinks()) {
    if (!view.limit.has_entry(view.index, i)) continue;
    any_ = true;
    if (view.index.entries()[i].stage() != 0) continue;
    to_look.insert(i);
    if (auto known = before.extract(view.index.path(i))) {
      by_position_[i] = std::move(known.mapped());
    }
  }
  for (const auto& [path, known] : before) setup_.git.tasks().cancel(known.asked.task);
}

Result<void> KnownSubmodules::update(const ModelView& view, InputVersions& versions,
                                     std::set<uint32_t> touched, bool unreported) {
  const Counts found_in = {versions.index, versions.scan, versions.binding, versions.staged};
  const Counts looked_with = {versions.rules, versions.attributes, versions.config};
  const bool is_found = found_in_ == found_in;
  std::set<uint32_t> to_look;
  if (!is_found) {
    found_in_.reset();
    find_gitlinks(view, to_look);
  }
  if (!any_) {
    found_in_ = found_in;
    return {};
  }
  std::copy_if(touched.begin(), touched.end(), std::inserter(to_look, to_look.end()),
               [&](uint32_t position) {
                 return position < view.index.entries().size() &&
                        view.index.entries()[position].mode == kModeGitlink &&
                        view.limit.has_entry(view.index, position);
               });
  for (auto& [position, known] : by_position_) {
    if (known.scan) go_on(position, known);
  }
  // If changes in a submodule cannot be detected, ask again when due.
  for (auto& [position, known] : by_position_) {
    const bool files_differ = known.files.differs(setup_.fs, setup_.gate);
    if (files_differ) setup_.changed(known.path);
    const bool differs = looked_with_ != looked_with || files_differ;
    if (differs) known.asked.for_unsettled = 0;
    const bool is_unsure = unreported || !known.files_tell || !known.files.is_settled();
    const bool is_due = known.asked.again && known.asked.task == 0;
    if (differs || is_due || (is_unsure && setup_.git.is_to_be_asked_again(known.asked))) {
      to_look.insert(position);
    }
  }
  find_other_programs(to_look);
  const bool differs = !is_found || std::exchange(gitmodules_asked_.again, false) ||
                       gitmodules_files_.differs(setup_.fs, setup_.gate);
  if (differs) gitmodules_asked_.for_unsettled = 0;
  const bool is_unsure = gitmodules_error_ || !gitmodules_files_.is_settled();
  found_in_.reset();
  if (differs || (is_unsure && setup_.git.is_to_be_asked_again(gitmodules_asked_))) {
    RESIDENT_CHECK(update_gitmodules(view));
  }
  for (const uint32_t position : to_look) look(view, position);
  if (setup_.git.runs_in_place()) (void)setup_.git.tasks().deliver();
  found_in_ = found_in;
  looked_with_ = looked_with;
  versions.ignores = ignores_read_;
  return check_errors();
}

// --- .gitmodules

Result<void> KnownSubmodules::update_gitmodules(const ModelView& view) {
  gitmodules_asked_.again = gitmodules_asked_.task != 0;
  if (gitmodules_asked_.again) return {};
  setup_.git.record_request(gitmodules_asked_);
  gitmodules_files_ = FileSet::record(setup_.fs, {view.absolute(kGitmodules)});
  RESIDENT_TRY(const StoredGitmodules stored, stored_gitmodules(view));
  std::optional<GitCommand> command = SubmoduleIgnores::command(
      setup_.fs, setup_.repository.worktree, setup_.repository.git_dir, stored);
  if (!command) {
    apply_gitmodules(nullptr);
    return {};
  }
  gitmodules_asked_.task =
      setup_.git.tasks().start(*std::move(command), {"git config of .gitmodules"},
                               [this](const Result<GitOutput>& said) { apply_gitmodules(&said); });
  if (setup_.git.runs_in_place()) (void)setup_.git.tasks().deliver();
  return {};
}

// Null: git has nothing to read.
void KnownSubmodules::apply_gitmodules(const Result<GitOutput>* said) {
  setup_.git.record_answer(gitmodules_asked_);
  const bool had_error = gitmodules_error_.has_value();
  gitmodules_error_.reset();
  if (said && !said->ok()) {
    gitmodules_error_ = said->error();
    return;
  }
  Result<SubmoduleIgnores> ignores = SubmoduleIgnores::from_git(
      setup_.repository.worktree, setup_.config(), said ? std::optional(**said) : std::nullopt);
  if (!ignores.ok()) {
    gitmodules_error_ = std::move(ignores).error();
    return;
  }
  ignores_ = std::move(ignores).value();
  ++ignores_read_;
  if (had_error) setup_.readable_again(kGitmodules);
}

// --- One submodule

// Call before git is asked. A record that is still valid is shared.
void KnownSubmodules::record_programs() {
  if (programs_around_ && programs_around_->hold(setup_.fs)) return;
  std::vector<ConfigEntry> entries = setup_.config().entries();
  std::erase_if(entries, [](const ConfigEntry& entry) {
    return entry.scope == ConfigScope::kLocal || entry.scope == ConfigScope::kWorktree;
  });
  programs_around_ = std::make_shared<const OutsidePrograms>(
      OutsidePrograms::of(setup_.fs, Config::from_entries(std::move(entries))));
}

// Outside programs are checked only during a question, or if git runs in place.
void KnownSubmodules::find_other_programs(std::set<uint32_t>& to_look) const {
  if (!setup_.git.question() && !setup_.git.runs_in_place()) return;
  std::map<const OutsidePrograms*, bool> around;
  for (const auto& [position, known] : by_position_) {
    if (!known.programs_around || !setup_.git.is_to_be_asked_again(known.asked)) continue;
    const auto [found, is_new] = around.try_emplace(known.programs_around.get());
    if (is_new) found->second = known.programs_around->hold(setup_.fs);
    if (!found->second || !known.programs.hold(setup_.fs)) to_look.insert(position);
  }
}

void KnownSubmodules::look(const ModelView& view, uint32_t position) {
  setup_.touched(position);
  Known& known = by_position_[position];
  known.path = view.index.path(position);
  known.in_index = view.index.id(position);
  const EntryState state = view.tree.entries[position];
  // If its directory exists, a skip-worktree entry counts as not marked.
  const bool believed = view.index.entries()[position].assume_valid() || state.is_skipped();
  if (!state.is_clean() || believed) {
    setup_.git.tasks().cancel(known.asked.task);
    std::string path = std::move(known.path);
    known = {};
    known.path = std::move(path);
    return;
  }
  if (known.asked.task != 0) {
    known.asked.again = true;
    return;
  }
  const std::string path = view.absolute(known.path);
  known.asked.again = false;
  setup_.git.record_request(known.asked);
  known.files = FileSet::record_found(setup_.fs, [&] {
    SubmoduleFiles files =
        submodule_files(setup_.fs, path, setup_.repository.algorithm,
                        files_around_submodules(view.state.config(), setup_.repository));
    known.files_tell = files.complete;
    known.programs = std::move(files.programs);
    return std::move(files.paths);
  });
  if (const std::optional<SubmoduleLook> look = examine_without_git(setup_.fs, path)) {
    known.state = look->state;
    known.git_warns = look->git_warns;
    known.error.reset();
    known.programs_around.reset();
  } else if (setup_.scan) {
    known.asked.task = known.asked.moment;
    known.scan = setup_.scan(path);
    go_on(position, known);
  } else {
    record_programs();
    known.programs_around = programs_around_;
    ask(known);
  }
}

void KnownSubmodules::ask(Known& known) {
  GitCommand command = submodule_status_command(setup_.repository.worktree + "/" + known.path);
  const BackgroundGit::RequestId task = setup_.git.tasks().next();
  known.asked.task =
      setup_.git.tasks().start(std::move(command), {"git status of " + known.path},
                               [this, task](const Result<GitOutput>& said) { take(task, said); });
}

void KnownSubmodules::take(BackgroundGit::RequestId task, const Result<GitOutput>& said) {
  const auto found =
      std::find_if(by_position_.begin(), by_position_.end(),
                   [task](const auto& each) { return each.second.asked.task == task; });
  if (found == by_position_.end()) return;
  auto& [position, known] = *found;
  const std::string path = setup_.repository.worktree + "/" + known.path;
  conclude(position, known,
           said.ok() ? submodule_status(path, *said) : Result<StatusResult>(said.error()));
}

void KnownSubmodules::go_on(uint32_t position, Known& known) {
  const Result<StatusResult> status = known.scan->go_on();
  if (!status.ok() && status.error().code == ErrorCode::kPending) return;
  known.scan.reset();
  conclude(position, known, status);
}

void KnownSubmodules::conclude(uint32_t position, Known& known,
                               const Result<StatusResult>& status) {
  setup_.git.record_answer(known.asked);
  setup_.touched(position);
  const std::string path = setup_.repository.worktree + "/" + known.path;
  const Result<SubmoduleLook> look = status.ok() ? examine_by_status(path, known.in_index, *status)
                                                 : Result<SubmoduleLook>(status.error());
  if (!look.ok()) {
    known.error = look.error();
    // A later question may succeed.
    known.files_tell = false;
    return;
  }
  // The sweep asks without an event, so the change is reported here.
  if (known.state != look->state) setup_.changed(known.path);
  known.state = look->state;
  known.git_warns = look->git_warns;
  if (std::exchange(known.error, std::nullopt)) setup_.readable_again(known.path);
}

// --- Queries

std::optional<SubmoduleState> KnownSubmodules::visible(uint32_t position,
                                                       const StatusQuery& query) const {
  const auto known = by_position_.find(position);
  if (known == by_position_.end()) return std::nullopt;
  return ignores_.visible(known->second.path, known->second.state, query);
}

bool KnownSubmodules::tells_changes(uint32_t position) const {
  const auto found = by_position_.find(position);
  if (found == by_position_.end()) return false;
  const Known& known = found->second;
  return known.files_tell && known.files.is_settled() && !known.files.paths().empty();
}

std::string KnownSubmodules::what_git_warns_of() const {
  if (any_ && ignores_.git_warns()) return kGitmodules;
  const auto warned = std::find_if(by_position_.begin(), by_position_.end(),
                                   [](const auto& each) { return each.second.git_warns; });
  return warned == by_position_.end() ? "" : warned->second.path;
}

Result<void> KnownSubmodules::check_gitmodules() const {
  if (!setup_.git.is_pending(gitmodules_asked_)) return {};
  return BackgroundGit::pending("git config of .gitmodules");
}

Result<void> KnownSubmodules::check_known(const Known& known) const {
  if (!setup_.git.is_pending(known.asked)) return {};
  return BackgroundGit::pending("git status of " + known.path);
}

Result<void> KnownSubmodules::check(const Index& index, const PathLimit& limit) const {
  if (!any_) return {};
  RESIDENT_CHECK(check_gitmodules());
  for (const auto& [position, known] : by_position_) {
    if (limit.has_entry(index, position)) RESIDENT_CHECK(check_known(known));
  }
  return {};
}

// A question does not fail because of an error that git reported before the question.
Result<void> KnownSubmodules::check_errors() const {
  const bool is_asked = setup_.git.question().has_value();
  if (gitmodules_error_) {
    if (is_asked) RESIDENT_CHECK(check_gitmodules());
    return *gitmodules_error_;
  }
  for (const auto& [position, known] : by_position_) {
    if (!known.error) continue;
    if (is_asked) RESIDENT_CHECK(check_known(known));
    return *known.error;
  }
  return {};
}

BackgroundGit::DueTime KnownSubmodules::due() const {
  if (!any_) return std::nullopt;
  BackgroundGit::DueTime due = setup_.git.due_again(gitmodules_asked_, gitmodules_files_);
  for (const auto& [position, known] : by_position_) {
    if (known.asked.task != 0) continue;
    due = BackgroundGit::earlier(due, setup_.git.due_again(known.asked, known.files));
  }
  return due;
}

void KnownSubmodules::add_files(std::vector<std::string>& files) const {
  const auto add = [&files](const FileSet& more) {
    files.insert(files.end(), more.paths().begin(), more.paths().end());
  };
  add(gitmodules_files_);
  for (const auto& [position, known] : by_position_) add(known.files);
}

std::optional<GitTasks::Awaited> KnownSubmodules::awaited_by_scans() const {
  std::optional<GitTasks::Awaited> longest;
  for (const auto& [position, known] : by_position_) {
    if (!known.scan) continue;
    std::optional<GitTasks::Awaited> awaited = known.scan->awaited();
    if (awaited && (!longest || awaited->since < longest->since)) longest = std::move(awaited);
  }
  return longest;
}

}  // namespace resident
