#include "os/environment.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include <filesystem>
#include <system_error>

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
  std::error_code failed;
  return std::filesystem::current_path(failed).native();
}

std::string system_name() {
  utsname system{};
  return ::uname(&system) == 0 ? system.sysname : "";
}

std::tm local_time(std::time_t at) {
  std::tm parts{};
  ::localtime_r(&at, &parts);
  return parts;
}

}  // namespace resident
