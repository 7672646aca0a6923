// DirectoryReader: what a scan does with one directory: watches it, lists it, classifies its names,
// examines its tracked files.
//
// Threads: each worker of a scan has its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/entry_lookup.h"
#include "status/classify.h"
#include "status/examine.h"
#include "status/parallel_walk.h"
#include "status/scan.h"

namespace resident {

class alignas(kWalkerAlignment) DirectoryReader {
 public:
  using Task = WalkTask<DirectoryNode>;

  // `root`: for tasks that are to be opened by path; null where there are none.
  explicit DirectoryReader(const ScanContext& context,
                           std::shared_ptr<const Directory> root = nullptr)
      : context_(context), begun_(context.refresh.fs.now()), root_(std::move(root)) {}

  // Reads one directory; `push(task)` is called for each directory to read next.
  template <typename Push>
  void read(Task task, Push&& push) {
    DirectoryNode& node = *task.node;
    const std::shared_ptr<const Directory> directory = read(std::move(task));
    if (!node.has_nothing_to_list()) findings_.with_something.push_back(&node);
    if (!directory) return;
    for (const auto& child : node.children()) {
      // What is in a submodule is asked of its own index; here it is only watched.
      if (child->submodule && !context_.watcher) continue;
      push(Task{child.get(), Directory(), directory});
    }
  }

  // Calls `work`, in which this thread has descriptors of its own; not where the root cannot be
  // opened again.
  void with_private_fd_table(const std::function<void()>& work);

  ScanFindings& findings() { return findings_; }

 private:
  // The open directory, for those below; null where nothing below is to be read.
  std::shared_ptr<const Directory> read(Task task);

  const Index& index() const { return context_.refresh.index; }
  FileSystem& fs() const { return context_.refresh.fs; }

  // A directory above another, open.
  struct Above {
    std::shared_ptr<const Directory> directory;
    size_t length = 0;                  // of its path
    std::optional<Error> failure = {};  // why it is not the one that the other lies in
  };
  Above open_above(const DirectoryNode& node);
  void unreadable(DirectoryNode& node, const Above& above, const Error& error);
  void watch(DirectoryNode& node, const Directory& directory);
  bool may_be_searched(const DirectoryNode& node, const Directory& directory);
  void record_searchable(DirectoryNode& node, const Directory& directory);
  bool has_hidden_gitignore() const;
  bool is_own_git_directory(const std::string& path) const;
  NameRules name_rules() const { return {index(), context_.rules, context_.folded}; }
  std::unique_ptr<DirectoryNode> visit_directory(DirectoryNode& node, std::string_view name);
  bool visit_file(DirectoryNode& node, std::string_view name, FileKind kind);
  void find_links(const Directory& directory, std::string_view name);
  void record_new_links(const FileStat& stat);
  void begin_listing(DirectoryNode& node, const Directory& directory);
  Result<bool> list_beginning(const Directory& directory, DirectoryListing& listing);
  void record_names(DirectoryNode& node, const Directory& directory,
                    const DirectoryListing& listing);
  bool lists_entries_alone(const DirectoryNode& node) const;
  void record_git_files(DirectoryNode& node, const Directory& directory, bool has_dot_git,
                        bool has_gitignore);
  bool is_above_start() const;
  void take_way(DirectoryNode& node, const Directory& directory);
  PathspecMatch match_directory(std::string_view name);
  DirectoryNode* take(DirectoryNode& node, const Directory& directory,
                      DirectoryListing::Entry entry);
  bool read_up_to_first(DirectoryNode& node, const Directory& parent);
  bool read_up_to_first(DirectoryNode& node, const Directory& directory,
                        const DirectoryListing& listing);
  void visit_index_directories(DirectoryNode& node);
  bool is_asked_about(uint32_t first, uint32_t end);
  void take(const DirectoryNode& node, uint32_t position, const Refreshed& refreshed);
  void examine_entries(const DirectoryNode& node, const Directory& directory);
  bool is_outside(std::string_view name) {
    return !context_.limit.may_be_at_or_below(path_of(name));
  }

  const ScanContext& context_;
  const Timestamp begun_;
  std::shared_ptr<const Directory> root_;
  ScanFindings findings_;
  // Scratch, reused from directory to directory.
  DirectoryListing listing_;
  EntryLookup lookup_;          // of the directory's entries
  std::vector<Listed> listed_;  // by position among them
  bool was_searched_ = false;   // a name was found in the directory by looking it up
  bool is_new_ = false;         // names may have come into the directory since the scan began
  std::string path_;            // of the directory being read, ending in '/', then of a name in it
  size_t base_length_ = 0;

  void set_path(const DirectoryNode& node) {
    path_.clear();
    node.append_path(path_);
    base_length_ = path_.size();
  }
  std::string_view path_of(std::string_view name) {
    path_.resize(base_length_);
    return path_.append(name);
  }
};

}  // namespace resident
