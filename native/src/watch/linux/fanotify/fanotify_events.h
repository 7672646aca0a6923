// Parses fanotify(7) events of a group with FAN_REPORT_DFID_NAME. Such events identify a directory
// by a key: its file system and its file handle.
//
// Threads: any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace resident {

// Has the layout in an event's record: f_fsid of statfs(2), then the struct file_handle.
class DirectoryKey {
 public:
  static constexpr size_t kFileSystemSize = 8;

  // Makes the key of an open file. nullopt: no unique key exists. Its file system has no handles or
  // no id, or its handles can change while it is watched.
  static std::optional<DirectoryKey> of(int descriptor);

  std::string_view bytes() const { return {bytes_.data(), size_}; }
  uint64_t file_system() const;

 private:
  static constexpr size_t kMax = kFileSystemSize + 2 * sizeof(uint32_t) + 128;  // MAX_HANDLE_SZ
  alignas(8) std::array<char, kMax> bytes_;
  size_t size_ = 0;
};

struct FanotifyEvent {
  uint64_t mask = 0;
  std::string_view directory;  // a DirectoryKey's bytes; empty: events were lost
  std::string_view name;       // empty: the directory itself
};

// Visits complete events, as read by read(2). False: the bytes after the last visited event are
// invalid, or name no directory.
bool for_each_event(std::span<const char> events,
                    const std::function<void(const FanotifyEvent&)>& visit);

}  // namespace resident
