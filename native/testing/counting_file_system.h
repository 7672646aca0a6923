// CountingFileSystem: the real file system, with its calls counted, faults injected, and a clock
// that can run ahead.
//
// Threads: calls from any thread; the setters while nobody calls.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "fs/file_system.h"
#include "testing/file_system_calls.h"

namespace resident::testing {

class CountingFileSystem final : public FileSystem {
 public:
  enum class Call { kOpen, kStat, kRead };
  // Asked before each call with the path or name that the caller gave; an Error is what the call
  // then returns.
  using Fault = std::function<std::optional<Error>(Call call, std::string_view path)>;

  // On posix_file_system().
  CountingFileSystem();

  FileSystemCalls& calls() { return calls_; }
  void set_fault(Fault fault) { fault_ = std::move(fault); }
  // Added to the real clock: files written a moment ago count as settled.
  void run_ahead(int64_t seconds) { ahead_ = seconds; }
  // Stops the clock: files written from now on count as written in this very tick.
  void freeze() { frozen_ = now(); }

  Result<Directory> open_directory(const std::string& path) override;
  Result<Directory> open_directory_at(const Directory& parent, std::string_view name) override;
  Result<Directory> open_place_at(const Directory& parent, std::string_view name) override;
  bool use_private_fd_table() override { return real_.use_private_fd_table(); }
  Result<FileStat> stat_directory(const Directory& directory) override;
  Result<void> list(const Directory& directory, DirectoryListing& out) override;
  Result<bool> list_more(const Directory& directory, DirectoryListing& out) override;
  Result<FileStat> stat_at(const Directory& directory, std::string_view name) override;
  Result<std::string> read_link_at(const Directory& directory, std::string_view name) override;
  Result<std::string> read_file_at(const Directory& directory, std::string_view name) override;
  Result<FileStat> stat(const std::string& path) override;
  Result<FileStat> lstat(const std::string& path) override;
  Result<std::string> read_file(const std::string& path) override;
  Timestamp now() override;

 private:
  // Directories belong to the real file system and are closed by it.
  void close_directory(intptr_t) override {}
  std::optional<Error> injected(Call call, std::string_view path) const {
    return fault_ ? fault_(call, path) : std::nullopt;
  }

  FileSystem& real_;
  FileSystemCalls calls_;
  Fault fault_;
  int64_t ahead_ = 0;
  std::optional<Timestamp> frozen_;
};

}  // namespace resident::testing
