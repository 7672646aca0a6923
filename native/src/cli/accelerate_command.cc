// `git-resident accelerate [--many-files] [--dry-run | --undo] [<worktree>]`: has git ask us what
// changed (core.fsmonitor), and restores what was there.
//
// What is written, in the repository's own config, is said before; --dry-run says it only. Each
// setting that is replaced is recorded there as one value of kRecord, "<name>" or "<name> <value
// before>", until it is undone.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "config/config.h"
#include "config/config_value.h"
#include "fs/posix_file_system.h"
#include "git/git_command.h"
#include "repository/repository.h"

namespace resident {

namespace {

namespace stdfs = std::filesystem;

constexpr const char* kRecord = "residentGit.accelerated";
constexpr const char* kMonitor = "core.fsmonitor";
constexpr std::string_view kProgram = "/git-resident";

struct Setting {
  std::string name;
  std::string value;
};

bool is_ours(const Setting& setting, std::string_view value) {
  if (setting.name == kMonitor) return value.ends_with(kProgram);
  return value == setting.value;
}

// The repository's own config, through git.
class LocalConfig {
 public:
  explicit LocalConfig(std::string directory) : directory_(std::move(directory)) {}

  Result<std::vector<std::string>> values(const std::string& name) const {
    RESIDENT_TRY(const GitOutput said, run({"-z", "--get-all", name}));
    if (said.exit_code > 1) return Error{ErrorCode::kIo, git_message(said)};
    std::vector<std::string> values;
    for (size_t at = 0, end; (end = said.out.find('\0', at)) != std::string::npos; at = end + 1) {
      values.push_back(said.out.substr(at, end - at));
    }
    return values;
  }
  Result<void> set(const std::string& name, const std::string& value) const {
    return write({name, value});
  }
  Result<void> add(const std::string& name, const std::string& value) const {
    return write({"--add", name, value});
  }
  Result<void> unset_all(const std::string& name) const { return write({"--unset-all", name}); }

 private:
  Result<GitOutput> run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"config", "--local"});
    return run_git(arguments, {.cwd = directory_});
  }
  Result<void> write(std::vector<std::string> arguments) const {
    RESIDENT_TRY(const GitOutput said, run(std::move(arguments)));
    if (said.exit_code != 0) return Error{ErrorCode::kIo, git_message(said)};
    return {};
  }

  const std::string directory_;
};

// Where the link to this program is: it stays there when a newer one elsewhere takes its place.
Result<std::string> link_path() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  if (!(data && *data) && !(home && *home)) return Error{ErrorCode::kInvalid, "HOME is not set"};
  const std::string link =
      (data && *data ? std::string(data) : std::string(home) + "/.local/share") + "/resident-git" +
      std::string(kProgram);
  // git runs what has one of these by a shell.
  if (!link.starts_with('/') || link.find_first_of("|&;<>()$`\\\"' \t\n*?[#~=%") != link.npos) {
    return Error{ErrorCode::kInvalid, link + ": git cannot run a program of that path as it is"};
  }
  return link;
}

Result<void> make_link(const std::string& link) {
  std::error_code error;
  const stdfs::path self = stdfs::read_symlink("/proc/self/exe", error);
  if (error) return Error{ErrorCode::kIo, "/proc/self/exe: " + error.message()};
  const stdfs::path directory = stdfs::path(link).parent_path();
  stdfs::create_directories(directory, error);
  if (error) return Error{ErrorCode::kIo, directory.native() + ": " + error.message()};
  if (stdfs::equivalent(link, self, error)) return {};
  // Never without one in between.
  const std::string made = link + ".new";
  stdfs::remove(made, error);
  stdfs::create_symlink(self, made, error);
  if (!error) stdfs::rename(made, link, error);
  if (error) return Error{ErrorCode::kIo, link + ": " + error.message()};
  return {};
}

// Why the monitor that is there already stays.
std::optional<std::string> other_monitor(const Config& config) {
  const ConfigEntry* const entry = config.find(kMonitor);
  if (!entry) return std::nullopt;
  const std::string value = entry->value.value_or("true");
  const std::optional<bool> flag = parse_config_bool(value);
  if (value.empty() || value.ends_with(kProgram) || flag == false) return std::nullopt;
  const std::string place = entry->file.empty() ? "" : " (" + entry->file + ")";
  if (!flag) return std::string(kMonitor) + " is " + value + place + ", which is left as it is";
  return std::string(kMonitor) + " is " + value + place +
         ": git's own daemon, which is left as it is.\nOn Linux (git 2.55) it tells git of a file "
         "as unchanged that was edited two levels below\na directory that was moved and committed "
         "before. To have this one in its place:\n    git config --unset " +
         kMonitor;
}

