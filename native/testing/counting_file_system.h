// CountingFileSystem: the real file system with counted calls, injected faults, and a clock that
// can run ahead.
//
// Threads: calls from any thread; setters while no call runs.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "fs/fast_file_access.h"
#include "testing/file_system_calls.h"

namespace resident::testing {

class CountingFileSystem final : public FileSystem, private FastFileAccess {
 public:
  enum class Call { kOpen, kStat, kRead };
  // Called before each call with the caller's path or name. A returned Error is the result of the
  // call.
  using Fault = std::function<std::optional<Error>(Call call, std::string_view path)>;

  // Wraps posix_file_system(), and can claim other capabilities.
  CountingFileSystem();
  explicit CountingFileSystem(const Capabilities& claimed);

  FileSystemCalls& calls() { return calls_; }
  void set_fault(Fault fault) { fault_ = std::move(fault); }
  // Offset added to the real clock: makes recently written files count as settled.
  void run_ahead(int64_t seconds) { ahead_ = seconds; }
  // Offers no fast_access(). Call before any scan.
  void be_plain() { is_plain_ = true; }
  // Stops the clock: files written from now on have the time of the current tick.
  void freeze() { frozen_ = now(); }

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
  FastFileAccess* fast_access() override { return is_plain_ ? nullptr : this; }

 private:
  Result<Directory> open_place_at(const Directory& parent, std::string_view name) override;
  Result<bool> list_more(const Directory& directory, DirectoryListing& out) override;
  bool use_private_fd_table() override { return fast().use_private_fd_table(); }
  std::unique_ptr<ReadAhead> read_ahead(const std::string& root) override {
    return fast().read_ahead(root);
  }
  FastFileAccess& fast() { return *real_.fast_access(); }
  // The real file system owns and closes the directories.
  void close_directory(intptr_t) override {}
  std::optional<Error> injected(Call call, std::string_view path) const {
    return fault_ ? fault_(call, path) : std::nullopt;
  }

  FileSystem& real_;
  FileSystemCalls calls_;
  Fault fault_;
  int64_t ahead_ = 0;
  bool is_plain_ = false;
  std::optional<Timestamp> frozen_;
};

}  // namespace resident::testing
