#include "os/user.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace resident {

uint32_t real_user_id() {
  return ::getuid();
}

uint32_t effective_user_id() {
  return ::geteuid();
}

std::optional<std::string> home_of(const std::string& user) {
  std::vector<char> buffer(16 * 1024);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return std::nullopt;
  }
  return found->pw_dir;
}

bool may_execute(const std::string& path) {
  return ::access(path.c_str(), X_OK) == 0;
}

Result<void> make_private_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return error_from_errno(errno, path);
  struct stat st;
  if (::lstat(path.c_str(), &st) != 0) return error_from_errno(errno, path);
  if (!S_ISDIR(st.st_mode) || st.st_uid != ::getuid() || (st.st_mode & 0077) != 0) {
    return Error{ErrorCode::kUnsafe, path + ": only the owner may have access to this directory"};
  }
  return {};
}

}  // namespace resident