Result<void> accelerate(const std::string& root, bool many_files, bool dry_run) {
  RESIDENT_TRY(const Repository repository, discover(root));
  const std::string& worktree = repository.worktree;
  RESIDENT_TRY(const Config config,
               Config::load(posix_file_system(),
                            {worktree, worktree, repository.git_dir, repository.common_dir}));
  if (std::optional<std::string> other = other_monitor(config)) {
    return Error{ErrorCode::kInvalid, *std::move(other)};
  }
  RESIDENT_TRY(const std::string path, link_path());
  std::vector<Setting> wanted = {
      {kMonitor, path}, {"core.fsmonitorHookVersion", "2"}, {"core.untrackedCache", "true"}};
  if (many_files) wanted.push_back({"feature.manyFiles", "true"});
  const LocalConfig local(worktree);
  RESIDENT_TRY(const std::vector<std::string> recorded, local.values(kRecord));
  struct Change {
    Setting setting;
    std::optional<std::string> before;
  };
  std::vector<Change> changes;
  for (Setting& setting : wanted) {
    if (config.get(setting.name) == setting.value) continue;
    RESIDENT_TRY(const std::vector<std::string> before, local.values(setting.name));
    if (before.size() > 1) {
      return Error{ErrorCode::kInvalid, setting.name +
                                            " has several values: git config --local "
                                            "--get-all " +
                                            setting.name};
    }
    changes.push_back({std::move(setting), {}});
    if (!before.empty()) changes.back().before = before[0];
  }
  if (changes.empty()) std::printf("%s: nothing to write, git asks already\n", worktree.c_str());
  for (const auto& [setting, before] : changes) {
    std::printf("%s = %s (%s)\n", setting.name.c_str(), setting.value.c_str(),
                before ? ("was " + *before).c_str() : "was not set");
  }
  std::fflush(stdout);
  if (dry_run) return {};
  RESIDENT_CHECK(make_link(path));
  for (const Change& change : changes) {
    const bool is_recorded =
        std::any_of(recorded.begin(), recorded.end(), [&](const std::string& value) {
          return value.substr(0, value.find(' ')) == change.setting.name;
        });
    if (!is_recorded) {
      RESIDENT_CHECK(
          local.add(kRecord, change.setting.name + (change.before ? " " + *change.before : "")));
    }
    RESIDENT_CHECK(local.set(change.setting.name, change.setting.value));
  }
  std::printf(
      "git asks whatever process keeps this worktree (VS Code, git-resident serve) what changed;\n"
      "where none does, it looks at everything as before. git-resident accelerate --undo\n"
      "restores what was there.\n");
  return {};
}

Result<void> undo(const std::string& root) {
  RESIDENT_TRY(const Repository repository, discover(root));
  const LocalConfig local(repository.worktree);
  RESIDENT_TRY(const std::vector<std::string> recorded, local.values(kRecord));
  if (recorded.empty()) {
    std::printf("%s: nothing to undo\n", repository.worktree.c_str());
    return {};
  }
  for (const std::string& record : recorded) {
    const size_t space = record.find(' ');
    const std::string name = record.substr(0, space);
    const std::optional<std::string> before =
        space == std::string::npos ? std::nullopt : std::optional(record.substr(space + 1));
    RESIDENT_TRY(const std::vector<std::string> now, local.values(name));
    const Setting written{name, name == "core.fsmonitorHookVersion" ? "2" : "true"};
    if (now.size() != 1 || !is_ours(written, now[0])) {
      std::printf("%s is another by now, and stays\n", name.c_str());
      continue;
    }
    std::printf("%s %s\n", name.c_str(), before ? ("= " + *before).c_str() : "is not set");
    RESIDENT_CHECK(before ? local.set(name, *before) : local.unset_all(name));
  }
  return local.unset_all(kRecord);
}

}  // namespace

int accelerate_command(const Arguments& arguments) {
  Arguments rest = arguments;
  const bool is_undo = std::erase(rest, "--undo") > 0;
  const bool many_files = std::erase(rest, "--many-files") > 0;
  const bool dry_run = std::erase(rest, "--dry-run") > 0;
  if (rest.size() > 1 || (is_undo && (many_files || dry_run)) ||
      (!rest.empty() && rest[0].starts_with('-'))) {
    std::fputs(
        "usage: git-resident accelerate [--undo | [--dry-run] [--many-files]] [<worktree>]\n",
        stderr);
    return kUsageError;
  }
  const std::string root = rest.empty() ? "" : rest[0];
  const Result<void> done = is_undo ? undo(root) : accelerate(root, many_files, dry_run);
  return done.ok() ? 0 : fatal(done.error().message);
}

}  // namespace resident
