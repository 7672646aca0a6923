// The events of fanotify(7) as a group with FAN_REPORT_DFID_NAME reads them, and the key by which
// they tell a directory: its file system and its file handle.
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

// As an event's record has it: f_fsid of statfs(2), then the struct file_handle.
class DirectoryKey {
 public:
  static constexpr size_t kFileSystemSize = 8;

  // Of an open file. nullopt where there is none by which events can be told apart: without handles
  // or a number of its file system, or one whose handles change while it is watched.
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
  std::string_view directory;  // a DirectoryKey's bytes; empty where events were lost
  std::string_view name;       // empty: the directory itself
};

// Whole events, as read(2) gives them. False: what follows the last one that was visited is none,
// or tells of no directory.
bool for_each_event(std::span<const char> events,
                    const std::function<void(const FanotifyEvent&)>& visit);

}  // namespace resident
