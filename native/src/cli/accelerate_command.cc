// `git-resident accelerate [--by-socket] [--many-files] [--untracked-all]
// [--warm | --dry-run | --undo] [<worktree>]`: makes git ask us what changed (core.fsmonitor), and
// undoes that. With --by-socket git asks on the socket of its own daemon. A process that keeps the
// worktree listens there in the daemon's place. With --untracked-all `git status -uall` uses the
// untracked cache, too: git lists single untracked files by default.
//
// The command prints the settings before it writes them to the repository's own config. --dry-run
// only prints them. The config records each replaced setting as one value of kRecord, "<name>" or
// "<name> <value before>", until the undo.
//
// The first `git status` after that still reads every file. --warm runs it; on a terminal the
// command offers it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/first_status.h"
#include "config/config.h"
#include "config/config_value.h"
#include "config/daemon_stand_in.h"
#include "git/git_command.h"
#include "os/file_identity.h"
#include "os/files.h"
#include "os/process.h"
#include "repository/repository.h"

namespace resident {

namespace {

constexpr const char* kRecord = "residentGit.accelerated";
constexpr const char* kMonitor = "core.fsmonitor";
constexpr const char* kHookVersion = "core.fsmonitorHookVersion";
constexpr const char* kUntracked = "status.showUntrackedFiles";
constexpr std::string_view kProgram = "/git-resident";

struct Setting {
  std::string name;
  std::string value;
};

// `by_socket`: the current values were written with --by-socket.
bool is_ours(const Setting& setting, std::string_view value, bool by_socket) {
  if (setting.name == kMonitor && !by_socket) return value.ends_with(kProgram);
  return value == setting.value;
}

// The repository's own config. git reads and writes it.
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

// The path of the link to this program. The link stays when a newer program replaces this one
// elsewhere.
Result<std::string> link_path() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  const char* const home = std::getenv("HOME");
  if (!(data && *data) && !(home && *home)) return Error{ErrorCode::kInvalid, "HOME is not set"};
  const std::string link =
      (data && *data ? std::string(data) : std::string(home) + "/.local/share") + "/resident-git" +
      std::string(kProgram);
  // git starts a command with one of these characters through a shell.
  if (!link.starts_with('/') || link.find_first_of("|&;<>()$`\\\"' \t\n*?[#~=%") != link.npos) {
    return Error{ErrorCode::kInvalid,
                 link + ": git cannot run a program at this path (special characters)"};
  }
  return link;
}

Result<void> make_link(const std::string& link) {
  RESIDENT_TRY(const std::string self, own_program());
  const std::optional<FileIdentity> linked = file_identity(link);
  const std::optional<FileIdentity> own = file_identity(self);
  if (linked && own && is_same_file(*linked, *own)) return {};
  return replace_by_link(link, self);
}

// The reason to keep the monitor that is configured already.
std::optional<std::string> other_monitor(const Config& config) {
  const ConfigEntry* const entry = config.find(kMonitor);
  if (!entry) return std::nullopt;
  const std::string value = entry->value.value_or("true");
  const std::optional<bool> flag = parse_config_bool(value);
  if (value.empty() || value.ends_with(kProgram) || flag == false) return std::nullopt;
  const std::string place = entry->file.empty() ? "" : " (" + entry->file + ")";
  if (!flag)
    return std::string(kMonitor) + " is already " + value + place +
           "; nothing was changed.\nTo use Resident Git, first run: git config --unset " + kMonitor;
  return std::string(kMonitor) + " is already " + value + place +
         ": git uses its own fsmonitor daemon; nothing was changed.\n"
         "On Linux, the daemon of git 2.55 can report an edited file as unchanged. This happens "
         "two\n"
         "levels below a directory that was moved and committed. To replace the daemon, run:\n"
         "    git-resident accelerate --by-socket\n"
         "To make git run a program instead, first run:\n"
         "    git config --unset " +
         kMonitor;
}

// Fails if the git on PATH supports no daemon.
Result<void> check_daemon(const std::string& worktree) {
  RESIDENT_TRY(const GitOutput said, run_git({"version", "--build-options"}, {.cwd = worktree}));
  if (said.out.find("fsmonitor--daemon") != std::string::npos) return {};
  return Error{ErrorCode::kInvalid,
               "the git on PATH has no fsmonitor daemon; --by-socket needs git 2.55 on Linux"};
}

struct Wanted {
  bool by_socket = false;
  bool many_files = false;
  bool untracked_all = false;
  bool dry_run = false;
  bool warm = false;
};

std::vector<Setting> settings_of(const Wanted& wanted, const std::string& link) {
  std::vector<Setting> settings;
  if (wanted.by_socket) {
    settings = {{kStandsInForDaemon, "true"}, {kMonitor, "true"}};
  } else {
    settings = {{kMonitor, link}, {kHookVersion, "2"}};
  }
  settings.push_back({"core.untrackedCache", "true"});
  if (wanted.many_files) settings.push_back({"feature.manyFiles", "true"});
  if (wanted.untracked_all) settings.push_back({kUntracked, "all"});
  return settings;
}

Result<void> warm_up(const Repository& repository, const Wanted& how, bool was_written_before) {
  if (was_written_before && !how.warm) return {};
  if (!is_kept(repository.worktree)) {
    const std::string next_step =
        "Open " + repository.worktree +
        " in VS Code, or run git-resident serve. Then run git status once.";
    if (how.warm) return Error{ErrorCode::kNotFound, "no process keeps the worktree. " + next_step};
    std::printf("%s\n", next_step.c_str());
    return {};
  }
  if (!how.warm && !ask_for_first_status()) {
    std::printf("To make git status fast, run it once.\n");
    return {};
  }
  RESIDENT_CHECK(run_first_status(repository));
  std::printf("git status is fast while a process keeps the worktree.\n");
  return {};
}

Result<void> accelerate(FileSystem& fs, const std::string& root, const Wanted& how) {
  RESIDENT_TRY(const Repository repository, discover(root));
  const std::string& worktree = repository.worktree;
  RESIDENT_TRY(const Config config,
               Config::load(fs, {worktree, worktree, repository.git_dir, repository.common_dir}));
  const bool stands_in = config.get_bool(kStandsInForDaemon, false);
  if (stands_in && !how.by_socket) {
    return Error{ErrorCode::kInvalid,
                 "git already uses --by-socket here; first run: git-resident accelerate --undo"};
  }
  if (!how.by_socket || !config.get_bool(kMonitor, false)) {
    std::optional<std::string> other = other_monitor(config);
    if (other) return Error{ErrorCode::kInvalid, *std::move(other)};
  }
  if (how.by_socket) RESIDENT_CHECK(check_daemon(worktree));
  RESIDENT_TRY(const std::string path, link_path());
  std::vector<Setting> wanted = settings_of(how, path);
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
                                            " has several values; to list them, run: "
                                            "git config --local --get-all " +
                                            setting.name};
    }
    changes.push_back({std::move(setting), {}});
    if (!before.empty()) changes.back().before = before[0];
  }
  if (changes.empty())
    std::printf("%s: nothing to write, git is already set up\n", worktree.c_str());
  for (const auto& [setting, before] : changes) {
    std::printf("%s = %s (%s)\n", setting.name.c_str(), setting.value.c_str(),
                before ? ("was " + *before).c_str() : "was not set");
  }
  std::fflush(stdout);
  if (how.dry_run) return {};
  if (!how.by_socket) RESIDENT_CHECK(make_link(path));
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
      "git asks the process that keeps this worktree (VS Code, git-resident serve) what changed.\n"
      "Without such a process, git %s.\n"
      "To restore the settings, run: git-resident accelerate --undo\n",
      how.by_socket ? "starts its own daemon" : "reads every file as before");
  std::fflush(stdout);
  return warm_up(repository, how, changes.empty());
}

