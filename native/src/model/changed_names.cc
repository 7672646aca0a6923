#include "model/changed_names.h"

#include <set>
#include <utility>

#include "model/git_names.h"

namespace resident {

namespace {

// Maximum number of changed names: with more, reporting "everything" is cheaper. The list of all
// directories has no limit. It is reported once, and avoids a later "everything".
constexpr size_t kMaxNames = 200'000;

}  // namespace

std::vector<std::string> names_for_people(const ChangeJournal::Since& since, const TreeState& tree,
                                          const KnownSubmodules& submodules) {
  std::vector<std::string> names;
  std::set<std::string> told;
  const auto add = [&](std::string path) {
    if (told.insert(path).second) names.push_back(std::move(path));
  };
  for (const std::string_view name : since.names) add(std::string(name));
  for (const std::string_view path : since.submodules) add(std::string(path));
  const Index& index = *tree.index;
  for (const uint32_t position : index.gitlinks()) {
    if (!submodules.tells_changes(position)) add(index.path(position));
  }
  for (std::string& path : tree.links.paths()) add(std::move(path));
  return names;
}

std::optional<std::vector<std::string>> names_for_git(const ChangeJournal::Since& since,
                                                      const TreeState& tree, std::string_view token,
                                                      ChangesFor whom) {
  const Index& index = *tree.index;
  GitNames names;
  const auto add_directories = [&names](const DirectoryNode& top) {
    for_each_node(top, [&](const DirectoryNode& node) {
      if (!node.submodule) names.add_in(node.path());
    });
  };
  const auto add_entry = [&](uint32_t position) { names.add(index.path(position)); };
  const auto enough = [&] { return !names.are_enough() || names.count() > kMaxNames; };
  // Git's index may mark a dirty entry as clean, since other programs write the same index. A
  // submodule's directory does not show changes inside the submodule. Both are therefore named. But
  // each name makes git write its index again. If git shows the token of this index, git has read
  // this index: no two answers share a token. Git then checks its dirty entries anyway, and needs
  // no name.
  const bool is_index_of_git = !token.empty() && index.fsmonitor_token() == token;
  const auto add_unless_dirty = [&](uint32_t position) {
    if (!is_index_of_git || !index.is_fsmonitor_dirty(position)) add_entry(position);
  };
  for (const uint32_t position : tree.entries.changed()) add_unless_dirty(position);
  for (const uint32_t position : index.gitlinks()) add_unless_dirty(position);
  // `git rm` and `git mv` of a submodule write .gitmodules after their question, and would not
  // stage it. With this name, git marks the file as clean again after each check, and writes its
  // index.
  const auto modules = index.find_path(kGitmodules);
  if (modules && whom == ChangesFor::kGit) add_unless_dirty(*modules);
  for (const std::string& path : tree.links.paths()) names.add(path);
  for (const std::string_view name : since.names) {
    if (enough()) return std::nullopt;
    if (!name.ends_with('/')) {
      names.add(name);
      continue;
    }
    names.add_below(name);
    if (const DirectoryNode* node = tree.find_node(name)) add_directories(*node);
    if (const auto directory = index.find_directory(name.substr(0, name.size() - 1))) {
      const auto [first, last] = index.subtree_entries(*directory);
      if (last - first > kMaxNames) return std::nullopt;
      for (uint32_t position = first; position < last; ++position) add_entry(position);
    }
  }
  if (enough()) return std::nullopt;
  if (since.given_all) add_directories(*tree.top);
  if (!names.are_enough()) return std::nullopt;
  return names.take();
}

}  // namespace resident
