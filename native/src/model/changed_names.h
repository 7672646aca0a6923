// The names that changed in a worktree since a token of its ChangeJournal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/known_submodules.h"
#include "tree/change_journal.h"
#include "tree/tree_state.h"

namespace resident {

enum class ChangesFor : uint8_t {
  // For GitNames: names that make git check all changes and all entries that are not clean.
  kGit,
  // The same for a command that does not stage its later write to .gitmodules.
  kGitKeepingModules,
  // Paths, each once. A directory that came or went ends in '/' and stands for all below. A
  // submodule's path stands for its content and its commit.
  kPeople,
};

struct Changes {
  bool everything = false;
  std::string token;  // for the next call
  std::vector<std::string> names;
};

std::vector<std::string> names_for_people(const ChangeJournal::Since& since, const TreeState& tree,
                                          const KnownSubmodules& submodules);
// `whom`: one of the values for git. nullopt: git must be told that everything changed.
std::optional<std::vector<std::string>> names_for_git(const ChangeJournal::Since& since,
                                                      const TreeState& tree, std::string_view token,
                                                      ChangesFor whom);

}  // namespace resident
