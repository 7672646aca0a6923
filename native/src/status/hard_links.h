// HardLinks: records the files with several links that a scan finds.
//
// Threads: one worker.
#pragma once

#include <string_view>

#include "status/current_directory.h"

namespace resident {

class HardLinks {
 public:
  // All parameters must outlive this object.
  HardLinks(const ScanContext& context, ScanFindings& findings, const CurrentDirectory& current)
      : context_(context), findings_(findings), current_(current) {}

  // A tracked file.
  void record(const FileRef& file, const FileStat& stat) {
    record_new(stat);
    record_linked(findings_, file, stat, current_.begun());
  }
  // An untracked file counts only in a new directory, or if the whole scan is about links.
  bool need_stat(FileKind kind) const {
    return context_.watch_only || (current_.is_new() && kind == FileKind::kRegular);
  }
  void examine_untracked(const Directory& directory, std::string_view name);

 private:
  void record_new(const FileStat& stat) {
    const bool is_linked = stat.links > 1 && stat.kind == FileKind::kRegular;
    if (current_.is_new() && is_linked) findings_.new_links.push_back(stat.inode);
  }

  const ScanContext& context_;
  ScanFindings& findings_;
  const CurrentDirectory& current_;
};

}  // namespace resident
