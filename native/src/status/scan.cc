#include "status/scan.h"

#include <iterator>

#include "status/directory_reader.h"

namespace resident {

void record_linked(ScanFindings& findings, const FileRef& file, const FileStat& stat,
                   Timestamp before) {
  if (stat.links <= 1 || stat.kind != FileKind::kRegular) return;
  if (findings.linked.size() < kMaxLinkedFiles) {
    findings.linked.push_back({file.path(), stat, before});
  } else {
    ++findings.more_linked;
  }
}

void record_problem(ScanFindings& findings, const DirectoryNode& node, const Error& error) {
  findings.problems.push_back("/" + node.path() + ": " + error.message);
}

void record_compared(ScanFindings& findings, const DirectoryNode& node, uint32_t position,
                     const Refreshed& refreshed) {
  if (refreshed.compared) {
    ++findings.contents_read;
    findings.compared.emplace(position, *refreshed.compared);
  }
  if (refreshed.problem) record_problem(findings, node, *refreshed.problem);
}

void merge(ScanFindings& into, ScanFindings&& from) {
  into.compared.merge(from.compared);
  into.watched.insert(into.watched.end(), from.watched.begin(), from.watched.end());
  into.with_others.insert(into.with_others.end(), from.with_others.begin(), from.with_others.end());
  into.with_something.insert(into.with_something.end(), from.with_something.begin(),
                             from.with_something.end());
  into.unwatched.insert(into.unwatched.end(), from.unwatched.begin(), from.unwatched.end());
  into.unreadable.insert(into.unreadable.end(), from.unreadable.begin(), from.unreadable.end());
  for (LinkedFile& file : from.linked) {
    if (into.linked.size() < kMaxLinkedFiles) {
      into.linked.push_back(std::move(file));
    } else {
      ++into.more_linked;
    }
  }
  into.more_linked += from.more_linked;
  into.new_links.insert(into.new_links.end(), from.new_links.begin(), from.new_links.end());
  std::move(from.problems.begin(), from.problems.end(), std::back_inserter(into.problems));
  into.obstructed.insert(into.obstructed.end(), from.obstructed.begin(), from.obstructed.end());
  std::move(from.directories_at_files.begin(), from.directories_at_files.end(),
            std::back_inserter(into.directories_at_files));
  into.sparse.insert(into.sparse.end(), from.sparse.begin(), from.sparse.end());
  into.directories += from.directories;
  into.lstats += from.lstats;
  into.contents_read += from.contents_read;
}

namespace {

void with_private_fd_table(DirectoryReader& reader, const std::function<void()>& work) {
  reader.with_private_fd_table(work);
}

}  // namespace

ScanFindings scan_subtree(const ScanContext& context, DirectoryNode& node, Directory directory) {
  // A kept tree watches its directories, and its threads share opened directories.
  std::shared_ptr<const Directory> root;
  FileSystem& fs = context.refresh.fs;
  if (fs.fast_access() && context.once && context.threads > 1 && !context.watcher &&
      !context.tick) {
    Result<Directory> opened = fs.open_directory(context.refresh.root);
    if (opened.ok()) root = std::make_shared<const Directory>(std::move(opened).value());
  }
  auto readers = walk_in_parallel(
      context.threads, node, std::move(directory), [&] { return DirectoryReader(context, root); },
      [](DirectoryReader& reader, DirectoryReader::Task task, auto&& push) {
        reader.read(std::move(task), push);
      },
      context.tick, root ? with_private_fd_table : nullptr);
  ScanFindings findings = std::move(readers[0]->findings());
  for (size_t i = 1; i < readers.size(); ++i) merge(findings, std::move(readers[i]->findings()));
  for (DirectoryNode* something : findings.with_something) something->withdraw_above();
  return findings;
}

}  // namespace resident
