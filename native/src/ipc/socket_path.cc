#include "ipc/socket_path.h"

#include <cstdlib>

#include "hash/hasher.h"
#include "os/local_socket.h"
#include "os/user.h"

namespace resident {

Result<std::string> socket_path(const std::string& root) {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string directory = runtime && *runtime
                                    ? std::string(runtime) + "/git-resident"
                                    : "/tmp/git-resident-" + std::to_string(real_user_id());
  RESIDENT_CHECK(make_private_directory(directory));
  std::string path =
      directory + "/" + hash_bytes(HashAlgorithm::kSha1, as_bytes(root)).hex().substr(0, 20);
  if (!fits_socket_address(path)) {
    return Error{ErrorCode::kInvalid, path + ": the path is too long for a socket"};
  }
  return path;
}

}  // namespace resident
