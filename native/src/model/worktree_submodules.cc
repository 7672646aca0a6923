// The part of WorktreeModel about submodules.
#include <algorithm>
#include <utility>

#include "model/worktree_model.h"
#include "object/tree.h"

namespace resident {

// Where nothing that a repository's config names may be run, a submodule is scanned like the
// worktree itself.
SubmoduleStatus WorktreeModel::submodule_asker() {
  if (options_.trusted) return ask_git_in_submodule;
  return [this](const std::string& path) -> Result<StatusResult> {
    RESIDENT_TRY(Repository repository, discover(path));
    Options options;
    options.threads = options_.threads;
    options.trusted = false;
    WorktreeModel submodule(fs_, std::move(repository), options);
    RESIDENT_CHECK(submodule.scan());
    StatusQuery query;
    query.branch = true;
    const auto untracked = submodule.config()->get("status.showuntrackedfiles").value_or("normal");
    if (untracked == "no") query.untracked = UntrackedMode::kNo;
    if (Result<StatusResult> silent = submodule.answer_if_no_warnings(query); silent.ok())
      return silent;
    RESIDENT_TRY(StatusResult status, submodule.answer(query));
    status.git_warned = true;
    return status;
  };
}

Result<StoredGitmodules> WorktreeModel::stored_gitmodules() {
  constexpr std::string_view kName = ".gitmodules";
  if (auto position = index_->find_path(kName)) {
    const bool merged = index_->entries()[*position].stage() == 0;
    return merged ? StoredGitmodules::kIndex : StoredGitmodules::kUnmerged;
  }
  if (!state_->head_tree()) return StoredGitmodules::kNone;
  RESIDENT_TRY(const std::string root, state_->objects().read_tree(*state_->head_tree()));
  for (TreeIterator entries(root, repository_.algorithm);;) {
    RESIDENT_TRY(const bool more, entries.next());
    if (!more) return StoredGitmodules::kNone;
    if (entries.entry().name == kName) return StoredGitmodules::kHead;
  }
}

// After a change of the index, of HEAD or of the config: what is known goes with its path.
void WorktreeModel::find_gitlinks(std::set<uint32_t>& to_look) {
  const PathLimit limit = limit_of(options_.pathspec);
  std::map<std::string, SubmoduleKnown> before;
  for (auto& [position, known] : submodules_) before.emplace(known.path, std::move(known));
  submodules_.clear();
  has_gitlinks_ = false;
  for (const uint32_t i : index_->gitlinks()) {
    if (!limit.has_entry(*index_, i)) continue;
    has_gitlinks_ = true;
    if (index_->entries()[i].stage() != 0) continue;
    to_look.insert(i);
    if (auto known = before.extract(index_->path(i))) submodules_[i] = std::move(known.mapped());
  }
  for (const auto& [path, known] : before) tasks_.cancel(known.asked.task);
}

void WorktreeModel::take_gitmodules(const Result<GitOutput>* said) {
  note_heard(gitmodules_asked_);
  gitmodules_error_.reset();
  std::optional<GitOutput> output;
  if (said && said->ok()) output = **said;
  Result<SubmoduleIgnores> ignores =
      said && !said->ok()
          ? Result<SubmoduleIgnores>(said->error())
          : SubmoduleIgnores::from_git(repository_.worktree, state_->config(), output);
  if (!ignores.ok()) {
    gitmodules_error_ = std::move(ignores).error();
    return;
  }
  submodule_ignores_ = std::move(ignores).value();
  rows_differ_ = true;
}

Result<void> WorktreeModel::update_gitmodules() {
  gitmodules_asked_.again = gitmodules_asked_.task != 0;
  if (gitmodules_asked_.again) return {};
  note_asked(gitmodules_asked_);
  submodule_files_ = FileSet::record(fs_, {repository_.worktree + "/.gitmodules"});
  RESIDENT_TRY(const StoredGitmodules stored, stored_gitmodules());
  std::optional<GitCommand> command =
      SubmoduleIgnores::command(fs_, repository_.worktree, repository_.git_dir, stored);
  if (!command) {
    take_gitmodules(nullptr);
    return {};
  }
  gitmodules_asked_.task =
      tasks_.start(*std::move(command), {"git config of .gitmodules"},
                   [this](const Result<GitOutput>& said) { take_gitmodules(&said); });
  if (tasks_.runs_in_place()) (void)tasks_.deliver();
  return {};
}

Result<void> WorktreeModel::update_submodules() {
  Touched touched = tree_->take_touched();
  touched_rows_due_.insert(touched.entries.begin(), touched.entries.end());
  for (const auto& [path, was] : touched.untracked) touched_untracked_.emplace(path, was);
  ignore_rules_changed_ |= touched.ignore_rules;

  std::set<uint32_t> to_look = std::move(touched.submodules);
  const PathLimit limit = limit_of(options_.pathspec);
  const bool gitlinks_differ = std::exchange(gitlinks_differ_, false);
  if (gitlinks_differ) find_gitlinks(to_look);
  if (!has_gitlinks_) return {};
  std::erase_if(to_look, [&](uint32_t position) {
    return position >= index_->entries().size() ||
           index_->entries()[position].mode != kModeGitlink || !limit.has_entry(*index_, position);
  });
  // What nothing tells of is asked again where that is due.
  const bool untold = !options_.watcher || tree_->polls();
  for (auto& [position, known] : submodules_) {
    const bool differs = submodules_differ_ || known.files.differs(fs_, options_.gate);
    if (differs) known.asked.for_unsettled = 0;
    const bool is_unsure = untold || !known.files_tell || !known.files.is_settled();
    const bool is_due = known.asked.again && known.asked.task == 0;
    if (differs || is_due || (is_unsure && is_to_be_asked_again(known.asked))) {
      to_look.insert(position);
    }
  }
  const bool differs = gitlinks_differ || std::exchange(gitmodules_asked_.again, false) ||
                       submodule_files_.differs(fs_, options_.gate);
  if (differs) gitmodules_asked_.for_unsettled = 0;
  const bool is_unsure = gitmodules_error_ || !submodule_files_.is_settled();
  if (differs || (is_unsure && is_to_be_asked_again(gitmodules_asked_))) {
    // Until it is done.
    gitlinks_differ_ = true;
    RESIDENT_CHECK(update_gitmodules());
    gitlinks_differ_ = false;
  }
  for (const uint32_t position : to_look) RESIDENT_CHECK(update_submodule(position));
  if (tasks_.runs_in_place()) (void)tasks_.deliver();
  submodules_differ_ = false;
  return check_submodules();
}

// A question does not fail for what git said before it was put.
Result<void> WorktreeModel::check_submodules() const {
  if (gitmodules_error_) {
    if (asked_) RESIDENT_CHECK(check_gitmodules());
    return *gitmodules_error_;
  }
  for (const auto& [position, known] : submodules_) {
    if (!known.error) continue;
    if (asked_) RESIDENT_CHECK(check_submodule(known));
    return *known.error;
  }
  return {};
}

Result<void> WorktreeModel::update_submodule(uint32_t position) {
  touched_rows_due_.insert(position);
  SubmoduleKnown& known = submodules_[position];
  known.path = index_->path(position);
  const EntryState state = tree_->states()[position];
  // A skip-worktree entry whose directory is there counts as if it were not marked.
  const bool believed = index_->entries()[position].assume_valid() || state.is_skipped();
  if (!state.is_clean() || believed) {
    tasks_.cancel(known.asked.task);
    known = {.path = std::move(known.path)};
    return {};
  }
  if (known.asked.task != 0) {
    known.asked.again = true;
    return {};
  }
  const std::string path = repository_.worktree + "/" + known.path;
  known.asked.again = false;
  note_asked(known.asked);
  known.files = FileSet::record_found(fs_, [&] {
    SubmoduleFiles files = submodule_files(fs_, path, repository_.algorithm);
    known.files_tell = files.complete;
    return std::move(files.paths);
  });
  std::optional<SubmoduleLook> look = look_without_asking(fs_, path);
  if (!look && !options_.trusted) {
    RESIDENT_TRY(look, look_at_submodule(fs_, path, index_->id(position), submodule_asker()));
  }
  if (look) {
    known.state = look->state;
    known.git_warns = look->git_warns;
    known.error.reset();
  } else {
    ask_submodule(known);
  }
  return {};
}

void WorktreeModel::ask_submodule(SubmoduleKnown& known) {
  GitCommand command = submodule_status_command(repository_.worktree + "/" + known.path);
  const Moment task = tasks_.next();
  known.asked.task = tasks_.start(std::move(command), {"git status of " + known.path},
                                  [this, task, path = known.path](const Result<GitOutput>& said) {
                                    take_submodule(path, task, said);
                                  });
}

void WorktreeModel::take_submodule(const std::string& path, Moment task,
                                   const Result<GitOutput>& said) {
  const auto found = std::find_if(submodules_.begin(), submodules_.end(), [task](const auto& each) {
    return each.second.asked.task == task;
  });
  if (found == submodules_.end()) return;
  const uint32_t position = found->first;
  SubmoduleKnown& known = found->second;
  note_heard(known.asked);
  // Positions are out of date until find_gitlinks(), after which it is looked at again anyway.
  if (position >= index_->entries().size() || index_->path(position) != path) return;
  touched_rows_due_.insert(position);
  const Result<SubmoduleLook> look = look_by_answer(path, index_->id(position), said);
  if (look.ok()) {
    known.state = look->state;
    known.git_warns = look->git_warns;
    // Perhaps git answers for the worktree because of that.
    if (std::exchange(known.error, std::nullopt) && is_delegated()) {
      distrust(path + " can be read again");
    }
  } else {
    known.error = look.error();
    // Perhaps it can be asked later.
    known.files_tell = false;
  }
}

Result<SubmoduleLook> WorktreeModel::look_by_answer(const std::string& path,
                                                    const ObjectId& in_index,
                                                    const Result<GitOutput>& said) const {
  const std::string directory = repository_.worktree + "/" + path;
  RESIDENT_TRY(const GitOutput output, said);
  RESIDENT_TRY(const StatusResult status, submodule_status(directory, output));
  return look_by_status(directory, in_index, status);
}

}  // namespace resident
