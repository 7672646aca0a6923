#include "config/config_files.h"

#include <cstdlib>
#include <optional>

#include "config/config_value.h"
#include "os/environment.h"

namespace resident {

namespace {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (!value) return std::nullopt;
  return value;
}

std::string absolute(std::string path, const std::string& base) {
  if (path.empty() || path.front() == '/') return path;
  return base + "/" + path;
}

void add_system_files(std::vector<std::string>& files, const std::string& base) {
  std::optional<std::string> none = environment("GIT_CONFIG_NOSYSTEM");
  if (none && parse_config_bool(*none).value_or(false)) return;
  if (auto named = environment("GIT_CONFIG_SYSTEM")) {
    files.push_back(absolute(*named, base));
    return;
  }
  // The path is compiled into git, and git prints it only if the file has entries. It is
  // <prefix>/etc, or /etc for /usr.
  files.push_back("/etc/gitconfig");
  std::string prefix = git_installation_prefix();
  if (!prefix.empty() && prefix != "/usr") files.push_back(prefix + "/etc/gitconfig");
}

void add_global_files(std::vector<std::string>& files, const std::string& base) {
  if (auto named = environment("GIT_CONFIG_GLOBAL")) {
    if (!named->empty()) files.push_back(absolute(*named, base));
    return;
  }
  std::optional<std::string> home = environment("HOME");
  std::optional<std::string> xdg = environment("XDG_CONFIG_HOME");
  if (xdg && !xdg->empty()) {
    files.push_back(absolute(*xdg, base) + "/git/config");
  } else if (home) {
    files.push_back(absolute(*home, base) + "/.config/git/config");
  }
  if (home) files.push_back(absolute(*home, base) + "/.gitconfig");
}

}  // namespace

std::vector<std::string> standard_config_files(const ConfigPlace& place) {
  const std::string base = place.directory.empty() ? working_directory() : place.directory;
  std::vector<std::string> files;
  add_system_files(files, base);
  add_global_files(files, base);
  if (!place.common_dir.empty()) files.push_back(place.common_dir + "/config");
  if (!place.git_dir.empty()) files.push_back(place.git_dir + "/config.worktree");
  return files;
}

bool is_include_key(std::string_view key) {
  return key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path"));
}

std::string include_target(const ConfigEntry& entry) {
  if (!entry.value || entry.value->empty()) return {};
  std::optional<std::string> path = expand_config_path(*entry.value);
  if (!path || path->empty()) return {};
  if (path->front() == '/') return *path;
  // The path is relative to the including file.
  size_t slash = entry.file.rfind('/');
  if (slash == std::string::npos) return {};
  return entry.file.substr(0, slash + 1) + *path;
}

}  // namespace resident
