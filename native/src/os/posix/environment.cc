#include "os/environment.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <climits>

extern char** environ;

namespace resident {

const char* const* environment_variables() {
  return environ;
}

void set_variable(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

void unset_variable(const char* name) {
  ::unsetenv(name);
}

std::string working_directory() {
  char buffer[PATH_MAX];
  return ::getcwd(buffer, sizeof buffer) ? buffer : "";
}

std::string system_name() {
  utsname system{};
  return ::uname(&system) == 0 ? system.sysname : "";
}

}  // namespace resident
