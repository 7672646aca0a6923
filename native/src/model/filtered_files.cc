#include "model/filtered_files.h"

#include <vector>

namespace resident {

void FilteredFiles::ask() {
  // Without background git: maximum number of questions about a file that changes while its filter
  // runs.
  constexpr int kMaxTries = 3;
  FilterQuestions& filters = inputs_.content.filters();
  const auto find_program = [this](const std::string& filter) {
    return inputs_.content.filter_program(filter);
  };
  const auto look = [this](const std::string& path) { recheck(path); };
  for (int tries = 0; tries < kMaxTries && !filters.empty(); ++tries) {
    filters.ask_git(inputs_.git.tasks(), inputs_.repository.worktree, find_program, look);
    if (!inputs_.git.runs_in_place()) return;
    (void)inputs_.git.tasks().deliver();
  }
}

bool FilteredFiles::compare_outdated(const Counts& counts) {
  // A model without a watcher has just asked. With background git, only a question waits for git.
  const BackgroundGit& git = inputs_.git;
  if (!inputs_.options.watcher || (!git.question() && !git.runs_in_place())) return false;
  const std::vector<std::string> outdated =
      inputs_.content.filters().take_outdated(inputs_.fs, git.since(), counts);
  for (const std::string& path : outdated) tree_.compare_again(path);
  return !outdated.empty();
}

Result<void> FilteredFiles::check(const Counts& counts) const {
  for (const std::string& path : inputs_.content.filters().paths()) {
    if (!counts(path)) continue;
    if (!inputs_.git.runs_in_place()) return BackgroundGit::pending("the filter of " + path);
    return Error{ErrorCode::kUnsupported, path + ": the file keeps changing while the filter runs"};
  }
  return {};
}

// If a scan is due, it checks every file anyway.
void FilteredFiles::recheck(const std::string& path) {
  if (!is_complete_()) return;
  // Do not reuse an earlier comparison for this answer.
  tree_.compare_again(path);
  // The file has changed meanwhile.
  if (inputs_.content.filters().is_asked(path)) (void)tree_.recheck(path);
}

void FilteredFiles::compare_again() {
  const std::vector<std::string> paths = inputs_.content.filters().paths();
  drop_all();
  tree_.compare_all_again();
  for (const std::string& path : paths) tree_.recheck_content(path);
}

void FilteredFiles::drop_removed() {
  for (const std::string& path : inputs_.content.filters().paths()) {
    if (!inputs_.index->find_path(path)) inputs_.content.filters().drop(path);
  }
}

}  // namespace resident
