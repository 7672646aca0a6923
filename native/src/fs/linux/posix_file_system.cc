#include "fs/linux/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <span>

#include "fs/fast_file_access.h"
#include "fs/linux/bare_calls.h"
#include "fs/linux/kernel_entry.h"
#include "fs/linux/private_fd_table.h"
#include "fs/linux/stat_convert.h"
#include "fs/linux/tree_read_ahead.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

// A NUL-terminated name for the kernel, on the stack if it fits.
class CString {
 public:
  explicit CString(std::string_view text) {
    if (text.size() < sizeof buffer_) {
      std::memcpy(buffer_, text.data(), text.size());
      buffer_[text.size()] = '\0';
      pointer_ = buffer_;
    } else {
      long_text_ = text;
      pointer_ = long_text_.c_str();
    }
  }
  CString(const CString&) = delete;
  CString& operator=(const CString&) = delete;
  const char* get() const { return pointer_; }

 private:
  char buffer_[NAME_MAX + 1];
  std::string long_text_;
  const char* pointer_;
};

Error failure(std::string_view path) {
  return error_from_errno(errno, std::string(path));
}

// Makes an Error from the result of a bare call.
Error refusal(long result, std::string_view path) {
  return error_from_errno(static_cast<int>(-result), std::string(path));
}

FileKind from_dirent_type(unsigned char type) {
  switch (type) {
    case DT_REG:
      return FileKind::kRegular;
    case DT_LNK:
      return FileKind::kSymlink;
    case DT_DIR:
      return FileKind::kDirectory;
    case DT_UNKNOWN:
      return FileKind::kUnknown;
    default:
      return FileKind::kOther;
  }
}

// The position (d_off) of a directory's last entry in ext4: no entry can follow it. On other file
// systems, only a call that returns nothing marks the end.
constexpr int64_t kLastPosition = INT64_MAX;

constexpr size_t kPiece = 256 * 1024;

// In bytes. kInvalid: not a regular file.
Result<size_t> size_of_regular(const UniqueFd& fd, std::string_view name) {
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return failure(name);
  if (!S_ISREG(st.st_mode)) {
    return Error{ErrorCode::kInvalid, std::string(name) + ": not a regular file"};
  }
  return static_cast<size_t>(st.st_size);
}

// Reads the bytes that one call returns into `room`. 0: end of the file.
Result<size_t> read_some(const UniqueFd& fd, std::span<char> room, std::string_view name) {
  for (;;) {
    const ssize_t count = ::read(fd.get(), room.data(), room.size());
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) return failure(name);
  }
}

Error too_large(std::string_view name) {
  return Error{ErrorCode::kUnsupported, std::string(name) + ": larger than the limit of " +
                                            std::to_string(FileSystem::kMaxReadWhole >> 20) +
                                            " MiB"};
}

Result<std::string> read_all(UniqueFd fd, std::string_view name) {
  RESIDENT_TRY(const size_t size, size_of_regular(fd, name));
  if (size > FileSystem::kMaxReadWhole) return too_large(name);
  // One extra byte of room distinguishes the end of the file from a file that grew.
  std::string content(size + 1, '\0');
  size_t filled = 0;
  for (;;) {
    if (filled > FileSystem::kMaxReadWhole) return too_large(name);
    if (filled == content.size()) content.resize(2 * filled);
    RESIDENT_TRY(const size_t count, read_some(fd, std::span(content).subspan(filled), name));
    if (count == 0) break;
    filled += count;
  }
  content.resize(filled);
  return content;
}

constexpr Capabilities kCapabilities{.case_sensitive = true,
                                     .symbolic_links = true,
                                     .inodes = true,
                                     .owners = true,
                                     .max_name = NAME_MAX,
                                     .max_path = PATH_MAX};

class PosixFileSystem final : public FileSystem, private FastFileAccess {
 public:
  PosixFileSystem() : FileSystem(kCapabilities) {}
  FastFileAccess* fast_access() override { return this; }

  Result<Directory> open_directory(const std::string& path) override {
    int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return failure(path);
    return Directory(this, fd);
  }

  Result<Directory> open_directory_at(const Directory& parent, std::string_view name) override {
    return open_at(parent, name, O_RDONLY | O_NONBLOCK);
  }

  Result<Directory> open_place_at(const Directory& parent, std::string_view name) override {
    return open_at(parent, name, O_PATH);
  }

  bool use_private_fd_table() override {
#ifdef __SANITIZE_THREAD__
    // The sanitizer knows one table, and confuses equal descriptors of two tables.
    return false;
#else
    return resident::use_private_fd_table();
#endif
  }

