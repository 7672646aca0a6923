#include "model/user_files.h"

#include <cstdlib>
#include <string_view>

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

}  // namespace resident
