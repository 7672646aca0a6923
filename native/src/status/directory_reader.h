// DirectoryReader: the work of a scan for one directory. It watches and lists the directory,
// classifies its names and examines its tracked files.
//
// Threads: each worker of a scan has its own reader.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "status/current_directory.h"
#include "status/directory_entries.h"
#include "status/directory_names.h"
#include "status/directory_opener.h"
#include "status/first_untracked.h"
#include "status/hard_links.h"
#include "status/own_git_files.h"
#include "status/parallel_walk.h"
#include "status/scan.h"

namespace resident {

class alignas(kWalkerAlignment) DirectoryReader {
 public:
  using Task = WalkTask<DirectoryNode>;

  // `root`: for tasks that must be opened by path; null if there are none.
  explicit DirectoryReader(const ScanContext& context,
                           std::shared_ptr<const Directory> root = nullptr)
      : context_(context), opener_(context, std::move(root)) {}
  DirectoryReader(const DirectoryReader&) = delete;
  DirectoryReader& operator=(const DirectoryReader&) = delete;

  // Reads one directory. Calls `push(task)` for each directory to read next.
  template <typename Push>
  void read(Task task, Push&& push) {
    DirectoryNode& node = *task.node;
    const std::shared_ptr<const Directory> directory = read(std::move(task));
    if (!node.has_nothing_to_list()) findings_.with_something.push_back(&node);
    if (!directory) return;
    for (const auto& child : node.children()) {
      // A submodule's contents belong to its own index. Here they are only watched.
      if (child->submodule && !context_.watcher) continue;
      push(Task{child.get(), Directory(), directory});
    }
  }

  // See DirectoryOpener.
  void with_private_fd_table(const std::function<void()>& work) {
    opener_.with_private_fd_table(work);
  }

  ScanFindings& findings() { return findings_; }

 private:
  const Index& index() const { return context_.refresh.index; }
  FileSystem& fs() const { return context_.refresh.fs; }
  bool is_only_tracked() const { return context_.untracked == UntrackedNeed::kNone; }

  // The open directory, for its children; null if nothing below needs reading.
  std::shared_ptr<const Directory> read(Task task);
  // Each returns false if the directory needs no more reading.
  bool open_parent(Task& task);
  bool open(Task& task);
  bool read_names(const Task& task);

  bool is_read_to_first(const DirectoryNode& node) const;
  void watch(DirectoryNode& node, const Directory& directory);
  void take_listing(DirectoryNode& node, const Directory& directory, bool are_entries_alone);
  void finish(DirectoryNode& node, const Directory& directory);
  bool fail(const Task& task, const Error& error);

  const ScanContext& context_;
  DirectoryOpener opener_;
  ScanFindings findings_;
  CurrentDirectory current_{context_};
  HardLinks links_{context_, findings_, current_};
  DirectoryEntries entries_{context_, findings_, current_, links_};
  DirectoryNames names_{context_, findings_, current_, entries_, links_};
  OwnGitFiles git_files_{context_, current_, entries_};
  FirstUntracked first_untracked_{context_, findings_, current_, entries_, names_, git_files_};
  DirectoryListing listing_;  // scratch memory, reused for each directory
};

}  // namespace resident
