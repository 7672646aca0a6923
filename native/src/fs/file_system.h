// FileSystem: the operating system behind a small interface, so that tests can put a fake with a
// clock there. All paths and names are bytes. Names given to the *_at functions may hold slashes
// and are relative to the directory; their last component is never followed when it is a symbolic
// link.
//
// Threads: every member may be called from any thread; one Directory or DirectoryListing belongs to
// one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fs/file_stat.h"

namespace resident {

class FileSystem;

// An open directory. Closes itself. Must not outlive its FileSystem.
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
  // The file descriptor of a PosixFileSystem; the node of a fake.
  intptr_t handle() const { return handle_; }
  // For a FileSystem: whether it was listed before, and thus is not at its beginning.
  bool mark_listed() const { return std::exchange(listed_, true); }

 private:
  FileSystem* fs_ = nullptr;
  intptr_t handle_ = -1;
  mutable bool listed_ = false;
};

// The names in a directory without "." and "..", in the order the system gives them. Reused from
// directory to directory so that reading one allocates nothing.
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
  Entry operator[](size_t i) const {
    return {std::string_view(names_).substr(slots_[i].offset, slots_[i].length), slots_[i].kind};
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
  // In bytes. Of what is read whole, git writes nothing that is as large; an object of a pack that
  // is larger is not read either.
  static constexpr uint64_t kMaxReadWhole = uint64_t{512} << 20;

  virtual ~FileSystem() = default;

  // Follows symbolic links.
  virtual Result<Directory> open_directory(const std::string& path) = 0;
  // One step down; kNotFound for anything that is not a real directory, a symbolic link to one
  // included.
  virtual Result<Directory> open_directory_at(const Directory& parent, std::string_view name) = 0;
  // The same, for less, where it is not to be listed: names are looked up from there. Who may not
  // list it may open it so.
  virtual Result<Directory> open_place_at(const Directory& parent, std::string_view name) {
    return open_directory_at(parent, name);
  }
  // Of the calling thread, until it ends: directories that it opens are for itself alone, and those
  // that others opened are not for it. False: nothing is changed.
  virtual bool use_private_fd_table() { return false; }
  virtual Result<FileStat> stat_directory(const Directory& directory) = 0;
  // Replaces what `out` held.
  virtual Result<void> list(const Directory& directory, DirectoryListing& out) = 0;
  // Adds names to `out` that no call gave yet, as many as the system gives at once; false: there
  // are no more. Of a directory that was not listed.
  virtual Result<bool> list_more(const Directory& directory, DirectoryListing& out) = 0;

  // lstat.
  virtual Result<FileStat> stat_at(const Directory& directory, std::string_view name) = 0;
  virtual Result<std::string> read_link_at(const Directory& directory, std::string_view name) = 0;
  // The whole of a regular file; kNotFound where there is none, kInvalid where it is something
  // else, kUnsupported where it is larger than kMaxReadWhole.
  virtual Result<std::string> read_file_at(const Directory& directory, std::string_view name) = 0;
  // The same, a piece at a time: a file may have any size.
  using TakePiece = std::function<void(std::string_view piece)>;
  virtual Result<void> read_pieces_at(const Directory& directory, std::string_view name,
                                      const TakePiece& take) {
    Result<std::string> content = read_file_at(directory, name);
    if (!content.ok()) return std::move(content).error();
    take(*content);
    return {};
  }

  // By absolute path; `stat` and `read_file` follow symbolic links, `lstat` does not.
  virtual Result<FileStat> stat(const std::string& path) = 0;
  virtual Result<FileStat> lstat(const std::string& path) = 0;
  virtual Result<std::string> read_file(const std::string& path) = 0;

  // The clock that stamps files, for the racy-clean rule and for settling.
  virtual Timestamp now() = 0;

 private:
  friend class Directory;
  virtual void close_directory(intptr_t handle) = 0;
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