Result<void> undo(const std::string& root) {
  RESIDENT_TRY(const Repository repository, discover(root));
  const LocalConfig local(repository.worktree);
  RESIDENT_TRY(const std::vector<std::string> recorded, local.values(kRecord));
  if (recorded.empty()) {
    std::printf("%s: nothing to undo\n", repository.worktree.c_str());
    return {};
  }
  RESIDENT_TRY(const std::vector<std::string> stands_in, local.values(kStandsInForDaemon));
  const bool by_socket = !stands_in.empty();
  for (const std::string& record : recorded) {
    const size_t space = record.find(' ');
    const std::string name = record.substr(0, space);
    const std::optional<std::string> before =
        space == std::string::npos ? std::nullopt : std::optional(record.substr(space + 1));
    RESIDENT_TRY(const std::vector<std::string> now, local.values(name));
    const Setting written{name, name == kHookVersion ? "2" : name == kUntracked ? "all" : "true"};
    if (now.size() != 1 || !is_ours(written, now[0], by_socket)) {
      std::printf("%s: not restored, because its value has changed\n", name.c_str());
      continue;
    }
    std::printf("%s %s\n", name.c_str(), before ? ("= " + *before).c_str() : "is not set");
    RESIDENT_CHECK(before ? local.set(name, *before) : local.unset_all(name));
  }
  return local.unset_all(kRecord);
}

}  // namespace

int accelerate_command(FileSystem& fs, const Arguments& arguments) {
  Arguments rest = arguments;
  const bool is_undo = std::erase(rest, "--undo") > 0;
  const Wanted wanted{.by_socket = std::erase(rest, "--by-socket") > 0,
                      .many_files = std::erase(rest, "--many-files") > 0,
                      .untracked_all = std::erase(rest, "--untracked-all") > 0,
                      .dry_run = std::erase(rest, "--dry-run") > 0,
                      .warm = std::erase(rest, "--warm") > 0};
  const bool writes = wanted.by_socket || wanted.many_files || wanted.untracked_all ||
                      wanted.dry_run || wanted.warm;
  const bool contradicts = (is_undo && writes) || (wanted.dry_run && wanted.warm);
  if (rest.size() > 1 || contradicts || (!rest.empty() && rest[0].starts_with('-'))) {
    std::fputs(
        "usage: git-resident accelerate [--undo | [--dry-run | --warm] [--by-socket] "
        "[--many-files] [--untracked-all]] [<worktree>]\n",
        stderr);
    return kUsageError;
  }
  const std::string root = rest.empty() ? "" : rest[0];
  const Result<void> done = is_undo ? undo(root) : accelerate(fs, root, wanted);
  return done.ok() ? 0 : fatal(done.error().message);
}

}  // namespace resident
