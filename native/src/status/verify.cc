#include "status/verify.h"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "attributes/attribute_file.h"
#include "status/absent.h"
#include "status/directory_patterns.h"
#include "status/examine.h"
#include "status/parallel_walk.h"
#include "status/tracked_rows.h"

namespace resident {

namespace {

class alignas(kWalkerAlignment) DirectoryVerifier {
 public:
  using Task = WalkTask<const DirectoryNode>;

  DirectoryVerifier(const VerifyContext& context, std::atomic<size_t>& stale_count)
      : context_(context), stale_count_(stale_count), begun_(context.scan.refresh.fs.now()) {}

  template <typename Push>
  void verify(Task task, Push&& push);

  void add_to(Verified& verified) &&;

 private:
  const ScanContext& scan() const { return context_.scan; }
  const Index& index() const { return scan().refresh.index; }
  FileSystem& fs() const { return scan().refresh.fs; }
  bool is_partial() const { return static_cast<bool>(context_.part); }
  TreePart part_of(const DirectoryNode& node) const {
    return is_partial() ? context_.part(node) : TreePart::kHere;
  }
  bool is_given_up() const {
    return stale_count_.load(std::memory_order_relaxed) > context_.most_stale ||
           (scan().cancelled && scan().cancelled->load(std::memory_order_relaxed));
  }

  void tell_stale(const DirectoryNode& node);
  bool has_same_patterns(const DirectoryNode& node, const Directory& directory) const;
  bool examine_entries(const DirectoryNode& node, const Directory& directory);
  void record_examined(const FileRef& file, uint32_t position, const FileStat& stat);
  bool needs_no_opening(const DirectoryNode& node) const;
  bool examine(const DirectoryNode& node, const Directory& directory, const FileStat& stat);

