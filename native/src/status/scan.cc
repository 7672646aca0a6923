#include "status/scan.h"

#include <cerrno>
#include <climits>

#include "base/work_stack.h"
#include "index/entry_lookup.h"
#include "object/tree.h"
#include "pattern/ascii.h"
#include "repository/nested_repository.h"
#include "status/disk_reserves.h"

namespace resident {

namespace {

constexpr std::string_view kGitignore = ".gitignore";
constexpr size_t kPatternFileLimit = 100 * 1024 * 1024;

// What a system call refuses, as git meets it: it names each path from the root.
bool is_too_long(size_t path_length) {
  return path_length >= PATH_MAX;
}

// Sets the states of what the index has below a directory that is not on disk.
void mark_absent(const ScanContext& context, uint32_t index_directory, ScanFindings& findings) {
  const Index& index = context.refresh.index;
  const std::string path = index.directory_path(index_directory);
  const auto [first, last] = index.subtree_entries(index_directory);
  if (!context.limit.may_be_at_or_below(path)) {
    std::fill(context.states.begin() + first, context.states.begin() + last, EntryState::clean());
    return;
  }
  const MissingDirectory missing(context.refresh, index_directory);
  for (uint32_t position = first; position < last; ++position) {
    context.states[position] = missing.state_of(position);
  }
  if (!missing.is_linked()) return;
  const auto sparse = index.sparse_directories_in(index_directory);
  findings.sparse.insert(findings.sparse.end(), sparse.begin(), sparse.end());
}

struct Task {
  DirectoryNode* node;
  Directory directory;                      // open, or
  std::shared_ptr<const Directory> parent;  // to be opened by name from here
};

class DirectoryReader {
 public:
  explicit DirectoryReader(const ScanContext& context)
      : context_(context), begun_(context.refresh.fs.now()) {}

  // Reads one directory; `push(child)` is called for each directory to read next.
  template <typename Push>
  void read(Task task, Push&& push);

  ScanFindings& findings() { return findings_; }

 private:
  enum class Seen : uint8_t { kNo, kFile, kDirectory };

  const Index& index() const { return context_.refresh.index; }
  FileSystem& fs() const { return context_.refresh.fs; }

  void problem(const DirectoryNode& node, const Error& error);
  void unreadable(DirectoryNode& node, const Directory* parent, const Error& error);
  void watch(DirectoryNode& node, const Directory& directory);
  bool may_be_searched(const DirectoryNode& node, const Directory& directory);
  bool has_hidden_gitignore() const;
  bool is_own_git_directory(const std::string& path) const;
  std::unique_ptr<DirectoryNode> take_directory(DirectoryNode& node, std::string_view name);
  void take_file(DirectoryNode& node, std::string_view name, FileKind kind);
  void look_for_links(const Directory& directory, std::string_view name);
  Result<void> list(DirectoryNode& node, const Directory& directory, DirectoryListing& listing);
  void note_git_files(DirectoryNode& node, const Directory& directory,
                      const DirectoryListing& listing);
  DirectoryNode* take(DirectoryNode& node, const Directory& directory,
                      DirectoryListing::Entry entry);
  bool read_up_to_first(DirectoryNode& node, const Directory& parent);
  void take_directories_of_index(DirectoryNode& node);
  void refresh_entries(DirectoryNode& node, const Directory& directory);
  bool is_outside(std::string_view name) {
    return !context_.limit.may_be_at_or_below(path_of(name));
  }

