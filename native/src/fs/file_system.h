// FileSystem: a small interface to the operating system, so that tests can use a fake with its own
// clock. All paths and names are bytes. A name passed to a *_at function is relative to the
// directory, and may contain slashes. If its last component is a symbolic link, the link is not
// followed.
//
// Threads: any thread may call every member. Only one thread at a time may use a Directory or
// DirectoryListing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fs/capabilities.h"
#include "fs/file_stat.h"

namespace resident {

class FastFileAccess;
class FileSystem;

// An open directory, closed by its destructor. It must not outlive its FileSystem.
class Directory {
 public:
  Directory() = default;
  Directory(FileSystem* fs, intptr_t handle) : fs_(fs), handle_(handle) {}
  Directory(Directory&& other) noexcept
      : fs_(std::exchange(other.fs_, nullptr)), handle_(other.handle_), listed_(other.listed_) {}
  Directory& operator=(Directory&& other) noexcept;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory();

  bool valid() const { return fs_ != nullptr; }
  // The file descriptor in a PosixFileSystem; the node in a fake.
  intptr_t handle() const { return handle_; }
  // For a FileSystem: true if the directory was listed before. Its read position is then not at the
  // start.
  bool mark_listed() const { return std::exchange(listed_, true); }

 private:
  FileSystem* fs_ = nullptr;
  intptr_t handle_ = -1;
  mutable bool listed_ = false;
};

// The names in a directory without "." and "..", in the system's order. Reused for many
// directories, so that reading a directory allocates nothing.
class DirectoryListing {
 public:
  struct Entry {
    std::string_view name;  // valid until the next clear()
    FileKind kind;
  };

  void clear() {
    names_.clear();
    slots_.clear();
  }
  void add(std::string_view name, FileKind kind) {
    slots_.push_back(
        {static_cast<uint32_t>(names_.size()), static_cast<uint32_t>(name.size()), kind});
    names_.append(name);
  }
  size_t size() const { return slots_.size(); }
  FileKind kind(size_t i) const { return slots_[i].kind; }
  Entry operator[](size_t i) const {
    const Slot& slot = slots_[i];
    // substr() checks the same, but is no inline code.
    if (size_t{slot.offset} + slot.length > names_.size()) throw std::out_of_range("listing");
    return {{names_.data() + slot.offset, slot.length}, slot.kind};
  }

 private:
  struct Slot {
    uint32_t offset;
    uint32_t length;
    FileKind kind;
  };
  std::string names_;
  std::vector<Slot> slots_;
};

class FileSystem {
 public:
  // Maximum size, in bytes, of a file that is read whole. git writes no such files of this size.
  // Larger objects in packs are not read either.
  static constexpr uint64_t kMaxReadWhole = uint64_t{512} << 20;

  virtual ~FileSystem() = default;

  const Capabilities& capabilities() const { return capabilities_; }
  // Null: the system has no cheaper calls. The same at each call.
  virtual FastFileAccess* fast_access() { return nullptr; }

  // Follows symbolic links.
  virtual Result<Directory> open_directory(const std::string& path) = 0;
  // Opens a subdirectory. kNotFound: `name` is no real directory; this includes a symbolic link to
  // a directory.
  virtual Result<Directory> open_directory_at(const Directory& parent, std::string_view name) = 0;
  virtual Result<FileStat> stat_directory(const Directory& directory) = 0;
  // Replaces the content of `out`.
  virtual Result<void> list(const Directory& directory, DirectoryListing& out) = 0;

  // lstat.
  virtual Result<FileStat> stat_at(const Directory& directory, std::string_view name) = 0;
  virtual Result<std::string> read_link_at(const Directory& directory, std::string_view name) = 0;
  // Reads a whole regular file. kNotFound: no such file. kInvalid: not a regular file.
  // kUnsupported: larger than kMaxReadWhole.
  virtual Result<std::string> read_file_at(const Directory& directory, std::string_view name) = 0;
  // Reads a regular file of any size, piece by piece.
  using TakePiece = std::function<void(std::string_view piece)>;
  virtual Result<void> read_pieces_at(const Directory& directory, std::string_view name,
                                      const TakePiece& take) {
    Result<std::string> content = read_file_at(directory, name);
    if (!content.ok()) return std::move(content).error();
    take(*content);
    return {};
  }

  // Take absolute paths. `stat` and `read_file` follow symbolic links, `lstat` does not.
  virtual Result<FileStat> stat(const std::string& path) = 0;
  virtual Result<FileStat> lstat(const std::string& path) = 0;
  virtual Result<std::string> read_file(const std::string& path) = 0;

  // The clock of file timestamps, for the racy-clean rule and for settling.
  virtual Timestamp now() = 0;

 protected:
  explicit FileSystem(const Capabilities& capabilities) : capabilities_(capabilities) {}

 private:
  friend class Directory;
  virtual void close_directory(intptr_t handle) = 0;

  const Capabilities capabilities_;
};

inline Directory& Directory::operator=(Directory&& other) noexcept {
  if (this != &other) {
    if (fs_) fs_->close_directory(handle_);
    fs_ = std::exchange(other.fs_, nullptr);
    handle_ = other.handle_;
    listed_ = other.listed_;
  }
  return *this;
}
inline Directory::~Directory() {
  if (fs_) fs_->close_directory(handle_);
}

}  // namespace resident
