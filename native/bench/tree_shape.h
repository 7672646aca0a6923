// TreeShape: which directories and files a generated repository has, and what is in them. The same
// on every machine and in every run: no clock, no seed from outside.
//
// Threads: immutable after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace resident::bench {

class TreeShape {
 public:
  // Part of what names a cached repository: to be raised whenever a shape becomes another one.
  static constexpr int kVersion = 1;

  struct Directory {
    uint32_t parent = 0;  // the root is its own
    std::string name;     // "" for the root
    uint32_t file_count = 0;
  };

  // As a browser's source tree: many levels of uneven directories, a few of them with hundreds of
  // files, a .gitignore here and there; the mean path length of 400,000 files in 33,000 directories
  // is 60 bytes. There is no directory without a file, so `directories` is at most `files`.
  static TreeShape source_tree(uint32_t files, uint32_t directories);
  // As the synthetic repositories of git's own performance tests: each directory above the last
  // level has `width` subdirectories, and files are spread evenly.
  static TreeShape regular(uint32_t files, uint32_t width, uint32_t depth);
  // "tiny", "400k", "1m", "2m", or a number of files of a source tree; nullopt for anything else.
  static std::optional<TreeShape> named(std::string_view name);

  // A parent is before its children; [0] is the root.
  std::span<const Directory> directories() const { return directories_; }
  uint32_t file_count() const { return file_count_; }

  // "" for the root, else ending in '/'.
  std::string path(uint32_t directory) const;
  // `file` is 0..file_count-1 of the directory.
  std::string file_name(uint32_t directory, uint32_t file) const;

  // What a file holds, as a position in contents().
  uint32_t content_of(uint32_t directory, uint32_t file) const;
  // Texts of some hundred bytes. The second half are those of the first half, changed.
  static const std::vector<std::string>& contents();
  static uint32_t changed_content(uint32_t content);

 private:
  TreeShape() = default;
  void spread_files(uint32_t files);

  std::vector<Directory> directories_;
  uint32_t file_count_ = 0;
  bool even_ = false;
};

}  // namespace resident::bench