  const ScanContext& context_;
  const Timestamp begun_;
  ScanFindings findings_;
  // Scratch, reused from directory to directory.
  DirectoryListing listing_;
  EntryLookup lookup_;      // of the directory's entries
  std::vector<Seen> seen_;  // by position among them
  std::string path_;        // of the directory being read, ending in '/', then of a name in it
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

void DirectoryReader::problem(const DirectoryNode& node, const Error& error) {
  findings_.problems.push_back("/" + node.path() + ": " + error.message);
}

// A directory that cannot be listed can still let lstat through (x without r). What git cannot
// lstat it does not report.
void DirectoryReader::unreadable(DirectoryNode& node, const Directory* parent, const Error& error) {
  node.set_readable(false);
  if (error.code != ErrorCode::kNotFound) problem(node, error);
  if (node.submodule && error.code != ErrorCode::kNotFound) findings_.unreadable.push_back(&node);
  if (!node.is_tracked()) return;
  if (error.code == ErrorCode::kNotFound || !parent) {
    return mark_absent(context_, node.index_directory, findings_);
  }
  findings_.unreadable.push_back(&node);
  const size_t parent_length = node.parent->path().size();
  auto [first, last] = index().subtree_entries(node.index_directory);
  for (uint32_t position = first; position < last; ++position) {
    const std::string path = index().path(position);
    const auto in_parent = std::string_view(path).substr(parent_length);
    const FileRef file{*parent, in_parent, std::string_view(path).substr(0, parent_length)};
    ++findings_.lstats;
    Result<FileStat> looked = fs().stat_at(*parent, file.name);
    if (is_too_long(path.size()) || (!looked.ok() && looked.error().code != ErrorCode::kNotFound)) {
      context_.states[position] = unseen_state(index().entries()[position]);
      continue;
    }
    std::optional<FileStat> stat;
    if (looked.ok()) stat = *looked;
    context_.states[position] = refresh_entry(context_.refresh, position, file, stat).state;
  }
}

void DirectoryReader::watch(DirectoryNode& node, const Directory& directory) {
  node.watch = kNoWatch;
  if (!context_.watcher) return;
  Result<Watcher::Added> added = context_.watcher->add(directory);
  if (!added.ok()) {
    problem(node, added.error());
    findings_.unwatched.push_back(&node);
  } else if (added->at_limit) {
    findings_.unwatched.push_back(&node);
  } else {
    node.watch = added->id;
    findings_.watched.emplace_back(added->id, &node);
  }
}

// Whether names in it can be looked up; who is let in is asked of the kernel where not everybody
// is.
bool DirectoryReader::may_be_searched(const DirectoryNode& node, const Directory& directory) {
  constexpr uint16_t kSearch = 0111;
  return (node.permissions & kSearch) == kSearch || fs().stat_at(directory, ".").ok();
}

// Whether the index may have a .gitignore that is not checked out.
bool DirectoryReader::has_hidden_gitignore() const {
  auto position = lookup_.find(kGitignore);
  return position && lookup_.entries()[*position].skip_worktree();
}

bool DirectoryReader::is_own_git_directory(const std::string& path) const {
  Result<FileStat> theirs = fs().stat(path + "/.git");
  Result<FileStat> ours = fs().stat(context_.git_dir);
  return theirs.ok() && ours.ok() && theirs->device == ours->device && theirs->inode == ours->inode;
}

// A subdirectory: a node to read, or nothing more than a name.
std::unique_ptr<DirectoryNode> DirectoryReader::take_directory(DirectoryNode& node,
                                                               std::string_view name) {
  auto child = std::make_unique<DirectoryNode>();
  child->name = name;
  child->parent = &node;
  if (node.submodule) {
    child->submodule = true;
    return child;
  }
  const bool ignored = context_.rules.ignores(node, path_of(name), name, true);
  if (node.is_tracked()) {
    if (auto position = lookup_.find(name)) {
      seen_[*position] = Seen::kDirectory;
      if (lookup_.entries()[*position].mode == kModeGitlink) {
        child->submodule = true;
        return child;
      }
    }
    if (auto below = index().find_child(node.index_directory, name)) {
      child->index_directory = *below;
      child->ignored = ignored;
      return child;
    }
  }
  if (context_.folded && context_.folded->has_directory(path_of(name))) {
    child->folded = true;
    child->ignored = ignored;
    return child;
  }
  if (context_.folded && context_.folded->has_gitlink(path_of(name))) {
    child->submodule = true;
    return child;
  }
  if (!ignored) return child;
  node.add_other(name, OtherKind::kIgnoredDirectory);
  return nullptr;
}

void DirectoryReader::take_file(DirectoryNode& node, std::string_view name, FileKind kind) {
  if (node.submodule) return;
  if (auto position = lookup_.find(name)) {
    seen_[*position] = Seen::kFile;
    return;
  }
  if (context_.folded && context_.folded->has_entry(path_of(name))) return;
  OtherKind other = OtherKind::kSpecial;
  if (kind != FileKind::kOther) {
    other = context_.rules.ignores(node, path_of(name), name, false) ? OtherKind::kIgnoredFile
                                                                     : OtherKind::kFile;
  }
  node.add_other(name, other);
}

void DirectoryReader::look_for_links(const Directory& directory, std::string_view name) {
  ++findings_.lstats;
  const Result<FileStat> stat = fs().stat_at(directory, name);
  if (!stat.ok()) return;
  note_linked(findings_, {directory, name, std::string_view(path_).substr(0, base_length_)}, *stat,
              begun_);
}

void DirectoryReader::refresh_entries(DirectoryNode& node, const Directory& directory) {
  if (!node.is_tracked()) return;
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  const auto directory_path = std::string_view(path_).substr(0, base_length_);
  Seen last = Seen::kNo;
  std::string_view last_name;
  for (uint32_t i = 0; i < in_index.entry_count; ++i) {
    const uint32_t position = in_index.first_entry + i;
    const IndexEntry& entry = index().entries()[position];
    const std::string_view name = index().name(entry);
    // Stages of one path share what was seen of the first.
    if (i == 0 || name != last_name) last = seen_[i];
    last_name = name;
    if (!context_.limit.has_entry(index(), position)) {
      context_.states[position] = EntryState::clean();
      continue;
    }
    const FileRef file{directory, name, directory_path};
    std::optional<FileStat> stat;
    bool unseen = is_too_long(directory_path.size() + name.size()) || name.size() > NAME_MAX;
    if (last == Seen::kDirectory) {
      stat.emplace().kind = FileKind::kDirectory;
    } else if (last == Seen::kFile &&
               !(entry.skip_worktree() && !context_.refresh.settings.unskip_present) &&
               !(entry.stage() == 0 && entry.assume_valid())) {
      ++findings_.lstats;
      Result<FileStat> looked = fs().stat_at(directory, name);
      if (looked.ok()) {
        stat = *looked;
        note_linked(findings_, file, *stat, begun_);
      } else if (looked.error().code != ErrorCode::kNotFound) {
        problem(node, looked.error());
        unseen = true;
      }
    } else if (last == Seen::kFile) {
      stat.emplace().kind = FileKind::kRegular;
    }
    if (unseen) {
      context_.states[position] = unseen_state(entry);
      continue;
    }
    Refreshed refreshed = refresh_entry(context_.refresh, position, file, stat);
    context_.states[position] = refreshed.state;
    if (refreshed.compared) {
      ++findings_.contents_read;
      findings_.compared.emplace(position, *refreshed.compared);
    }
    if (refreshed.problem) problem(node, *refreshed.problem);
  }
  if (context_.files_seen) {
    context_.files_seen->fetch_add(in_index.entry_count, std::memory_order_relaxed);
  }
}

Result<void> DirectoryReader::list(DirectoryNode& node, const Directory& directory,
                                   DirectoryListing& listing) {
  ++findings_.directories;
  if (Result<FileStat> stat = fs().stat_directory(directory); stat.ok()) {
    node.note_stat(*stat, fs().now());
  }
  return fs().list(directory, listing);
}

// What a directory's own .git and .gitignore make of it.
void DirectoryReader::note_git_files(DirectoryNode& node, const Directory& directory,
                                     const DirectoryListing& listing) {
  bool has_gitignore = false;
  size_t directories = 0;
  for (size_t i = 0; i < listing.size(); ++i) {
    const auto [name, kind] = listing[i];
    directories += kind == FileKind::kDirectory;
    if (!name.starts_with(".git")) continue;
    has_gitignore |= name == kGitignore;
    node.has_dot_git |= node.parent && name == ".git";
  }
  node.reserve_children(directories);
  if (node.submodule) return;
  if (node.has_dot_git && !node.holds_tracked()) {
    const std::string absolute = context_.refresh.root + "/" + path_.substr(0, base_length_ - 1);
    node.set_nested_repository(is_nested_repository(fs(), absolute) &&
                               !is_own_git_directory(absolute));
    if (node.nested_repository()) return;
  }
  if (has_gitignore || has_hidden_gitignore()) {
    read_patterns(context_, node, directory, kGitignore);
  }
  // There git cannot tell that there is no .gitignore.
  if (!may_be_searched(node, directory)) node.set_patterns_readable(false);
}

// One name of the listing; a directory that is to be read is returned.
DirectoryNode* DirectoryReader::take(DirectoryNode& node, const Directory& directory,
                                     DirectoryListing::Entry entry) {
  auto [name, kind] = entry;
  if (is_dot_git(name, context_.refresh.settings.ignore_case)) return nullptr;
  if (kind == FileKind::kUnknown) {
    Result<FileStat> stat = fs().stat_at(directory, name);
    if (!stat.ok()) return nullptr;
    kind = stat->kind;
  }
  if (kind == FileKind::kDirectory) {
    std::unique_ptr<DirectoryNode> child;
    if (!is_outside(name)) child = take_directory(node, name);
    DirectoryNode* const taken = child.get();
    if (taken) node.add_child(std::move(child));
    return taken;
  }
  if (context_.watch_only) {
    look_for_links(directory, name);
  } else {
    take_file(node, name, kind);
  }
  return nullptr;
}

// An untracked directory and what is below it, up to the first file that is not ignored. True where
// there is one.
bool DirectoryReader::read_up_to_first(DirectoryNode& node, const Directory& parent) {
  node.begin_reading();
  set_path(node);
  Result<Directory> directory = is_too_long(path_.size())
                                    ? Result<Directory>(error_from_errno(ENAMETOOLONG, path_))
                                    : fs().open_directory_at(parent, node.name);
  DirectoryListing listing;
  const Result<void> listed =
      directory.ok() ? list(node, *directory, listing) : Result<void>(directory.error());
  if (!listed.ok()) {
    unreadable(node, &parent, listed.error());
    return false;
  }
  lookup_.assign(index(), kNoDirectory);
  note_git_files(node, *directory, listing);
  bool found = node.nested_repository();
  for (size_t i = 0; i < listing.size() && !found; ++i) {
    if (DirectoryNode* child = take(node, *directory, listing[i])) {
      found = read_up_to_first(*child, *directory);
      set_path(node);
    } else {
      found = !node.others().empty() && node.others().back().kind == OtherKind::kFile;
    }
  }
  node.end_reading();
  if (node.nested_repository() || !node.others().empty()) findings_.with_others.push_back(&node);
  return found;
}

// The subdirectories that the index has, whether they are on disk or not.
void DirectoryReader::take_directories_of_index(DirectoryNode& node) {
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  for (uint32_t below = node.index_directory + 1; below < in_index.subtree_end;
       below = index().directories()[below].subtree_end) {
    const std::string_view name = index().directory_name(below);
    if (is_outside(name)) {
      mark_absent(context_, below, findings_);
      continue;
    }
    auto child = std::make_unique<DirectoryNode>();
    child->name = name;
    child->parent = &node;
    child->index_directory = below;
    node.add_child(std::move(child));
  }
}

template <typename Push>
void DirectoryReader::read(Task task, Push&& push) {
  if (context_.cancelled && context_.cancelled->load(std::memory_order_relaxed)) return;
  DirectoryNode& node = *task.node;
  if (context_.untracked == UntrackedNeed::kFirst && !node.holds_tracked()) {
    read_up_to_first(node, *task.parent);
    return;
  }
  const bool lists = context_.untracked != UntrackedNeed::kNone;
  node.begin_reading();
  const bool is_sparse = node.is_tracked() && index().sparse_tree(node.index_directory);
  if (is_sparse && lists) {
    findings_.sparse.push_back(node.index_directory);
    return;
  }
  set_path(node);
  if (is_too_long(path_.size())) {
    return unreadable(node, task.parent.get(), error_from_errno(ENAMETOOLONG, path_));
  }
  if (task.parent) {
    Result<Directory> opened = fs().open_directory_at(*task.parent, node.name);
    const bool is_missing = !opened.ok() && opened.error().code == ErrorCode::kNotFound;
    if (is_sparse && !is_missing) return findings_.sparse.push_back(node.index_directory);
    if (!opened.ok()) return unreadable(node, task.parent.get(), opened.error());
    task.directory = std::move(opened).value();
  }
  watch(node, task.directory);
  if (lists) {
    if (Result<void> listed = list(node, task.directory, listing_); !listed.ok()) {
      return unreadable(node, task.parent.get(), listed.error());
    }
  } else {
    ++findings_.directories;
  }
  lookup_.assign(index(), node.index_directory);
  if (lists) {
    seen_.assign(lookup_.entries().size(), Seen::kNo);
    note_git_files(node, task.directory, listing_);
    if (node.nested_repository()) return findings_.with_others.push_back(&node);
    for (size_t i = 0; i < listing_.size(); ++i) take(node, task.directory, listing_[i]);
  } else {
    seen_.assign(lookup_.entries().size(), Seen::kFile);
    take_directories_of_index(node);
  }
  task.parent.reset();
  refresh_entries(node, task.directory);

  node.end_reading();
  if (!node.others().empty()) findings_.with_others.push_back(&node);
  if (node.is_tracked() && lists) mark_absent_below(context_, node, findings_);
  if (node.children().empty()) return;
  auto shared = std::make_shared<const Directory>(std::move(task.directory));
  for (const auto& child : node.children()) {
    // What is in a submodule is asked of its own index; here it is only watched.
    if (child->submodule && !context_.watcher) continue;
    push(Task{child.get(), Directory(), shared});
  }
}

}  // namespace

bool is_dot_git(std::string_view name, bool ignore_case) {
  return equal_bytes(name, ".git", ignore_case);
}

EntryState missing_state(const IndexEntry& entry) {
  if (entry.skip_worktree()) return EntryState::skipped();
  const bool believed = entry.stage() == 0 && entry.assume_valid();
  return believed ? EntryState::clean() : EntryState::absent();
}

EntryState unseen_state(const IndexEntry& entry) {
  const EntryState missing = missing_state(entry);
  return missing.is_clean() ? missing : EntryState::unseen();
}

void read_patterns(const ScanContext& context, DirectoryNode& node, const Directory& directory,
                   std::string_view gitignore) {
  const Index& index = context.refresh.index;
  Result<std::string> content = context.refresh.fs.read_file_at(directory, gitignore);
  bool patterns_readable = true;
  bool is_directory = false;
  if (!content.ok() && content.error().code != ErrorCode::kNotFound) {
    Result<FileStat> stat = context.refresh.fs.stat_at(directory, gitignore);
    is_directory = stat.ok() && stat->kind == FileKind::kDirectory;
    // What is no file at all, a directory of that name, is passed over.
    patterns_readable = stat.ok() && stat->kind != FileKind::kSymlink &&
                        content.error().code == ErrorCode::kInvalid;
  }
  // Since 2.45.3 git passes over such a file with a warning; before that it reads it.
  if (content.ok() && content->size() > kPatternFileLimit) {
    patterns_readable = false;
    content = std::string();
  }
  node.set_patterns_readable(patterns_readable);
  // git can open a directory, hence does not look further.
  if (!content.ok() && !is_directory && node.is_tracked()) {
    auto position = index.find_entry(node.index_directory, kGitignore);
    if (position && index.entries()[*position].skip_worktree()) {
      content = context.read_index_blob(*position);
    }
  }
  node.patterns =
      content.ok() ? PatternList::parse(std::move(content).value(), node.path()) : nullptr;
}

MissingDirectory::MissingDirectory(const RefreshContext& context, uint32_t index_directory)
    : context_(context) {
  const std::string path = context.root + "/" + context.index.directory_path(index_directory);
  Result<FileStat> stat = context.fs.lstat(path + "/.");
  is_linked_ = stat.ok();
  can_be_seen_ = stat.ok() || stat.error().code == ErrorCode::kNotFound;
}

EntryState MissingDirectory::state_of(uint32_t position) const {
  if (!can_be_seen_) return unseen_state(context_.index.entries()[position]);
  const IndexEntry& entry = context_.index.entries()[position];
  if (is_linked_ && entry.skip_worktree() && context_.settings.unskip_present &&
      !(entry.stage() == 0 && entry.assume_valid()) &&
      context_.fs.lstat(context_.root + "/" + context_.index.path(position)).ok()) {
    return EntryState::absent();
  }
  return missing_state(entry);
}

void mark_absent_below(const ScanContext& context, const DirectoryNode& node,
                       ScanFindings& findings) {
  const Index& index = context.refresh.index;
  const IndexDirectory& in_index = index.directories()[node.index_directory];
  auto child = node.children().begin();
  for (uint32_t below = node.index_directory + 1; below < in_index.subtree_end;
       below = index.directories()[below].subtree_end) {
    const std::string_view name = index.directory_name(below);
    // Most often they come in the same order.
    if (child != node.children().end() && (*child)->name == name) {
      ++child;
    } else if (!node.find_child(name)) {
      mark_absent(context, below, findings);
      if (node.find_other(name)) findings.obstructed.push_back(below);
    }
  }
}

void note_linked(ScanFindings& findings, const FileRef& file, const FileStat& stat,
                 Timestamp before) {
  if (stat.links <= 1 || stat.kind != FileKind::kRegular) return;
  if (findings.linked.size() < kMostLinkedFiles) {
    findings.linked.push_back({file.path(), stat, before});
  } else {
    ++findings.more_linked;
  }
}

void merge(ScanFindings& into, ScanFindings&& from) {
  into.compared.merge(from.compared);
  into.watched.insert(into.watched.end(), from.watched.begin(), from.watched.end());
  into.with_others.insert(into.with_others.end(), from.with_others.begin(), from.with_others.end());
  into.unwatched.insert(into.unwatched.end(), from.unwatched.begin(), from.unwatched.end());
  into.unreadable.insert(into.unreadable.end(), from.unreadable.begin(), from.unreadable.end());
  for (LinkedFile& file : from.linked) {
    if (into.linked.size() < kMostLinkedFiles) {
      into.linked.push_back(std::move(file));
    } else {
      ++into.more_linked;
    }
  }
  into.more_linked += from.more_linked;
  std::move(from.problems.begin(), from.problems.end(), std::back_inserter(into.problems));
  into.obstructed.insert(into.obstructed.end(), from.obstructed.begin(), from.obstructed.end());
  into.sparse.insert(into.sparse.end(), from.sparse.begin(), from.sparse.end());
  into.directories += from.directories;
  into.lstats += from.lstats;
  into.contents_read += from.contents_read;
}

ScanFindings scan_subtree(const ScanContext& context, DirectoryNode& node, Directory directory) {
  const unsigned threads = std::max(1u, context.threads);
  const Reserves reserves = disk_reserves(threads);
  const unsigned most = std::max(threads, reserves.threads);
  std::vector<DirectoryReader> readers;
  readers.reserve(most);
  for (unsigned i = 0; i < most; ++i) readers.emplace_back(context);
  std::vector<Task> roots;
  roots.push_back(Task{&node, std::move(directory), nullptr});
  run_work(
      threads, std::move(roots),
      [&readers](Task task, auto&& push, unsigned worker) {
        readers[worker].read(std::move(task), push);
      },
      context.tick, reserves);
  ScanFindings findings = std::move(readers[0].findings());
  for (unsigned i = 1; i < most; ++i) merge(findings, std::move(readers[i].findings()));
  return findings;
}

}  // namespace resident
