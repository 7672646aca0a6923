#include "status/directory_reader.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "hash/name_sum.h"
#include "object/tree.h"
#include "repository/nested_repository.h"
#include "status/absent.h"
#include "status/directory_patterns.h"

namespace resident {

void DirectoryReader::with_private_fd_table(const std::function<void()>& work) {
  (void)fs().use_private_fd_table();
  Result<Directory> root = fs().open_directory(context_.refresh.root);
  if (!root.ok()) return;
  root_ = std::make_shared<const Directory>(std::move(root).value());
  work();
  root_.reset();
}

DirectoryReader::Above DirectoryReader::open_above(const DirectoryNode& node) {
  std::vector<const DirectoryNode*> way;
  for (const DirectoryNode* above = node.parent; above->parent; above = above->parent) {
    way.push_back(above);
  }
  Above reached{root_};
  for (auto step = way.rbegin(); step != way.rend(); ++step) {
    Result<Directory> opened = fs().open_place_at(*reached.directory, (*step)->name);
    if (!opened.ok()) {
      reached.failure = opened.error();
      break;
    }
    reached.directory = std::make_shared<const Directory>(std::move(opened).value());
    reached.length += (*step)->name.size() + 1;
  }
  return reached;
}

// A directory that cannot be listed can still let lstat through (x without r). What git cannot
// lstat it does not report.
void DirectoryReader::unreadable(DirectoryNode& node, const Above& above, const Error& error) {
  node.set_readable(false);
  if (error.code != ErrorCode::kNotFound) record_problem(findings_, node, error);
  const bool is_other = node.parent && (node.submodule || !node.is_tracked());
  if (is_other && error.code != ErrorCode::kNotFound) findings_.unreadable.push_back(&node);
  if (!node.is_tracked()) return;
  if (error.code == ErrorCode::kNotFound || !above.directory) {
    return mark_absent(context_, node.index_directory, findings_);
  }
  findings_.unreadable.push_back(&node);
  const auto [first, last] = index().subtree_entries(node.index_directory);
  for (uint32_t next = first; next < last;) {
    const uint32_t position = std::exchange(next, index().end_of_path(next));
    if (!is_asked_about(position, next)) continue;
    const std::string path = index().path(position);
    const FileRef file{*above.directory, std::string_view(path).substr(above.length),
                       std::string_view(path).substr(0, above.length)};
    const Examined examined = examine_path(
        context_.refresh, position, next, file, Listed::kUnknown,
        [&](uint32_t stage, const Refreshed& refreshed) { take(node, stage, refreshed); });
    findings_.lstats += examined.lstat;
  }
}

// Of a path with several stages some can be outside of what is asked about.
void DirectoryReader::take(const DirectoryNode& node, uint32_t position,
                           const Refreshed& refreshed) {
  if (index().entries()[position].stage() != 0 && !context_.limit.has_entry(index(), position)) {
    context_.states[position] = EntryState::clean();
    return;
  }
  record_refreshed(context_, findings_, node, position, refreshed);
}

void DirectoryReader::watch(DirectoryNode& node, const Directory& directory) {
  node.watch = kNoWatch;
  if (!context_.watcher) return;
  Result<Watcher::Added> added = context_.watcher->add(directory);
  if (!added.ok()) {
    record_problem(findings_, node, added.error());
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
  was_searched_ =
      was_searched_ || (node.permissions & kSearch) == kSearch || fs().stat_at(directory, ".").ok();
  return was_searched_;
}

// Where no name can be looked up, git cannot tell that there is no .gitignore.
void DirectoryReader::record_searchable(DirectoryNode& node, const Directory& directory) {
  if (!may_be_searched(node, directory)) node.set_patterns_readable(false);
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
std::unique_ptr<DirectoryNode> DirectoryReader::visit_directory(DirectoryNode& node,
                                                                std::string_view name) {
  std::optional<uint32_t> entry;
  if (const auto found = lookup_.find(name)) {
    listed_[*found] = Listed::kDirectory;
    entry = index().position(lookup_.entries()[*found]);
  }
  auto child = node_of(classify_directory(name_rules(), node, path_of(name), name, entry), name);
  if (child) {
    child->parent = &node;
  } else {
    node.add_other(name, OtherKind::kIgnoredDirectory);
  }
  return child;
}

// True where the index has it.
bool DirectoryReader::visit_file(DirectoryNode& node, std::string_view name, FileKind kind) {
  if (node.submodule) return false;
  if (const auto found = lookup_.find(name)) {
    listed_[*found] = Listed::kFile;
    return true;
  }
  if (auto other = classify_file(name_rules(), node, path_of(name), name, kind)) {
    node.add_other(name, *other);
  }
  return false;
}

void DirectoryReader::find_links(const Directory& directory, std::string_view name) {
  ++findings_.lstats;
  const Result<FileStat> stat = fs().stat_at(directory, name);
  if (!stat.ok()) return;
  record_new_links(*stat);
  // No row depends on the content of an untracked file.
  if (!context_.watch_only) return;
  record_linked(findings_, {directory, name, std::string_view(path_).substr(0, base_length_)},
                *stat, begun_);
}

void DirectoryReader::record_new_links(const FileStat& stat) {
  const bool is_linked = stat.links > 1 && stat.kind == FileKind::kRegular;
  if (is_new_ && is_linked) findings_.new_links.push_back(stat.inode);
}

// Entries outside of what is asked about count as clean. False: none of the stages is within.
bool DirectoryReader::is_asked_about(uint32_t first, uint32_t end) {
  if (context_.limit.is_everything()) return true;
  bool some = false;
  for (uint32_t position = first; position < end; ++position) {
    some = some || context_.limit.has_entry(index(), position);
  }
  if (!some) {
    std::fill(context_.states.begin() + first, context_.states.begin() + end, EntryState::clean());
  }
  return some;
}

void DirectoryReader::examine_entries(const DirectoryNode& node, const Directory& directory) {
  if (!node.is_tracked()) return;
  const IndexDirectory& in_index = index().directories()[node.index_directory];
  const auto directory_path = std::string_view(path_).substr(0, base_length_);
  const uint32_t end = in_index.first_entry + in_index.entry_count;
  for (uint32_t next = in_index.first_entry; next < end;) {
    const uint32_t position = next;
    const std::string_view name = index().name(index().entries()[position]);
    next = index().end_of_path(position, end);
    if (!is_asked_about(position, next)) continue;
    const FileRef file{directory, name, directory_path};
    Listed listed = listed_[position - in_index.first_entry];
    // Of what is not listed git asks all the same, and may not be told.
    if (listed == Listed::kNothing && !may_be_searched(node, directory)) listed = Listed::kUnknown;
    const Examined examined = examine_path(
        context_.refresh, position, next, file, listed,
        [&](uint32_t stage, const Refreshed& refreshed) { take(node, stage, refreshed); });
    if (!examined.lstat) continue;
    ++findings_.lstats;
    was_searched_ |= examined.stat.has_value();
    if (examined.stat) {
      record_new_links(*examined.stat);
      record_linked(findings_, file, *examined.stat, begun_);
    }
    if (examined.refusal) record_problem(findings_, node, *examined.refusal);
  }
  if (context_.files_seen) {
    context_.files_seen->fetch_add(in_index.entry_count, std::memory_order_relaxed);
  }
}

void DirectoryReader::begin_listing(DirectoryNode& node, const Directory& directory) {
  ++findings_.directories;
  was_searched_ = false;
  is_new_ = context_.is_new;
  if (context_.once) return;
  if (Result<FileStat> stat = fs().stat_directory(directory); stat.ok()) {
    node.record_stat(*stat, fs().now());
    is_new_ = is_new_ || (context_.watcher && stat->mtime >= begun_);
  }
}

// What the names in a directory make of it.
void DirectoryReader::record_names(DirectoryNode& node, const Directory& directory,
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
  record_git_files(node, directory, node.has_dot_git, has_gitignore);
}

// What a directory's own .git and .gitignore make of it, where it has, or may have, such.
void DirectoryReader::record_git_files(DirectoryNode& node, const Directory& directory,
                                       bool has_dot_git, bool has_gitignore) {
  if (node.submodule) return;
  if (has_dot_git && node.parent && !node.holds_tracked()) {
    const std::string absolute = context_.refresh.root + "/" + path_.substr(0, base_length_ - 1);
    node.set_nested_repository(is_nested_repository(fs(), absolute) &&
                               !is_own_git_directory(absolute));
    if (node.nested_repository()) return;
  }
  if (has_gitignore || has_hidden_gitignore()) {
    read_patterns(context_, node, directory, kGitignore);
  }
}

// The directory lies above all that is asked about.
bool DirectoryReader::is_above_start() const {
  const std::string_view start = context_.limit.start();
  return base_length_ < start.size() &&
         start.starts_with(std::string_view(path_).substr(0, base_length_));
}

// Of a directory above the start: the one name on the way there.
void DirectoryReader::take_way(DirectoryNode& node, const Directory& directory) {
  const std::string_view rest = context_.limit.start().substr(base_length_);
  const std::string_view name = rest.substr(0, rest.find('/'));
  // No listing has these, and git goes by listings.
  if (name.empty() || name == "." || name == "..") return;
  const Result<FileStat> stat = fs().stat_at(directory, name);
  if (!stat.ok()) return;
  was_searched_ = true;
  take(node, directory, {name, stat->kind});
}

// A directory without tracked content, as the limit has it.
PathspecMatch DirectoryReader::match_directory(std::string_view name) {
  path_of(name);
  path_.push_back('/');
  return context_.limit.directory(path_);
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
    if (is_outside(name)) return nullptr;
    std::unique_ptr<DirectoryNode> child = visit_directory(node, name);
    if (!child) return nullptr;
    const bool is_untracked = !child->holds_tracked() && !child->submodule;
    if (is_untracked && match_directory(name) == PathspecMatch::kNone) return nullptr;
    DirectoryNode* const taken = child.get();
    node.add_child(std::move(child));
    return taken;
  }
  const bool is_tracked = !context_.watch_only && visit_file(node, name, kind);
  if (context_.watch_only || (is_new_ && !is_tracked && kind == FileKind::kRegular)) {
    find_links(directory, name);
  }
  return nullptr;
}

// The names in the listing that are not directories are those of the directory's entries.
bool DirectoryReader::lists_entries_alone(const DirectoryNode& node) const {
  if (!node.is_tracked() || node.submodule || context_.watch_only) return false;
  const auto entries = index().entries_of(node.index_directory);
  size_t files = 0;
  for (size_t i = 0; i < listing_.size(); ++i) {
    const FileKind kind = listing_[i].kind;
    if (kind == FileKind::kUnknown) return false;
    files += kind != FileKind::kDirectory;
  }
  if (files != entries.size()) return false;
  NameSum listed, expected;
  for (size_t i = 0; i < listing_.size(); ++i) {
    if (listing_[i].kind != FileKind::kDirectory) listed.add(listing_[i].name);
  }
  for (const IndexEntry& entry : entries) expected.add(index().name(entry));
  return listed == expected;
}

// So much of a listing that the directory is listed to its end or known to be a large one. False:
// there may be more.
Result<bool> DirectoryReader::list_beginning(const Directory& directory,
                                             DirectoryListing& listing) {
  for (int part = 0; part < 2; ++part) {
    RESIDENT_TRY(const bool more, fs().list_more(directory, listing));
    if (!more) return true;
  }
  return false;
}

// An untracked directory and what is below it, up to the first file that is asked about and not
// ignored. True where there is one.
bool DirectoryReader::read_up_to_first(DirectoryNode& node, const Directory& parent) {
  node.begin_reading();
  set_path(node);
  Result<Directory> directory = is_too_long(path_.size())
                                    ? Result<Directory>(error_from_errno(ENAMETOOLONG, path_))
                                    : fs().open_directory_at(parent, node.name);
  if (directory.ok()) begin_listing(node, *directory);
  DirectoryListing listing;
  Result<bool> ended =
      directory.ok() ? list_beginning(*directory, listing) : Result<bool>(directory.error());
  lookup_.assign(index(), kNoDirectory);
  if (ended.ok() && *ended) {
    record_names(node, *directory, listing);
  } else if (ended.ok()) {
    record_git_files(node, *directory, true, true);
  }
  bool found = false;
  while (ended.ok() && !node.nested_repository()) {
    found = read_up_to_first(node, *directory, listing);
    if (found || *ended) break;
    listing.clear();
    const Result<bool> more = fs().list_more(*directory, listing);
    ended = more.ok() ? Result<bool>(!*more) : more;
  }
  if (ended.ok()) {
    record_searchable(node, *directory);
  } else {
    unreadable(node, {}, ended.error());
  }
  node.end_reading();
  if (!node.nested_repository()) {
    if (!node.others().empty()) findings_.with_others.push_back(&node);
    return found;
  }
  findings_.with_others.push_back(&node);
  return context_.limit.directory(path_) != PathspecMatch::kLeading;
}

bool DirectoryReader::read_up_to_first(DirectoryNode& node, const Directory& directory,
                                       const DirectoryListing& listing) {
  for (size_t i = 0; i < listing.size(); ++i) {
    const size_t others = node.others().size();
    if (DirectoryNode* child = take(node, directory, listing[i])) {
      const bool found = read_up_to_first(*child, directory);
      set_path(node);
      if (found) return true;
    } else if (node.others().size() > others && node.others().back().kind == OtherKind::kFile &&
               context_.limit.has_file(path_of(listing[i].name))) {
      return true;
    }
  }
  return false;
}

// The subdirectories that the index has, whether they are on disk or not.
void DirectoryReader::visit_index_directories(DirectoryNode& node) {
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

std::shared_ptr<const Directory> DirectoryReader::read(Task task) {
  if (context_.cancelled && context_.cancelled->load(std::memory_order_relaxed)) return nullptr;
  DirectoryNode& node = *task.node;
  set_path(node);
  if (!task.directory.valid() && !task.parent) {
    Above reached = open_above(node);
    if (reached.failure) {
      node.begin_reading();
      unreadable(node, reached, *reached.failure);
      return nullptr;
    }
    task.parent = std::move(reached.directory);
  }
  // What lies in a directory that the limit only leads through is told one by one.
  if (context_.untracked == UntrackedNeed::kFirst && !node.holds_tracked() &&
      context_.limit.directory(path_) != PathspecMatch::kLeading) {
    read_up_to_first(node, *task.parent);
    return nullptr;
  }
  const auto above = [&] {
    return Above{task.parent, node.parent ? node.parent->path().size() : 0};
  };
  const bool only_tracked = context_.untracked == UntrackedNeed::kNone;
  const bool lists = !only_tracked && !is_above_start();
  node.begin_reading();
  const bool is_sparse = node.is_tracked() && index().sparse_tree(node.index_directory);
  if (is_sparse && !only_tracked) {
    findings_.sparse.push_back(node.index_directory);
    return nullptr;
  }
  if (is_too_long(path_.size())) {
    unreadable(node, above(), error_from_errno(ENAMETOOLONG, path_));
    return nullptr;
  }
  // They come while the directory is opened and listed.
  if (node.is_tracked()) index().prefetch_entries(node.index_directory);
  if (task.parent) {
    Result<Directory> opened = only_tracked ? fs().open_place_at(*task.parent, node.name)
                                            : fs().open_directory_at(*task.parent, node.name);
    const bool is_missing = !opened.ok() && opened.error().code == ErrorCode::kNotFound;
    if (is_sparse && !is_missing) {
      findings_.sparse.push_back(node.index_directory);
      return nullptr;
    }
    if (!opened.ok()) {
      unreadable(node, above(), opened.error());
      return nullptr;
    }
    task.directory = std::move(opened).value();
  }
  if (node.is_tracked()) index().prefetch_names(node.index_directory);
  watch(node, task.directory);
  if (only_tracked) {
    ++findings_.directories;
  } else {
    begin_listing(node, task.directory);
  }
  if (lists) {
    if (Result<void> listed = fs().list(task.directory, listing_); !listed.ok()) {
      unreadable(node, above(), listed.error());
      return nullptr;
    }
  }
  const size_t entries = node.is_tracked() ? index().entries_of(node.index_directory).size() : 0;
  if (only_tracked) {
    listed_.assign(entries, Listed::kUnknown);
    visit_index_directories(node);
  } else {
    // As in most directories. Then no name is looked up among the entries.
    const bool has_entries_alone = lists && lists_entries_alone(node);
    lookup_.assign(index(), has_entries_alone ? kNoDirectory : node.index_directory);
    const Listed unseen = lists ? Listed::kNothing : Listed::kUnknown;
    listed_.assign(entries, has_entries_alone ? Listed::kFile : unseen);
    if (lists) {
      record_names(node, task.directory, listing_);
    } else {
      record_git_files(node, task.directory, true, true);
    }
    if (node.nested_repository()) {
      findings_.with_others.push_back(&node);
      return nullptr;
    }
    if (lists) {
      for (size_t i = 0; i < listing_.size(); ++i) {
        const DirectoryListing::Entry entry = listing_[i];
        if (has_entries_alone && entry.kind != FileKind::kDirectory) continue;
        take(node, task.directory, entry);
      }
    } else {
      take_way(node, task.directory);
    }
  }
  task.parent.reset();
  examine_entries(node, task.directory);
  if (!only_tracked && !node.submodule) record_searchable(node, task.directory);

  node.end_reading();
  node.suppose_nothing_to_list();
  if (!node.others().empty()) findings_.with_others.push_back(&node);
  if (node.is_tracked() && !only_tracked) mark_absent_below(context_, node, findings_);
  if (node.children().empty()) return nullptr;
  return std::make_shared<const Directory>(std::move(task.directory));
}

}  // namespace resident
