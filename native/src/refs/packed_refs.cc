#include "refs/packed_refs.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace resident {

PackedRefs::PackedRefs(std::string path, MappedFile file, HashAlgorithm algorithm)
    : path_(std::move(path)), file_(std::move(file)), hex_size_(2 * hash_size(algorithm)) {
}

Result<std::shared_ptr<const PackedRefs>> PackedRefs::open(const std::string& path,
                                                           HashAlgorithm algorithm) {
  RESIDENT_TRY(MappedFile file, MappedFile::open(path));
  std::shared_ptr<PackedRefs> refs(new PackedRefs(path, std::move(file), algorithm));
  RESIDENT_CHECK(refs->parse_header());
  if (!refs->sorted_) RESIDENT_CHECK(refs->build_table());
  return std::shared_ptr<const PackedRefs>(std::move(refs));
}

Error PackedRefs::corrupt(size_t start) const {
  constexpr size_t kShown = 80;
  const std::string_view line =
      lines_.substr(start, std::min(lines_.find('\n', start) - start, kShown));
  return Error{ErrorCode::kCorrupt, path_ + ": unexpected line: " + std::string(line)};
}

Result<void> PackedRefs::parse_header() {
  constexpr std::string_view kHeader = "# pack-refs with:";
  const std::string_view text = as_text(file_.bytes());
  lines_ = text;
  if (text.starts_with('#')) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos || !text.starts_with(kHeader)) return corrupt(0);
    const std::string traits = std::string(text.substr(kHeader.size(), end - kHeader.size())) + " ";
    sorted_ = traits.find(" sorted ") != std::string::npos;
    lines_ = text.substr(end + 1);
  }
  if (lines_.empty()) return {};
  if (!lines_.ends_with('\n')) {
    return Error{ErrorCode::kCorrupt, path_ + ": the last line is incomplete"};
  }
  return {};
}

size_t PackedRefs::start_of_record(size_t position, size_t low) const {
  while (position > low && (lines_[position - 1] != '\n' || lines_[position] == '^')) --position;
  return position;
}

size_t PackedRefs::end_of_record(size_t position) const {
  do {
    position = lines_.find('\n', position) + 1;
  } while (position < lines_.size() && lines_[position] == '^');
  return position;
}

Result<PackedRefs::Record> PackedRefs::record_at(size_t start) const {
  const std::string_view line = lines_.substr(start, lines_.find('\n', start) - start);
  if (line.size() < hex_size_ + 2 || line[hex_size_] != ' ') return corrupt(start);
  return Record{line.substr(0, hex_size_), line.substr(hex_size_ + 1)};
}

Result<void> PackedRefs::build_table() {
  for (size_t start = 0; start < lines_.size(); start = end_of_record(start)) {
    RESIDENT_TRY(Record record, record_at(start));
    table_.push_back(record);
  }
  std::stable_sort(table_.begin(), table_.end(),
                   [](const Record& a, const Record& b) { return a.name < b.name; });
  return {};
}

Result<std::optional<ObjectId>> PackedRefs::id_of(const Record& record) const {
  auto id = ObjectId::from_hex(record.id);
  if (!id) return corrupt(static_cast<size_t>(record.id.data() - lines_.data()));
  return id;
}

std::vector<PackedRefs::Record>::const_iterator PackedRefs::in_table_from(
    std::string_view name) const {
  return std::lower_bound(table_.begin(), table_.end(), name,
                          [](const Record& r, std::string_view n) { return r.name < n; });
}

Result<std::optional<PackedRefs::Record>> PackedRefs::first_from(std::string_view name) const {
  if (!sorted_) {
    const auto found = in_table_from(name);
    return found == table_.end() ? std::nullopt : std::optional<Record>(*found);
  }
  // Records before `low` have smaller names; records from `high` on do not. Both are starts of
  // records.
  size_t low = 0, high = lines_.size();
  std::optional<Record> first;
  while (low < high) {
    const size_t start = start_of_record(low + (high - low) / 2, low);
    RESIDENT_TRY(Record record, record_at(start));
    if (record.name < name) {
      low = end_of_record(start);
    } else {
      high = start;
      first = record;
    }
  }
  return first;
}

Result<std::optional<ObjectId>> PackedRefs::find(std::string_view name) const {
  RESIDENT_TRY(const std::optional<Record> record, first_from(name));
  if (!record || record->name != name) return std::optional<ObjectId>();
  return id_of(*record);
}

size_t PackedRefs::end_of_line(const Record& record) const {
  return static_cast<size_t>(record.name.data() - lines_.data()) + record.name.size() + 1;
}

Result<std::optional<ObjectId>> PackedRefs::peeled_at(size_t start) const {
  if (start == lines_.size() || lines_[start] != '^') return std::optional<ObjectId>();
  const std::string_view line = lines_.substr(start, lines_.find('\n', start) - start);
  const auto id = line.size() == hex_size_ + 1 ? ObjectId::from_hex(line.substr(1)) : std::nullopt;
  if (!id) return corrupt(start);
  return id;
}

Result<void> PackedRefs::add(const Record& record, RefBackend::Listed& refs) const {
  RawRef raw;
  RESIDENT_TRY(raw.id, id_of(record));
  RESIDENT_TRY(raw.peeled, peeled_at(end_of_line(record)));
  refs.emplace_back(record.name, std::move(raw));
  return {};
}

Result<void> PackedRefs::add_below(std::string_view prefix, RefBackend::Listed& refs) const {
  if (!sorted_) {
    for (auto at = in_table_from(prefix); at != table_.end() && at->name.starts_with(prefix);
         ++at) {
      RESIDENT_CHECK(add(*at, refs));
    }
    return {};
  }
  RESIDENT_TRY(std::optional<Record> record, first_from(prefix));
  while (record && record->name.starts_with(prefix)) {
    RESIDENT_CHECK(add(*record, refs));
    const size_t behind = end_of_line(*record);
    const size_t next = refs.back().second.peeled ? lines_.find('\n', behind) + 1 : behind;
    if (next == lines_.size()) break;
    RESIDENT_TRY(record, record_at(next));
  }
  return {};
}

}  // namespace resident