  std::unique_ptr<ReadAhead> read_ahead(const std::string& root) override {
    return std::make_unique<TreeReadAhead>(root);
  }

  Result<FileStat> stat_directory(const Directory& directory) override {
    struct stat st;
    if (::fstat(fd_of(directory), &st) != 0) return failure("fstat");
    return file_stat_from(st);
  }

  Result<void> list(const Directory& directory, DirectoryListing& out) override {
    out.clear();
    if (directory.mark_listed() && ::lseek(fd_of(directory), 0, SEEK_SET) != 0) {
      return failure("directory");
    }
    for (;;) {
      RESIDENT_TRY(const bool more, list_more(directory, out));
      if (!more) return {};
    }
  }

  Result<bool> list_more(const Directory& directory, DirectoryListing& out) override {
    alignas(KernelEntry) thread_local std::array<char, 64 * 1024> buffer;
    (void)directory.mark_listed();
    const long count = bare::list(fd_of(directory), buffer);
    if (count < 0) return refusal(count, "directory");
    int64_t next = 0;
    for (long at = 0; at < count;) {
      const auto* entry = reinterpret_cast<const KernelEntry*>(buffer.data() + at);
      at += entry->d_reclen;
      next = entry->d_off;
      std::string_view name(entry->d_name);
      if (name == "." || name == "..") continue;
      out.add(name, from_dirent_type(entry->d_type));
    }
    return count > 0 && next != kLastPosition;
  }

  Result<FileStat> stat_at(const Directory& directory, std::string_view name) override {
    struct stat st;
    const long result = bare::lstat_at(fd_of(directory), CString(name).get(), st);
    if (result < 0) return refusal(result, name);
    return file_stat_from(st);
  }

  Result<std::string> read_link_at(const Directory& directory, std::string_view name) override {
    std::string target(256, '\0');
    CString c_name(name);
    for (;;) {
      ssize_t count = ::readlinkat(fd_of(directory), c_name.get(), target.data(), target.size());
      if (count < 0) return failure(name);
      if (static_cast<size_t>(count) < target.size()) {
        target.resize(static_cast<size_t>(count));
        return target;
      }
      target.resize(2 * target.size());
    }
  }

  Result<std::string> read_file_at(const Directory& directory, std::string_view name) override {
    RESIDENT_TRY(UniqueFd fd, open_file_at(directory, name));
    return read_all(std::move(fd), name);
  }

  Result<void> read_pieces_at(const Directory& directory, std::string_view name,
                              const TakePiece& take) override {
    RESIDENT_TRY(const UniqueFd fd, open_file_at(directory, name));
    RESIDENT_CHECK(size_of_regular(fd, name));
    std::string piece(kPiece, '\0');
    for (;;) {
      RESIDENT_TRY(const size_t count, read_some(fd, piece, name));
      if (count == 0) return {};
      take(std::string_view(piece).substr(0, count));
    }
  }

  Result<FileStat> stat(const std::string& path) override {
    struct stat st;
    if (::stat(path.c_str(), &st) != 0) return failure(path);
    return file_stat_from(st);
  }

  Result<FileStat> lstat(const std::string& path) override {
    struct stat st;
    if (::lstat(path.c_str(), &st) != 0) return failure(path);
    return file_stat_from(st);
  }

  Result<std::string> read_file(const std::string& path) override {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd.valid()) return failure(path);
    return read_all(std::move(fd), path);
  }

  Timestamp now() override {
    timespec ts;
    // The kernel stamps files with the coarse clock.
    ::clock_gettime(CLOCK_REALTIME_COARSE, &ts);
    return {ts.tv_sec, static_cast<uint32_t>(ts.tv_nsec)};
  }

 private:
  Result<Directory> open_at(const Directory& parent, std::string_view name, int how) {
    const long fd = bare::open_at(fd_of(parent), CString(name).get(),
                                  how | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return refusal(fd == -ELOOP ? -ENOTDIR : fd, name);
    return Directory(this, fd);
  }

  static Result<UniqueFd> open_file_at(const Directory& directory, std::string_view name) {
    UniqueFd fd(::openat(fd_of(directory), CString(name).get(),
                         O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd.valid() && errno == ELOOP) {
      return Error{ErrorCode::kInvalid, std::string(name) + ": is a symbolic link"};
    }
    if (!fd.valid()) return failure(name);
    return fd;
  }

  static int fd_of(const Directory& directory) {
    return static_cast<int>(directory.handle());
  }
  void close_directory(intptr_t handle) override {
    (void)bare::close(static_cast<int>(handle));
  }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem instance;
  return instance;
}

}  // namespace resident
