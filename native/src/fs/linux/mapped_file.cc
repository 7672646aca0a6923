#include "fs/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "fs/linux/stat_convert.h"
#include "os/unique_fd.h"

namespace resident {

Result<MappedFile> MappedFile::open(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return error_from_errno(errno, path);
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return error_from_errno(errno, path);
  if (!S_ISREG(st.st_mode)) return Error{ErrorCode::kInvalid, path + ": not a regular file"};
  MappedFile file;
  file.stat_ = file_stat_from(st);
  if (st.st_size == 0) return file;
  void* data =
      ::mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) return error_from_errno(errno, path);
  file.data_ = static_cast<const uint8_t*>(data);
  file.size_ = static_cast<size_t>(st.st_size);
  file.guard_ = MappingGuard(data, file.size_);
  return file;
}

// A read maps the pages around it too.
void MappedFile::map_ahead(Bytes bytes, const std::atomic<bool>& enough) {
  constexpr size_t kMappedTogether = size_t{16} << 10;
  const volatile uint8_t* const data = bytes.data();
  for (size_t at = 0; at < bytes.size() && !enough.load(std::memory_order_relaxed);
       at += kMappedTogether) {
    (void)data[at];
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      stat_(other.stat_),
      guard_(std::move(other.guard_)) {
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(stat_, other.stat_);
  std::swap(guard_, other.guard_);
  return *this;
}

MappedFile::~MappedFile() {
  // Ends the guard before another mapping can reuse the addresses.
  guard_ = MappingGuard();
  if (data_) ::munmap(const_cast<uint8_t*>(data_), size_);
}

}  // namespace resident
