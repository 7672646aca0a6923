#include "verbs/git_command_line.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/path_parts.h"

namespace resident {

namespace {

constexpr std::string_view kKeepingModules[] = {
    "add",   "checkout", "commit", "describe", "diff",   "diff-files", "diff-index",  "ls-files",
    "merge", "reset",    "stash",  "restore",  "status", "switch",     "update-index"};
// Other commands that compare no tree with files, in the sense of
// GitRules::diffs_trees_with_monitor.
constexpr std::string_view kOthersThatDiffNoTree[] = {
    "am",     "apply", "blame", "checkout-index", "cherry-pick", "clean",           "log", "mv",
    "rebase", "pull",  "grep",  "read-tree",      "revert",      "sparse-checkout", "rm",  "show"};
// Known options before the command. The value of an unknown option can look like a command.
constexpr std::string_view kOptions[] = {"-p",
                                         "--paginate",
                                         "-P",
                                         "--no-pager",
                                         "--no-optional-locks",
                                         "--no-replace-objects",
                                         "--no-lazy-fetch",
                                         "--no-advice",
                                         "--literal-pathspecs",
                                         "--glob-pathspecs",
                                         "--noglob-pathspecs",
                                         "--icase-pathspecs"};
constexpr std::string_view kOptionsWithValue[] = {
    "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"};

template <size_t N>
bool is_among(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Removes and returns the text before the first NUL; nullopt without a NUL.
std::optional<std::string_view> next_word(std::string_view& words) {
  const size_t end = words.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(end + 1);
  return word;
}

// Removes git and its options, and returns the command; nullopt if unknown.
std::optional<std::string_view> next_command(std::string_view& words) {
  const auto program = next_word(words);
  if (!program || base_name(*program) != "git") return std::nullopt;
  while (const auto word = next_word(words)) {
    if (!word->starts_with('-')) return word;
    const bool is_whole = word->starts_with("--") && word->find('=') != std::string_view::npos;
    if (is_among(kOptionsWithValue, *word)) {
      if (!next_word(words)) return std::nullopt;
    } else if (!is_whole && !is_among(kOptions, *word)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

bool keeps_modules(std::string_view command_line) {
  const auto command = next_command(command_line);
  return command && is_among(kKeepingModules, *command);
}

bool may_diff_tree(std::string_view command_line) {
  const std::string_view program = command_line.substr(0, command_line.find('\0'));
  if (!base_name(program).starts_with("git")) return false;
  const auto command = next_command(command_line);
  if (!command) return true;
  const bool is_index_diff = *command == "diff-index";
  if (!is_index_diff && *command != "diff") {
    return !is_among(kKeepingModules, *command) && !is_among(kOthersThatDiffNoTree, *command);
  }
  bool names_tree = is_index_diff;
  while (const auto word = next_word(command_line)) {
    if (*word == "--") break;
    if (*word == "--cached" || *word == "--staged") return false;
    names_tree |= !word->starts_with('-');
  }
  return names_tree;
}

}  // namespace resident
