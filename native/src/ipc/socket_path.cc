#include "ipc/socket_path.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "hash/hasher.h"

namespace resident {

Result<std::string> socket_path(const std::string& root) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string directory = runtime && *runtime
                                    ? std::string(runtime) + "/git-resident"
                                    : "/tmp/git-resident-" + std::to_string(::getuid());
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return error_from_errno(errno, directory);
  }
  struct stat st;
  if (::lstat(directory.c_str(), &st) != 0) return error_from_errno(errno, directory);
  if (!S_ISDIR(st.st_mode) || st.st_uid != ::getuid() || (st.st_mode & 0077) != 0) {
    return Error{ErrorCode::kUnsafe,
                 directory + ": only the owner may have access to this directory"};
  }
  std::string path =
      directory + "/" + hash_bytes(HashAlgorithm::kSha1, as_bytes(root)).hex().substr(0, 20);
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return Error{ErrorCode::kInvalid, path + ": the path is too long for a socket"};
  }
  return path;
}

}  // namespace resident
