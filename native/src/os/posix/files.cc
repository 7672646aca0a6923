#include "os/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

namespace resident {

namespace stdfs = std::filesystem;

std::error_code create_new_file(const std::string& path, UniqueFd& file) {
  file.reset(::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  return file.valid() ? std::error_code() : std::error_code(errno, std::generic_category());
}

void remove_file(const std::string& path) {
  (void)::unlink(path.c_str());
}

Result<void> replace_by_link(const std::string& path, const std::string& target) {
  std::error_code error;
  const stdfs::path directory = stdfs::path(path).parent_path();
  stdfs::create_directories(directory, error);
  if (error) return Error{ErrorCode::kIo, directory.native() + ": " + error.message()};
  const std::string made = path + ".new";
  remove_file(made);
  stdfs::create_symlink(target, made, error);
  if (!error) stdfs::rename(made, path, error);
  if (error) return Error{ErrorCode::kIo, path + ": " + error.message()};
  return {};
}

Result<UniqueFd> lock_directory(const std::string& directory) {
  constexpr int kTries = 200;
  UniqueFd lock(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.valid()) return error_from_errno(errno, directory);
  for (int i = 0; ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (i == kTries) return error_from_errno(errno, directory);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return lock;
}

}  // namespace resident
