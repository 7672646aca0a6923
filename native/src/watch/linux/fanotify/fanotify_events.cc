#include "watch/linux/fanotify/fanotify_events.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cstring>

#include "watch/local_file_system.h"

namespace resident {

namespace {

// What its root itself tells can come with the number of the file system around it.
bool is_btrfs_subvolume(uint32_t type, int descriptor) {
  constexpr uint32_t kBtrfs = 0x9123683e;
  constexpr ino_t kRoot = 256;
  struct stat found {};
  return type == kBtrfs && (::fstat(descriptor, &found) != 0 || found.st_ino == kRoot);
}

// Records after the event's own part (linux/fanotify.h): a header, the number of the file system, a
// struct file_handle, and a name that ends with NUL.
struct RecordHeader {
  uint8_t type;
  uint8_t pad;
  uint16_t length;
};
constexpr uint8_t kDirectoryAndName = 2;
constexpr uint8_t kDirectory = 3;
constexpr size_t kHandleHeader = 2 * sizeof(uint32_t);  // its length, its type

template <typename T>
T read_at(std::span<const char> bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// False: no such record.
bool parse_directory(std::span<const char> record, FanotifyEvent& event) {
  constexpr size_t kFixed = DirectoryKey::kFileSystemSize + kHandleHeader;
  const auto type = read_at<RecordHeader>(record, 0).type;
  record = record.subspan(sizeof(RecordHeader));
  if (record.size() < kFixed) return false;
  const auto length = read_at<uint32_t>(record, DirectoryKey::kFileSystemSize);
  if (length > record.size() - kFixed) return false;
  event.directory = {record.data(), kFixed + length};
  event.name = {};
  if (type == kDirectory) return true;
  const std::string_view rest(record.data() + kFixed + length, record.size() - kFixed - length);
  const size_t end = rest.find('\0');
  if (end == rest.npos) return false;
  event.name = rest.substr(0, end);
  if (event.name == ".") event.name = {};
  return true;
}

bool parse_records(std::span<const char> records, FanotifyEvent& event) {
  while (!records.empty()) {
    if (records.size() < sizeof(RecordHeader)) return false;
    const auto header = read_at<RecordHeader>(records, 0);
    if (header.length < sizeof header || header.length > records.size()) return false;
    const bool is_directory = header.type == kDirectoryAndName || header.type == kDirectory;
    if (is_directory && !parse_directory(records.first(header.length), event)) return false;
    records = records.subspan(header.length);
  }
  return !event.directory.empty();
}

}  // namespace

std::optional<DirectoryKey> DirectoryKey::of(int descriptor) {
  struct statfs found {};
  if (::fstatfs(descriptor, &found) != 0) return std::nullopt;
  const auto type = static_cast<uint32_t>(found.f_type);
  if (!has_lasting_handles(type) || is_btrfs_subvolume(type, descriptor)) return std::nullopt;
  DirectoryKey key;
  static_assert(sizeof found.f_fsid == kFileSystemSize);
  std::memcpy(key.bytes_.data(), &found.f_fsid, kFileSystemSize);
  if (key.file_system() == 0) return std::nullopt;
  auto* handle = reinterpret_cast<file_handle*>(key.bytes_.data() + kFileSystemSize);
  handle->handle_bytes = kMax - kFileSystemSize - kHandleHeader;
  int mount = 0;
  if (::name_to_handle_at(descriptor, "", handle, &mount, AT_EMPTY_PATH) != 0) return std::nullopt;
  key.size_ = kFileSystemSize + kHandleHeader + handle->handle_bytes;
  return key;
}

uint64_t DirectoryKey::file_system() const {
  uint64_t number = 0;
  std::memcpy(&number, bytes_.data(), kFileSystemSize);
  return number;
}

bool for_each_event(std::span<const char> events,
                    const std::function<void(const FanotifyEvent&)>& visit) {
  while (!events.empty()) {
    if (events.size() < sizeof(fanotify_event_metadata)) return false;
    const auto head = read_at<fanotify_event_metadata>(events, 0);
    const bool is_event = head.vers == FANOTIFY_METADATA_VERSION &&
                          head.metadata_len >= sizeof head && head.metadata_len <= head.event_len &&
                          head.event_len <= events.size();
    if (!is_event) return false;
    FanotifyEvent event{head.mask, {}, {}};
    const auto records = events.first(head.event_len).subspan(head.metadata_len);
    if ((head.mask & FAN_Q_OVERFLOW) == 0 && !parse_records(records, event)) return false;
    visit(event);
    events = events.subspan(head.event_len);
  }
  return true;
}

}  // namespace resident
