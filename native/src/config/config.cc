#include "config/config.h"

#include <algorithm>

#include "config/config_files.h"
#include "config/config_listing.h"
#include "config/config_value.h"
#include "git/git_command.h"

namespace resident {

namespace {

// A file system with whole seconds can stamp a write up to a second early.
bool written_since(const FileStat& stat, Timestamp moment) {
  auto since = [&](Timestamp stamp) {
    if (stamp.nanoseconds == 0) return stamp.seconds >= moment.seconds - 1;
    return stamp >= moment;
  };
  return since(stat.mtime) || since(stat.ctime);
}

}  // namespace

Result<Config> Config::load(FileSystem& fs, const ConfigPlace& place) {
  const Timestamp asked_at = fs.now();
  RESIDENT_TRY(const GitOutput said, run_git(command(place)));
  return from_git(fs, place, said, asked_at);
}

GitCommand Config::command(const ConfigPlace& place) {
  GitCommand command;
  command.arguments = {"config", "--list", "-z", "--show-origin", "--show-scope"};
  command.options.cwd = place.directory;
  return command;
}

// git may or may not have read a write that came after `asked_at`.
Result<Config> Config::from_git(FileSystem& fs, const ConfigPlace& place, const GitOutput& said,
                                Timestamp asked_at) {
  if (said.exit_code != 0) {
    return Error{ErrorCode::kCorrupt, "git config: " + git_message(said)};
  }
  RESIDENT_TRY(std::vector<ConfigEntry> entries, parse_config_listing(said.out, place.worktree));
  Config config = from_entries(std::move(entries));
  config.git_warns_ = !said.err.empty();
  for (const ConfigEntry& entry : config.entries_) {
    if (!entry.file.empty()) config.add_file(fs, entry.file, asked_at, true);
    if (!is_include_key(entry.key)) continue;
    std::string target = include_target(entry);
    if (!target.empty()) config.add_file(fs, target, asked_at, false);
  }
  for (const std::string& path : standard_config_files(place)) {
    config.add_file(fs, path, asked_at, false);
  }
  if (config.depends_on_head_) {
    for (const char* name : {"/HEAD", "/reftable/tables.list"}) {
      config.add_file(fs, place.git_dir + name, asked_at, false);
    }
  }
  return config;
}

Config Config::from_entries(std::vector<ConfigEntry> entries) {
  Config config;
  config.entries_ = std::move(entries);
  config.add_index();
  return config;
}

void Config::add_index() {
  for (size_t i = 0; i < entries_.size(); ++i) {
    by_key_[entries_[i].key].push_back(static_cast<uint32_t>(i));
    if (entries_[i].key.starts_with("includeif.onbranch:")) depends_on_head_ = true;
  }
}

void Config::add_file(FileSystem& fs, const std::string& path, Timestamp asked_at, bool was_read) {
  bool known = std::any_of(files_.begin(), files_.end(),
                           [&](const DecidingFile& file) { return file.path == path; });
  if (known) return;
  DecidingFile file{path, std::nullopt};
  if (auto stat = fs.stat(path); stat.ok()) file.stat = *stat;
  if (!file.stat && was_read) settled_ = false;
  if (file.stat && file.stat->kind == FileKind::kRegular && written_since(*file.stat, asked_at)) {
    settled_ = false;
  }
  files_.push_back(std::move(file));
}

const ConfigEntry* Config::find(std::string_view key) const {
  auto found = by_key_.find(canonical_config_key(key));
  return found == by_key_.end() ? nullptr : &entries_[found->second.back()];
}

std::optional<std::string_view> Config::get(std::string_view key) const {
  const ConfigEntry* entry = find(key);
  if (!entry) return std::nullopt;
  return entry->value ? std::string_view(*entry->value) : std::string_view();
}

std::vector<std::string_view> Config::get_all(std::string_view key) const {
  std::vector<std::string_view> values;
  auto found = by_key_.find(canonical_config_key(key));
  if (found == by_key_.end()) return values;
  for (uint32_t i : found->second) {
    values.push_back(entries_[i].value ? std::string_view(*entries_[i].value) : std::string_view());
  }
  return values;
}

std::optional<bool> Config::get_bool(std::string_view key) const {
  const ConfigEntry* entry = find(key);
  if (!entry) return std::nullopt;
  return entry->value ? parse_config_bool(*entry->value) : true;
}

std::optional<int64_t> Config::get_int(std::string_view key) const {
  const ConfigEntry* entry = find(key);
  if (!entry || !entry->value) return std::nullopt;
  return parse_config_int(*entry->value);
}

std::optional<std::string> Config::get_path(std::string_view key) const {
  const ConfigEntry* entry = find(key);
  if (!entry || !entry->value) return std::nullopt;
  return expand_config_path(*entry->value);
}

std::vector<std::string> Config::files() const {
  std::vector<std::string> paths;
  paths.reserve(files_.size());
  for (const DecidingFile& file : files_) paths.push_back(file.path);
  return paths;
}

bool Config::is_as_read(FileSystem& fs) const {
  for (size_t i = 0; i < files_.size(); ++i) {
    if (!is_as_read(fs, i)) return false;
  }
  return true;
}

bool Config::is_as_read(FileSystem& fs, size_t file) const {
  auto now = fs.stat(files_[file].path);
  if (!now.ok()) return !files_[file].stat.has_value();
  return files_[file].stat == *now;
}

}  // namespace resident
