#include "repo_state/user_files.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "config/config_files.h"
#include "config/config_value.h"

namespace resident {

namespace {

// "$XDG_CONFIG_HOME/git/<name>", by default below ~/.config; empty without a home.
std::string user_file(const char* name) {
  if (const char* xdg = std::getenv("XDG_CONFIG_HOME"); xdg && *xdg) {
    return std::string(xdg) + "/git/" + name;
  }
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.config/git/" + name : std::string();
}

std::string configured_file(const Config& config, std::string_view key, const char* name) {
  if (!config.find(key)) return user_file(name);
  return config.get_path(key).value_or("");
}

std::string absolute_in(const std::string& worktree, const std::string& path) {
  return path.empty() || path.starts_with("/") ? path : worktree + "/" + path;
}

}  // namespace

std::string user_excludes_file(const Config& config, const Repository& repository) {
  return absolute_in(repository.worktree, configured_file(config, "core.excludesfile", "ignore"));
}

std::string user_attributes_file(const Config& config, const Repository& repository) {
  return absolute_in(repository.worktree,
                     configured_file(config, "core.attributesfile", "attributes"));
}

// git installed in /usr keeps its system-wide files in /etc.
std::string system_attributes_file() {
  const std::string prefix = git_installation_prefix();
  return (prefix == "/usr" ? std::string() : prefix) + "/etc/gitattributes";
}

FilesAroundSubmodules files_around_submodules(const Config& config, const Repository& repository) {
  FilesAroundSubmodules around;
  around.paths = config.files();
  std::erase_if(around.paths, [&repository](const std::string& path) {
    return path == repository.common_dir + "/config" ||
           path == repository.git_dir + "/config.worktree" ||
           path == repository.git_dir + "/HEAD" ||
           path == repository.git_dir + "/reftable/tables.list";
  });
  for (const char* name : {"ignore", "attributes"}) around.paths.push_back(user_file(name));
  const std::vector<ConfigEntry>& entries = config.entries();
  for (const ConfigEntry& entry : entries) {
    if (entry.scope == ConfigScope::kLocal || entry.scope == ConfigScope::kWorktree) continue;
    if (entry.key == "core.excludesfile" || entry.key == "core.attributesfile") {
      around.paths.push_back(expand_config_path(entry.value.value_or("")).value_or(""));
    }
    if (!is_include_key(entry.key)) continue;
    const std::string target = include_target(entry);
    if (std::none_of(entries.begin(), entries.end(),
                     [&target](const ConfigEntry& each) { return each.file == target; })) {
      around.unread_configs.push_back(target);
    }
  }
  std::erase(around.paths, "");
  std::erase(around.unread_configs, "");
  return around;
}

}  // namespace resident
