// Config: git's configuration of one worktree, the data of `git config --list`.
//
// git itself reads the files (one spawn). This makes includes, conditions, scopes and every
// GIT_CONFIG_* variable right by construction. The object also keeps the stat of every file that
// decides the config, including files that do not exist yet. is_fresh() checks only these stats.
//
// Keys are canonical: section and variable are in lower case, the subsection keeps its case
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
  // Unset for a variable without '=' ("[core] bare"). Such a variable is true as a boolean and an
  // error as a string.
  std::optional<std::string> value = {};
  ConfigScope scope = ConfigScope::kUnknown;
  // Absolute path. Empty if no file holds the entry (command line, environment).
  std::string file = {};
  friend bool operator==(const ConfigEntry&, const ConfigEntry&) = default;
};

// The place whose configuration is read.
struct ConfigPlace {
  // The working directory of git; empty: that of this process. A helper that serves many worktrees
  // sets the root of the worktree. A command that replaces git keeps its own directory: `includeIf
  // "gitdir:"` can see the difference if symbolic links lead there.
  std::string directory = {};
  std::string worktree = {};
  std::string git_dir = {};
  std::string common_dir = {};
};

class Config {
 public:
  // Fails with kCorrupt for a bad config. The message is git's and names file and line.
  static Result<Config> load(FileSystem& fs, const ConfigPlace& place);
  // The same in two steps: the git command, and the parser of its output. `asked_at` is a time
  // before git was started.
  static GitCommand command(const ConfigPlace& place);
  static Result<Config> from_git(FileSystem& fs, const ConfigPlace& place, const GitOutput& said,
                                 Timestamp asked_at);
  // For tests, and for entries that another process sent. Depends on no file.
  static Config from_entries(std::vector<ConfigEntry> entries);

  // All entries, in the order in which git reads them: later entries win.
  const std::vector<ConfigEntry>& entries() const { return entries_; }

  // The last entry of the key, or null.
  const ConfigEntry* find(std::string_view key) const;
  // The last value. A variable without '=' has the value "".
  std::optional<std::string_view> get(std::string_view key) const;
  std::vector<std::string_view> get_all(std::string_view key) const;
  // Returns nullopt if the key is missing, or its value is no boolean or number. git would refuse
  // to continue with such a value. A caller that needs git's refusal must check the entries with
  // parse_config_bool() and parse_config_int().
  std::optional<bool> get_bool(std::string_view key) const;
  bool get_bool(std::string_view key, bool fallback) const {
    return get_bool(key).value_or(fallback);
  }
  // Accepts git's suffixes k, m and g.
  std::optional<int64_t> get_int(std::string_view key) const;
  // Expands "~/", "~user/" and "%(prefix)/". Returns nullopt also if that fails.
  std::optional<std::string> get_path(std::string_view key) const;

  // Every file whose stat decides the configuration, existing or not. Paths are absolute and
  // unique.
  std::vector<std::string> files() const;
  // False if a file changed, or could have changed while git read it.
  bool is_fresh(FileSystem& fs) const { return is_settled() && is_as_read(fs); }
  // The two halves of is_fresh(). is_as_read() checks all files, or only files()[file].
  bool is_settled() const { return settled_; }
  bool is_as_read(FileSystem& fs) const;
  bool is_as_read(FileSystem& fs, size_t file) const;
  // A switch of the branch can change the config without a change in files(). HEAD can lead to the
  // branch through other refs.
  bool depends_on_head() const { return depends_on_head_; }
  // git printed a warning while it listed the configuration, for instance about an unreadable file.
  // It then prints that warning in every command.
  bool git_warns() const { return git_warns_; }

 private:
  struct DecidingFile {
    std::string path;
    std::optional<FileStat> stat;  // unset: the file is missing or inaccessible
  };

  void add_index();
  // `was_read`: git has just read entries from the file.
  void add_file(FileSystem& fs, const std::string& path, Timestamp asked_at, bool was_read);

  std::vector<ConfigEntry> entries_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_key_;
  std::vector<DecidingFile> files_;
  bool depends_on_head_ = false;  // has an `includeIf "onbranch:…"`
  bool git_warns_ = false;
  bool settled_ = true;  // no file was written so late that its stat could hide a second write
};

}  // namespace resident
