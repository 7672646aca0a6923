#include "git/git_environment.h"

#include <algorithm>
#include <string_view>

#include "os/environment.h"

namespace resident {

namespace {

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

}  // namespace

std::vector<std::string> git_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> all_changes = {"GIT_OPTIONAL_LOCKS=0", std::string(kAskedByUs) + "=1"};
  all_changes.insert(all_changes.end(), changes.begin(), changes.end());
  std::vector<std::string> environment;
  for (auto variable = environment_variables(); *variable; ++variable) {
    bool changed = std::any_of(
        all_changes.begin(), all_changes.end(),
        [&](const std::string& change) { return name_of(change) == name_of(*variable); });
    if (!changed) environment.emplace_back(*variable);
  }
  for (size_t i = 0; i < all_changes.size(); ++i) {
    bool overridden = std::any_of(
        all_changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, all_changes.end(),
        [&](const std::string& later) { return name_of(later) == name_of(all_changes[i]); });
    if (!overridden && all_changes[i].find('=') != std::string::npos) {
      environment.push_back(all_changes[i]);
    }
  }
  return environment;
}

}  // namespace resident
