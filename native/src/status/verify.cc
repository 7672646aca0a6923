#include "status/verify.h"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "status/absent.h"
#include "status/directory_patterns.h"
#include "status/examine.h"
#include "status/parallel_walk.h"

namespace resident {

namespace {

class DirectoryVerifier {
 public:
  using Task = WalkTask<const DirectoryNode>;

  DirectoryVerifier(const VerifyContext& context, std::atomic<size_t>& stale_count)
      : context_(context), stale_count_(stale_count), begun_(context.scan.refresh.fs.now()) {}

  template <typename Push>
  void verify(Task task, Push&& push);

  ScanFindings& findings() { return findings_; }
  std::vector<std::string>& stale() { return stale_; }

 private:
  const ScanContext& scan() const { return context_.scan; }
  const Index& index() const { return scan().refresh.index; }
  FileSystem& fs() const { return scan().refresh.fs; }
  bool is_given_up() const {
    return stale_count_.load(std::memory_order_relaxed) > context_.most_stale ||
           (scan().cancelled && scan().cancelled->load(std::memory_order_relaxed));
  }

  void tell_stale(const DirectoryNode& node);
  bool has_same_patterns(const DirectoryNode& node, const Directory& directory) const;
  bool examine_entries(const DirectoryNode& node, const Directory& directory);

  const VerifyContext& context_;
  std::atomic<size_t>& stale_count_;
  const Timestamp begun_;
  ScanFindings findings_;
  std::vector<std::string> stale_;
  std::string path_;  // of the directory: "" or ending in '/'
};

void DirectoryVerifier::tell_stale(const DirectoryNode& node) {
  stale_.push_back(node.path());
  stale_count_.fetch_add(1, std::memory_order_relaxed);
}

// Rewritten in place, a .gitignore leaves its directory as it was.
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
  // Then they are the index's, if anybody's.
  return !node.patterns || (position && index().entries()[*position].skip_worktree());
}

// False: something there cannot be told by lstat.
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
                       note_refreshed(scan(), findings_, node, stage, refreshed);
                     });
    findings_.lstats += examined.lstat;
    if (examined.refusal) return false;
    if (examined.lstat && examined.stat) note_linked(findings_, file, *examined.stat, begun_);
  }
  if (scan().files_seen) {
    scan().files_seen->fetch_add(in_index.entry_count, std::memory_order_relaxed);
  }
  return true;
}

template <typename Push>
void DirectoryVerifier::verify(Task task, Push&& push) {
  if (is_given_up()) return;
  const DirectoryNode& node = *task.node;
  if (node.is_tracked() && index().sparse_tree(node.index_directory)) {
    findings_.sparse.push_back(node.index_directory);
    return;
  }
  if (task.parent) {
    Result<Directory> opened = fs().open_directory_at(*task.parent, node.name);
    if (!opened.ok()) return tell_stale(node);
    task.directory = std::move(opened).value();
  }
  const Result<FileStat> stat = fs().stat_directory(task.directory);
  if (!stat.ok() || !node.was_read_from(*stat) || !node.readable()) {
    return tell_stale(node);
  }
  ++findings_.directories;
  path_.clear();
  node.append_path(path_);
  if (!node.is_as_read(*stat) || !context_.is_watched(node)) {
    tell_stale(node);
  } else if (!node.submodule && !node.nested_repository()) {
    const bool is_same = has_same_patterns(node, task.directory) &&
                         (!node.is_tracked() || examine_entries(node, task.directory));
    if (!is_same) tell_stale(node);
  }
  if (node.is_tracked()) mark_absent_below(scan(), node, findings_);
  task.parent.reset();
  if (node.children().empty()) return;
  auto shared = std::make_shared<const Directory>(std::move(task.directory));
  for (const auto& child : node.children()) push(Task{child.get(), Directory(), shared});
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
  for (DirectoryVerifier& verifier : verifiers) {
    merge(verified.findings, std::move(verifier.findings()));
    std::move(verifier.stale().begin(), verifier.stale().end(), std::back_inserter(verified.stale));
  }
  std::sort(verified.stale.begin(), verified.stale.end());
  verified.given_up =
      stale_count > context.most_stale || (context.scan.cancelled && *context.scan.cancelled);
  return verified;
}

}  // namespace resident
