#include "fs/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/unique_fd.h"
#include "fs/stat_convert.h"

namespace resident {

namespace {

// Of a larger file it is not believed that all of it will be read: its first bytes decide.
[[maybe_unused]] constexpr off_t kMostAtOnce = off_t{1} << 30;

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path, Use use) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return error_from_errno(errno, path);
  struct stat st;
  if (::fstat(fd.get(), &st) != 0) return error_from_errno(errno, path);
  if (!S_ISREG(st.st_mode)) return Error{ErrorCode::kInvalid, path + ": not a regular file"};
  MappedFile file;
  file.stat_ = file_stat_from(st);
  if (st.st_size == 0) return file;
  int flags = MAP_PRIVATE;
#ifdef MAP_POPULATE
  if (use == Use::kWhole && st.st_size <= kMostAtOnce) flags |= MAP_POPULATE;
#endif
  void* data = ::mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ, flags, fd.get(), 0);
  if (data == MAP_FAILED) return error_from_errno(errno, path);
  file.data_ = static_cast<const uint8_t*>(data);
  file.size_ = static_cast<size_t>(st.st_size);
  file.guard_ = MappingGuard(data, file.size_);
  return file;
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
  // Before the addresses can be another mapping's.
  guard_ = MappingGuard();
  if (data_) ::munmap(const_cast<uint8_t*>(data_), size_);
}

}  // namespace resident
