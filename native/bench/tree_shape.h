// TreeShape: directories, files and contents of a generated repository. The same on every machine
// and in every run: no clock, no external seed.
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
  // Part of the key of a cached repository. Increase it after each change of a shape.
  static constexpr int kVersion = 1;

  struct Directory {
    uint32_t parent = 0;  // the root is its own parent
    std::string name;     // "" for the root
    uint32_t file_count = 0;
  };

  // Like a browser's source tree: many levels of uneven directories, a few with hundreds of files,
  // and some .gitignore files. With 400,000 files in 33,000 directories the mean path length is 60
  // bytes. Each directory has a file, so `directories` is at most `files`.
  static TreeShape source_tree(uint32_t files, uint32_t directories);
  // Like the synthetic repositories of git's own performance tests. Each directory above the last
  // level has `width` subdirectories, and files are spread evenly.
  static TreeShape regular(uint32_t files, uint32_t width, uint32_t depth);
  // "tiny", "400k", "1m", "2m", or a number of files of a source tree; nullopt for any other name.
  static std::optional<TreeShape> named(std::string_view name);

  // Parents come before their children; [0] is the root.
  std::span<const Directory> directories() const { return directories_; }
  uint32_t file_count() const { return file_count_; }

  // "" for the root, else with a final '/'.
  std::string path(uint32_t directory) const;
  // `file` is 0..file_count-1 in the directory.
  std::string file_name(uint32_t directory, uint32_t file) const;

  // Index of a file's content in contents().
  uint32_t content_of(uint32_t directory, uint32_t file) const;
  // Texts of some hundred bytes. The second half holds changed versions of the first half.
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
