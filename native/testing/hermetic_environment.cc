#include "testing/hermetic_environment.h"

#include <cstdlib>

namespace resident::testing {

HermeticEnvironment::HermeticEnvironment(const std::string& home) {
  set("HOME", home);
  set("GIT_CONFIG_NOSYSTEM", "1");
  set("GIT_CONFIG_GLOBAL", "/dev/null");
  set("XDG_CONFIG_HOME", home + "/.config");
  set("LC_ALL", "C");
}

HermeticEnvironment::~HermeticEnvironment() {
  for (auto at = before_.rbegin(); at != before_.rend(); ++at) {
    if (at->second) {
      ::setenv(at->first.c_str(), at->second->c_str(), 1);
    } else {
      ::unsetenv(at->first.c_str());
    }
  }
}

void HermeticEnvironment::set(const char* name, const std::string& value) {
  const char* known = std::getenv(name);
  before_.emplace_back(name, known ? std::optional<std::string>(known) : std::nullopt);
  ::setenv(name, value.c_str(), 1);
}

}  // namespace resident::testing
