// Config: git's configuration of one worktree, as `git config --list` tells it.
//
// git itself reads the files (one spawn), so that includes, conditions, scopes and every
// GIT_CONFIG_* variable are right by construction. What it said is kept together with the stat of
// every file that decides it, those that do not exist yet included; is_fresh() tells by stat alone
// whether it still holds.
//
// Keys are canonical: section and variable in lower case, the subsection as written
// ("branch.Main.merge"). Members that take a key accept any case of section and variable.
//
// Threads: immutable after load().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "fs/file_system.h"
#include "git/git_runner.h"

namespace resident {

enum class ConfigScope : uint8_t { kUnknown, kSystem, kGlobal, kLocal, kWorktree, kCommand };

struct ConfigEntry {
  std::string key = {};
  // Unset for a variable without '=' ("[core] bare"), which is true as a boolean and an error as a
  // string.
  std::optional<std::string> value = {};
  ConfigScope scope = ConfigScope::kUnknown;
  // Absolute path; empty where no file holds it (command line, environment).
  std::string file = {};
  friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

// Where the configuration is asked for.
struct ConfigPlace {
  // Where git runs; empty: this process's working directory. A helper that serves many worktrees
  // names the worktree's root; a command that stands in for git keeps its own directory, because
  // `includeIf "gitdir:"` can see the difference where symbolic links lead there.
  std::string directory = {};
  std::string worktree = {};
  std::string git_dir = {};
  std::string common_dir = {};
};

class Config {
 public:
  // A bad config is kCorrupt with git's message, which names file and line.
  static Result<Config> load(FileSystem& fs, const ConfigPlace& place);
  // The same in two steps: what git is asked, and what is made of its answer. `asked_at`: before
  // git was started.
  static GitCommand command(const ConfigPlace& place);
  static Result<Config> from_git(FileSystem& fs, const ConfigPlace& place, const GitOutput& said,
                                 Timestamp asked_at);
  // For tests, and for what was sent from elsewhere. Depends on no file.
  static Config from_entries(std::vector<ConfigEntry> entries);

  // Everything, in the order in which git reads it: later entries win.
  const std::vector<ConfigEntry>& entries() const { return entries_; }

  // The last entry of that key; null where there is none.
  const ConfigEntry* find(std::string_view key) const;
  // The last value; a variable without '=' reads as "".
  std::optional<std::string_view> get(std::string_view key) const;
  std::vector<std::string_view> get_all(std::string_view key) const;
  // nullopt where it is absent, and where it is no boolean or number: git would refuse to go on, so
  // whoever needs git's refusal checks the entries with parse_bool and parse_int.
  std::optional<bool> get_bool(std::string_view key) const;
  bool get_bool(std::string_view key, bool fallback) const {
    return get_bool(key).value_or(fallback);
  }
  // With git's suffixes k, m and g.
  std::optional<int64_t> get_int(std::string_view key) const;
  // "~/", "~user/" and "%(prefix)/" expanded; nullopt also where that fails.
  std::optional<std::string> get_path(std::string_view key) const;

  // Every file whose stat decides the configuration, existing or not, absolute, without repetition.
  std::vector<std::string> files() const;
  // False once a file is not what it was, and while it could have changed just when git read it.
  bool is_fresh(FileSystem& fs) const { return is_settled() && is_as_read(fs); }
  // The two halves of is_fresh(), the second of all files, or of one of files() by its position.
  bool is_settled() const { return settled_; }
  bool is_as_read(FileSystem& fs) const;
  bool is_as_read(FileSystem& fs, size_t file) const;
  // Another branch can make it another one, though none of files() differs: HEAD can lead to it by
  // way of other refs.
  bool depends_on_head() const { return depends_on_head_; }
  // git said something on standard error while it listed the configuration (a file that it may not
  // read), as it then does in every command.
  bool git_warns() const { return git_warns_; }

 private:
  struct DecidingFile {
    std::string path;
    std::optional<FileStat> stat;  // unset: there is none, or it cannot be seen
  };

  void add_index();
  // `was_read`: git has just found something in it.
  void add_file(FileSystem& fs, const std::string& path, Timestamp asked_at, bool was_read);

  std::vector<ConfigEntry> entries_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_key_;
  std::vector<DecidingFile> files_;
  bool depends_on_head_ = false;  // by an `includeIf "onbranch:…"`
  bool git_warns_ = false;
  bool settled_ = true;  // no file was written so late that the same stat could hide a second write
};

}  // namespace resident