  const VerifyContext& context_;
  std::atomic<size_t>& stale_count_;
  const Timestamp begun_;
  Verified found_;
  std::string path_;  // the current directory: "" or ending in '/'
};

void DirectoryVerifier::add_to(Verified& verified) && {
  const auto append = [](auto& into, auto& from) {
    std::move(from.begin(), from.end(), std::back_inserter(into));
  };
  merge(verified.findings, std::move(found_.findings));
  append(verified.stale, found_.stale);
  append(verified.attribute_files, found_.attribute_files);
  append(verified.destinations, found_.destinations);
}

void DirectoryVerifier::tell_stale(const DirectoryNode& node) {
  found_.stale.push_back(node.path());
  stale_count_.fetch_add(1, std::memory_order_relaxed);
}

// A .gitignore that is rewritten in place does not change its directory's stat.
bool DirectoryVerifier::has_same_patterns(const DirectoryNode& node,
                                          const Directory& directory) const {
  const auto position = node.is_tracked() ? index().find_entry(node.index_directory, kGitignore)
                                          : std::optional<uint32_t>();
  if (!node.patterns && node.patterns_readable() && !position && !node.find_other(kGitignore)) {
    return true;
  }
  if (!node.patterns_readable()) return false;
  const Result<std::string> content = fs().read_file_at(directory, kGitignore);
  if (content.ok()) return node.patterns && node.patterns->content() == *content;
  if (content.error().code != ErrorCode::kNotFound) return false;
  // Any patterns then come from the index.
  return !node.patterns || (position && index().entries()[*position].skip_worktree());
}

// False: lstat could not examine an entry.
bool DirectoryVerifier::examine_entries(const DirectoryNode& node, const Directory& directory) {
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  const uint32_t end = in_index.first_entry + in_index.entry_count;
  for (uint32_t next = in_index.first_entry; next < end;) {
    const uint32_t position = next;
    next = index().end_of_path(position, end);
    const FileRef file{directory, index().name(index().entries()[position]), path_};
    const Examined examined =
        examine_path(scan().refresh, position, next, file, Listed::kUnknown,
                     [&](uint32_t stage, const Refreshed& refreshed) {
                       record_refreshed(scan(), found_.findings, node, stage, refreshed);
                     });
    found_.findings.lstats += examined.lstat;
    if (examined.refusal) return false;
    if (examined.lstat && examined.stat) record_examined(file, position, *examined.stat);
  }
  if (scan().files_seen) {
    scan().files_seen->fetch_add(in_index.entry_count, std::memory_order_relaxed);
  }
  return true;
}

void DirectoryVerifier::record_examined(const FileRef& file, uint32_t position,
                                        const FileStat& stat) {
  if (!is_partial()) return record_linked(found_.findings, file, stat, begun_);
  if (file.name == kGitattributes) {
    found_.attribute_files.push_back({file.path(), stat, begun_});
  }
  if (is_rename_destination(index().entries()[position])) found_.destinations.push_back(position);
}

// True if the directory's own stat is enough, and nothing below is examined.
bool DirectoryVerifier::needs_no_opening(const DirectoryNode& node) const {
  if (!is_partial() || node.is_tracked() || node.patterns || !node.patterns_readable() ||
      node.find_other(kGitignore) || node.find_other(kGitattributes)) {
    return false;
  }
  return std::none_of(node.children().begin(), node.children().end(),
                      [this](const auto& child) { return part_of(*child) != TreePart::kNone; });
}

// False: the directory is stale.
bool DirectoryVerifier::examine(const DirectoryNode& node, const Directory& directory,
                                const FileStat& stat) {
  if (!node.is_as_read(stat) || !context_.is_watched(node)) return false;
  if (node.submodule || node.nested_repository()) return true;
  if (is_partial() && node.find_other(kGitattributes)) {
    if (const auto file = fs().stat_at(directory, kGitattributes); file.ok()) {
      found_.attribute_files.push_back({node.path_of(kGitattributes), *file, begun_});
    }
  }
  return has_same_patterns(node, directory) &&
         (!node.is_tracked() || examine_entries(node, directory));
}

template <typename Push>
void DirectoryVerifier::verify(Task task, Push&& push) {
  if (is_given_up()) return;
  const DirectoryNode& node = *task.node;
  if (node.is_tracked() && index().sparse_tree(node.index_directory)) {
    found_.findings.sparse.push_back(node.index_directory);
    return;
  }
  const TreePart part = part_of(node);
  if (part == TreePart::kHere && task.parent && needs_no_opening(node)) {
    ++found_.findings.directories;
    const Result<FileStat> stat = fs().stat_at(*task.parent, node.name);
    if (!stat.ok() || !node.readable() || !node.is_as_read(*stat)) tell_stale(node);
    return;
  }
  if (task.parent) {
    Result<Directory> opened = fs().open_directory_at(*task.parent, node.name);
    if (!opened.ok()) return tell_stale(node);
    task.directory = std::move(opened).value();
  }
  if (part == TreePart::kHere) {
    const Result<FileStat> stat = fs().stat_directory(task.directory);
    if (!stat.ok() || !node.was_read_from(*stat) || !node.readable()) return tell_stale(node);
    ++found_.findings.directories;
    path_.clear();
    node.append_path(path_);
    if (!examine(node, task.directory, *stat)) tell_stale(node);
    if (node.is_tracked() && !is_partial()) mark_absent_below(scan(), node, found_.findings);
  }
  task.parent.reset();
  if (node.children().empty()) return;
  auto shared = std::make_shared<const Directory>(std::move(task.directory));
  for (const auto& child : node.children()) {
    if (part_of(*child) != TreePart::kNone) push(Task{child.get(), Directory(), shared});
  }
}

}  // namespace

Verified verify_tree(const VerifyContext& context, const DirectoryNode& top, Directory root) {
  std::atomic<size_t> stale_count{0};
  auto verifiers = walk_in_parallel(
      context.scan.threads, top, std::move(root),
      [&] { return DirectoryVerifier(context, stale_count); },
      [](DirectoryVerifier& verifier, DirectoryVerifier::Task task, auto&& push) {
        verifier.verify(std::move(task), push);
      },
      context.scan.tick);
  Verified verified;
  for (const auto& verifier : verifiers) {
    std::move(*verifier).add_to(verified);
  }
  std::sort(verified.stale.begin(), verified.stale.end());
  verified.given_up =
      stale_count > context.most_stale || (context.scan.cancelled && *context.scan.cancelled);
  return verified;
}

}  // namespace resident
