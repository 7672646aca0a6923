#include "os/file_identity.h"

#include <sys/stat.h>

namespace resident {

namespace {

std::optional<FileIdentity> identity_in(int failed, const struct stat& st) {
  if (failed != 0) return std::nullopt;
  return FileIdentity{st.st_dev,         st.st_ino,          st.st_size,
                      st.st_mtim.tv_sec, st.st_mtim.tv_nsec, S_ISREG(st.st_mode)};
}

}  // namespace

std::optional<FileIdentity> file_identity(const std::string& path) {
  struct stat st {};
  return identity_in(::stat(path.c_str(), &st), st);
}

std::optional<FileIdentity> link_identity(const std::string& path) {
  struct stat st {};
  return identity_in(::lstat(path.c_str(), &st), st);
}

}  // namespace resident
