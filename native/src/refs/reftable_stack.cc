#include "refs/reftable_stack.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

constexpr const char* kDirectory = "/reftable";
constexpr const char* kList = "/tables.list";

// Each one needs another list, so that they end when writers do.
constexpr int kMaxAttempts = 100;

}  // namespace

std::string ReftableStack::list_in(const std::string& git_dir) {
  return git_dir + kDirectory + kList;
}

ReftableStack::ReftableStack(const std::string& git_dir, HashAlgorithm algorithm, FileSystem& fs)
    : directory_(git_dir + kDirectory), algorithm_(algorithm), fs_(fs) {
}

// "" where there is none.
Result<std::string> ReftableStack::read_list() {
  Result<std::string> list = fs_.read_file(directory_ + kList);
  if (!list.ok() && list.error().code == ErrorCode::kNotFound) return std::string();
  return list;
}

Result<std::vector<std::string>> ReftableStack::paths_in(const std::string& list) const {
  std::vector<std::string> paths;
  for (std::string_view rest = list; !rest.empty();) {
    const size_t end = rest.find('\n');
    const std::string_view name = rest.substr(0, end);
    const bool is_whole = end != std::string_view::npos;
    if (!is_whole || name.find('/') != std::string_view::npos ||
        name.find('\0') != std::string_view::npos) {
      return corrupt(directory_ + kList + ": not the name of a table: " + std::string(name));
    }
    rest.remove_prefix(end + 1);
    if (!name.empty()) paths.push_back(directory_ + "/" + std::string(name));
  }
  return paths;
}

Result<ReftableStack::Tables> ReftableStack::open_tables(const std::string& list,
                                                         const Tables& known) {
  RESIDENT_TRY(const std::vector<std::string> paths, paths_in(list));
  Tables tables;
  for (const std::string& path : paths) {
    const auto open = std::find_if(known.begin(), known.end(),
                                   [&](const auto& table) { return table->path() == path; });
    if (open != known.end()) {
      tables.push_back(*open);
      continue;
    }
    RESIDENT_TRY(std::shared_ptr<const ReftableTable> table,
                 ReftableTable::open(fs_, path, algorithm_));
    tables.push_back(std::move(table));
  }
  return tables;
}

void ReftableStack::begin_reading() {
  MutexLock lock(mutex_);
  if (readings_++ == 0) is_of_reading_ = false;
}

void ReftableStack::end_reading() {
  MutexLock lock(mutex_);
  if (--readings_ == 0) is_of_reading_ = false;
}

Result<std::shared_ptr<const ReftableStack::Snapshot>> ReftableStack::snapshot() {
  MutexLock lock(mutex_);
  if (is_of_reading_) return snapshot_;
  RESIDENT_TRY(std::shared_ptr<const Snapshot> now, look());
  is_of_reading_ = readings_ > 0;
  return now;
}

Result<std::shared_ptr<const ReftableStack::Snapshot>> ReftableStack::look() {
  const std::string path = directory_ + kList;
  for (int attempt = 0;; ++attempt) {
    const Timestamp now = fs_.now();
    const Result<FileStat> stat = fs_.stat(path);
    // A second list, written in the same tick, can have the same stat.
    const bool is_settled = stat.ok() && stat->mtime < now && stat->ctime < now;
    if (snapshot_ && is_settled && snapshot_->stat == *stat) return snapshot_;
    RESIDENT_TRY(std::string list, read_list());
    auto next = std::make_shared<Snapshot>();
    if (is_settled) next->stat = *stat;
    Result<Tables> tables = open_tables(list, snapshot_ ? snapshot_->tables : Tables());
    if (tables.ok()) {
      next->list = std::move(list);
      next->tables = std::move(tables).value();
      snapshot_ = std::move(next);
      return snapshot_;
    }
    if (tables.error().code != ErrorCode::kNotFound) return std::move(tables).error();
    // Made one with others, and removed, since the list was read?
    RESIDENT_TRY(const std::string after, read_list());
    if (after == list || attempt == kMaxAttempts) {
      return corrupt(tables.error().message + ", and " + path + " lists it");
    }
  }
}

Result<void> ReftableStack::visit(ReftableSection section, std::string_view key,
                                  const Visitor& visit) {
  RESIDENT_TRY(const std::shared_ptr<const Snapshot> tables, snapshot());
  // Each at its next record.
  std::vector<ReftableTable::Cursor> cursors;
  for (const auto& table : tables->tables) {
    RESIDENT_TRY(ReftableTable::Cursor cursor, table->seek(section, key));
    RESIDENT_TRY(const bool found, cursor.next());
    if (found) cursors.push_back(std::move(cursor));
  }
  while (!cursors.empty()) {
    // Of those with the first key the newest, which is the last.
    size_t newest = cursors.size() - 1;
    for (size_t i = newest; i-- > 0;) {
      if (cursors[i].record().key < cursors[newest].record().key) newest = i;
    }
    const ReftableRecord& record = cursors[newest].record();
    if (!record.is_deletion && !visit(record)) return {};
    const std::string done = record.key;
    for (size_t i = cursors.size(); i-- > 0;) {
      if (cursors[i].record().key != done) continue;
      RESIDENT_TRY(const bool more, cursors[i].next());
      if (!more) cursors.erase(cursors.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  return {};
}

// Unless its tables are what they were when they were opened.
void ReftableStack::drop_others() {
  const bool is_as_opened =
      snapshot_ &&
      std::all_of(snapshot_->tables.begin(), snapshot_->tables.end(), [this](const auto& table) {
        const Result<FileStat> stat = fs_.stat(table->path());
        return stat.ok() && *stat == table->stat();
      });
  if (is_as_opened) return;
  snapshot_ = nullptr;
  is_of_reading_ = false;
}

std::vector<std::string> ReftableStack::files() {
  std::vector<std::string> files = {directory_ + kList};
  Result<std::string> list = std::string();
  {
    MutexLock lock(mutex_);
    drop_others();
    list = is_of_reading_ ? Result<std::string>(snapshot_->list) : read_list();
  }
  const auto paths = paths_in(list.ok() ? *list : std::string());
  if (paths.ok()) files.insert(files.end(), paths->begin(), paths->end());
  return files;
}

}  // namespace resident
