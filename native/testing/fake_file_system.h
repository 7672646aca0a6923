// FakeFileSystem: files in memory, a clock that only tick() advances, and injected faults.
//
// Paths are absolute. Every change stamps mtime and ctime like Linux: content changes stamp the
// file, name changes stamp the directory. Inodes are never reused. Symbolic links and ".." resolve
// as in the kernel.
//
// Threads: as FileSystem; the changing members also from any thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "testing/file_system_calls.h"

namespace resident::testing {

class FakeFileSystem final : public FileSystem {
 public:
  explicit FakeFileSystem(const Capabilities& capabilities = {});
  ~FakeFileSystem() override;

  // --- Changes by the test. Parents are created; a missing path fails the test. ---
  void make_directory(const std::string& path);
  void write(const std::string& path, std::string content);
  void make_symlink(const std::string& path, std::string target);
  void make_special(const std::string& path);  // a fifo
  void remove(const std::string& path);        // with everything below
  void rename(const std::string& from, const std::string& to);
  void set_executable(const std::string& path, bool executable);
  void set_mtime(const std::string& path, Timestamp mtime);
  // Makes a directory fail to open and list, or a file fail to read.
  void forbid(const std::string& path, bool forbidden = true);
  // Listings return kUnknown for every kind, as some file systems do.
  void hide_kinds() { hide_kinds_ = true; }

  void tick(int64_t nanoseconds = 1'000'000'000);

  FileSystemCalls& calls() { return calls_; }
  size_t open_directories() const;

  // --- FileSystem ---
  Result<Directory> open_directory(const std::string& path) override;
  Result<Directory> open_directory_at(const Directory& parent, std::string_view name) override;
  Result<FileStat> stat_directory(const Directory& directory) override;
  Result<void> list(const Directory& directory, DirectoryListing& out) override;
  Result<FileStat> stat_at(const Directory& directory, std::string_view name) override;
  Result<std::string> read_link_at(const Directory& directory, std::string_view name) override;
  Result<std::string> read_file_at(const Directory& directory, std::string_view name) override;
  Result<FileStat> stat(const std::string& path) override;
  Result<FileStat> lstat(const std::string& path) override;
  Result<std::string> read_file(const std::string& path) override;
  Timestamp now() override;

 private:
  struct Node;
  using NodePtr = std::shared_ptr<Node>;

  void close_directory(intptr_t handle) override;
  NodePtr make(FileKind kind) REQUIRES(mutex_);
  // Returns the node at `path` from `start`. `follow`: also follows a symbolic link at the end.
  Result<NodePtr> resolve(NodePtr start, std::string_view path, bool follow, int depth = 0) const
      REQUIRES(mutex_);
  NodePtr existing(const std::string& path) const REQUIRES(mutex_);
  // The parent directory, created if missing, and the last component.
  std::pair<NodePtr, std::string> parent_of(const std::string& path) REQUIRES(mutex_);
  void attach(const std::string& path, NodePtr node) REQUIRES(mutex_);
  NodePtr detach(const std::string& path) REQUIRES(mutex_);
  NodePtr opened(const Directory& directory) const REQUIRES(mutex_);
  Result<Directory> open(Result<NodePtr> node, std::string_view path) REQUIRES(mutex_);
  static FileStat stat_of(const Node& node);
  static Result<std::string> read(const Result<NodePtr>& node, std::string_view path);

  mutable Mutex mutex_;
  NodePtr root_ GUARDED_BY(mutex_);
  Timestamp now_ GUARDED_BY(mutex_){1'600'000'000, 0};
  uint64_t next_inode_ GUARDED_BY(mutex_) = 2;
  std::map<intptr_t, NodePtr> opened_ GUARDED_BY(mutex_);
  intptr_t next_handle_ GUARDED_BY(mutex_) = 1;
  bool hide_kinds_ = false;
  FileSystemCalls calls_;
};

}  // namespace resident::testing
