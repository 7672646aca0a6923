// DirectoryNames: classifies the names in a directory, during a scan. Directories that must be read
// become nodes; other names are recorded in the directory's node.
//
// Threads: one worker.
#pragma once

#include <memory>
#include <string_view>

#include "status/classify.h"
#include "status/current_directory.h"
#include "status/directory_entries.h"
#include "status/hard_links.h"

namespace resident {

class DirectoryNames {
 public:
  // All parameters must outlive this object.
  DirectoryNames(const ScanContext& context, ScanFindings& findings, CurrentDirectory& current,
                 DirectoryEntries& entries, HardLinks& links)
      : context_(context),
        findings_(findings),
        current_(current),
        entries_(entries),
        links_(links) {}

  // Handles one name of the listing. Returns a directory that must be read.
  DirectoryNode* take(DirectoryNode& node, const Directory& directory,
                      DirectoryListing::Entry entry);
  // True if the directory is above all paths of the limit.
  bool is_above_start() const;
  // For such a directory: takes only the name that leads to the start.
  void take_way(DirectoryNode& node, const Directory& directory);
  // Takes the subdirectories of the index, without a check that they exist on disk.
  void take_index_directories(DirectoryNode& node);

 private:
  const Index& index() const { return context_.refresh.index; }
  FileSystem& fs() const { return context_.refresh.fs; }
  NameRules rules() const { return {index(), context_.rules, context_.folded}; }
  bool is_outside(std::string_view name) {
    return !context_.limit.may_be_at_or_below(current_.path_of(name));
  }
  DirectoryNode* take_directory(DirectoryNode& node, std::string_view name);
  std::unique_ptr<DirectoryNode> node_of_directory(DirectoryNode& node, std::string_view name);
  bool take_file(DirectoryNode& node, std::string_view name, FileKind kind);

  const ScanContext& context_;
  ScanFindings& findings_;
  CurrentDirectory& current_;
  DirectoryEntries& entries_;
  HardLinks& links_;
};

}  // namespace resident
