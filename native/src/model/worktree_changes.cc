// The part of WorktreeModel that tells which names changed.
#include <set>
#include <utility>

#include "model/git_names.h"
#include "model/worktree_model.h"

namespace resident {

namespace {

// More names than these are not worth being told one by one. Of directories all are told where that
// is needed: once, and then never "everything" again.
constexpr size_t kMaxNames = 200'000;

}  // namespace

// What is polled, or seen through a link from elsewhere, changes without a step. A config that git
// has yet to tell may make everything another thing.
bool WorktreeModel::knows_every_change() const {
  return options_.watcher && scanned_ && desynced_.empty() && pending_.empty() && !is_delegated() &&
         !settings_differ_ && !state_->awaits_git() && !state_->settings().ignore_case &&
         !index_.has_untaken() && tree_->sparse_present().empty() && !tree_->polls() &&
         tree_->linked_beyond() == 0;
}

WorktreeModel::Changes WorktreeModel::changes_since(std::string_view token, ChangesFor whom) {
  const Changes unknown{true, ChangeJournal::no_token(), {}};
  if (scanned_ && tree_->polls()) return unknown;
  if (!update(Poll::kNothing).ok() || !knows_every_change()) return unknown;
  const auto issue_token = [&](bool given_all) {
    return whom == ChangesFor::kPeople ? journal_.issue_token(given_all)
                                       : journal_.issue_own_token(given_all);
  };
  if (const std::optional<ChangeJournal::Since> since = journal_.since(token)) {
    std::optional<std::vector<std::string>> names;
    if (whom != ChangesFor::kPeople) {
      names = names_for_git(*since, token, whom);
    } else {
      names = names_for_people(*since);
    }
    if (names) return {false, issue_token(false), *std::move(names)};
  }
  // git verifies every entry after this answer, but no directory that its untracked cache has.
  // Without a cache in the index, git fills a new one after this token.
  const bool keeps_directories =
      whom == ChangesFor::kPeople || !index_->untracked_cache_place().empty();
  return {true, issue_token(keeps_directories), {}};
}

std::vector<std::string> WorktreeModel::names_for_people(const ChangeJournal::Since& since) const {
  std::vector<std::string> names;
  std::set<std::string> told;
  const auto add = [&](std::string path) {
    if (told.insert(path).second) names.push_back(std::move(path));
  };
  for (const std::string_view name : since.names) add(std::string(name));
  for (const std::string_view path : since.submodules) add(std::string(path));
  const Index& index = tree_->index();
  for (const uint32_t position : index.gitlinks()) {
    if (!submodules_.tells_changes(position)) add(index.path(position));
  }
  for (std::string& path : tree_->linked()) add(std::move(path));
  return names;
}

// nullopt: git has to be told that everything changed.
std::optional<std::vector<std::string>> WorktreeModel::names_for_git(
    const ChangeJournal::Since& since, std::string_view token, ChangesFor whom) const {
  const Index& index = tree_->index();
  GitNames names;
  const auto add_directories = [&names](const DirectoryNode& top) {
    for_each_node(top, [&](const DirectoryNode& node) {
      if (!node.submodule) names.add_in(node.path());
    });
  };
  const auto add_entry = [&](uint32_t position) { names.add(index.path(position)); };
  const auto enough = [&] { return !names.are_enough() || names.count() > kMaxNames; };
  // git may have marked what is not clean as if it were: its marks stand in an index that others
  // write too. And a submodule's directory tells nothing of what is in it. But each name makes git
  // write its index again. The index here is the one that git has read where its token is the one
  // that git shows, which no two answers have in common: what git looks at anyway needs no name.
  const bool is_index_of_git = !token.empty() && index.fsmonitor_token() == token;
  const auto add_unless_dirty = [&](uint32_t position) {
    if (!is_index_of_git || !index.is_fsmonitor_dirty(position)) add_entry(position);
  };
  for (const uint32_t position : tree_->changed_entries()) add_unless_dirty(position);
  for (const uint32_t position : index.gitlinks()) add_unless_dirty(position);
  // `git rm` and `git mv` of a submodule write it after they have asked, and would not stage that.
  // git takes it for clean again with each look, and writes its index for that.
  const auto modules = index.find_path(kGitmodules);
  if (modules && whom == ChangesFor::kGit) add_unless_dirty(*modules);
  for (const std::string& path : tree_->linked()) names.add(path);
  for (const std::string_view name : since.names) {
    if (enough()) return std::nullopt;
    if (!name.ends_with('/')) {
      names.add(name);
      continue;
    }
    names.add_below(name);
    if (const DirectoryNode* node = tree_->find_node(name)) add_directories(*node);
    if (const auto directory = index.find_directory(name.substr(0, name.size() - 1))) {
      const auto [first, last] = index.subtree_entries(*directory);
      if (last - first > kMaxNames) return std::nullopt;
      for (uint32_t position = first; position < last; ++position) add_entry(position);
    }
  }
  if (enough()) return std::nullopt;
  if (since.given_all) add_directories(tree_->top());
  if (!names.are_enough()) return std::nullopt;
  return names.take();
}

}  // namespace resident
