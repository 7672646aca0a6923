#include "testing/counting_file_system.h"

#include "fs/linux/posix_file_system.h"

namespace resident::testing {

CountingFileSystem::CountingFileSystem() : CountingFileSystem(posix_file_system().capabilities()) {
}

CountingFileSystem::CountingFileSystem(const Capabilities& claimed)
    : FileSystem(claimed), real_(posix_file_system()) {
}

Result<Directory> CountingFileSystem::open_directory(const std::string& path) {
  ++calls_.open;
  if (auto error = injected(Call::kOpen, path)) return *error;
  return real_.open_directory(path);
}

Result<Directory> CountingFileSystem::open_directory_at(const Directory& parent,
                                                        std::string_view name) {
  ++calls_.open;
  if (auto error = injected(Call::kOpen, name)) return *error;
  return real_.open_directory_at(parent, name);
}

Result<Directory> CountingFileSystem::open_place_at(const Directory& parent,
                                                    std::string_view name) {
  ++calls_.open;
  if (auto error = injected(Call::kOpen, name)) return *error;
  return fast().open_place_at(parent, name);
}

Result<FileStat> CountingFileSystem::stat_directory(const Directory& directory) {
  ++calls_.stat_directory;
  return real_.stat_directory(directory);
}

Result<void> CountingFileSystem::list(const Directory& directory, DirectoryListing& out) {
  ++calls_.list;
  return real_.list(directory, out);
}

Result<bool> CountingFileSystem::list_more(const Directory& directory, DirectoryListing& out) {
  calls_.list += !directory.mark_listed();
  ++calls_.list_more;
  return fast().list_more(directory, out);
}

Result<FileStat> CountingFileSystem::stat_at(const Directory& directory, std::string_view name) {
  ++calls_.stat_at;
  if (auto error = injected(Call::kStat, name)) return *error;
  return real_.stat_at(directory, name);
}

Result<std::string> CountingFileSystem::read_link_at(const Directory& directory,
                                                     std::string_view name) {
  ++calls_.read_link;
  if (auto error = injected(Call::kRead, name)) return *error;
  return real_.read_link_at(directory, name);
}

Result<std::string> CountingFileSystem::read_file_at(const Directory& directory,
                                                     std::string_view name) {
  ++calls_.read_file_at;
  if (auto error = injected(Call::kRead, name)) return *error;
  return real_.read_file_at(directory, name);
}

Result<FileStat> CountingFileSystem::stat(const std::string& path) {
  ++calls_.stat;
  if (auto error = injected(Call::kStat, path)) return *error;
  return real_.stat(path);
}

Result<FileStat> CountingFileSystem::lstat(const std::string& path) {
  ++calls_.stat;
  if (auto error = injected(Call::kStat, path)) return *error;
  return real_.lstat(path);
}

Result<std::string> CountingFileSystem::read_file(const std::string& path) {
  ++calls_.read_file;
  if (auto error = injected(Call::kRead, path)) return *error;
  return real_.read_file(path);
}

Timestamp CountingFileSystem::now() {
  if (frozen_) return *frozen_;
  Timestamp now = real_.now();
  now.seconds += ahead_;
  return now;
}

}  // namespace resident::testing
