#include "refs/reftable_table.h"

#include <algorithm>
#include <utility>

#include "zlib/inflate.h"

namespace resident {

namespace {

constexpr uint64_t kLargestRead = 256 << 10;

constexpr std::string_view kMagic = "REFT";
constexpr size_t kVersionAt = 4;
constexpr size_t kBlockSizeAt = 5;
constexpr size_t kHashAt = 24;
constexpr size_t kHeaderSizes[] = {24, 28};  // by version
constexpr size_t kPositions = 5 * 8;         // in the footer, behind a copy of the header
constexpr size_t kChecksum = 4;

constexpr uint32_t kSha1 = 0x73686131;    // "sha1"
constexpr uint32_t kSha256 = 0x73323536;  // "s256"
constexpr uint64_t kIdLengthMask = 31;

}  // namespace

Error ReftableTable::in_file(Error error) const {
  return Error{error.code, path_ + ": " + error.message};
}

Result<std::shared_ptr<const ReftableTable>> ReftableTable::open(FileSystem& fs,
                                                                 const std::string& path,
                                                                 HashAlgorithm algorithm) {
  std::shared_ptr<ReftableTable> table(new ReftableTable);
  table->path_ = path;
  table->layout_.algorithm = algorithm;
  RESIDENT_TRY(table->stat_, fs.stat(path));
  // What somebody cuts off while it is mapped would end this process.
  if (table->stat_.size <= kLargestRead) {
    RESIDENT_TRY(table->content_, fs.read_file(path));
    RESIDENT_CHECK(table->parse(as_bytes(table->content_)));
  } else {
    RESIDENT_TRY(table->file_, MappedFile::open(path));
    RESIDENT_CHECK(table->parse(table->file_.bytes()));
  }
  return std::shared_ptr<const ReftableTable>(std::move(table));
}

Result<void> ReftableTable::parse(Bytes file) {
  const auto damaged = [this](std::string reason) { return in_file(corrupt(std::move(reason))); };
  if (!as_text(file).starts_with(kMagic)) return damaged("not a reftable");
  if (file.size() <= kVersionAt) return damaged("truncated");
  const uint8_t version = file[kVersionAt];
  if (version != 1 && version != 2) {
    return damaged("unknown version " + std::to_string(version));
  }
  const size_t header = kHeaderSizes[version - 1];
  const size_t footer = header + kPositions + kChecksum;
  if (file.size() < header + footer) return damaged("truncated");

  const Bytes end = file.last(footer);
  if (!std::equal(end.begin(), end.begin() + static_cast<ptrdiff_t>(header), file.begin())) {
    return damaged("the header and the footer differ");
  }
  if (crc32_of(end.first(footer - kChecksum)) != load_be32(end.data() + footer - kChecksum)) {
    return damaged("the footer's checksum is wrong");
  }
  const uint32_t hash = version == 1 ? kSha1 : load_be32(end.data() + kHashAt);
  if (hash != (layout_.algorithm == HashAlgorithm::kSha1 ? kSha1 : kSha256)) {
    return damaged("the hash is not the repository's");
  }
  layout_.file_header = header;
  layout_.block_size = load_be32(end.data() + kBlockSizeAt - 1) & 0xffffff;

  const auto position = [&](size_t i) { return load_be64(end.data() + header + 8 * i); };
  const uint64_t objects = position(1);
  if (objects > kIdLengthMask && (objects & kIdLengthMask) == 0) {
    return damaged("the object section has no names");
  }
  blocks_ = file.first(file.size() - footer);
  const char first = blocks_.size() > header ? static_cast<char>(blocks_[header]) : '\0';
  refs_ = {first == static_cast<char>(ReftableSection::kRefs), 0, position(0)};
  logs_ = {first == static_cast<char>(ReftableSection::kLogs) || position(3) > 0, position(3),
           position(4)};
  return {};
}

Result<std::optional<ReftableBlock>> ReftableTable::block_at(uint64_t offset) const {
  auto block = ReftableBlock::open(blocks_, offset, layout_);
  if (!block.ok()) return in_file(std::move(block).error());
  return block;
}

void ReftableTable::Cursor::enter(std::optional<ReftableBlock> block) {
  block_ = std::move(block);
  if (block_ && block_->section() != section_) block_.reset();
  at_ = block_ ? block_->begin() : 0;
  record_.key.clear();
  is_read_ = false;
}

Result<void> ReftableTable::Cursor::enter_next() {
  RESIDENT_TRY(std::optional<ReftableBlock> block, table_->block_at(block_->next_offset()));
  enter(std::move(block));
  return {};
}

Result<bool> ReftableTable::Cursor::next() {
  if (std::exchange(is_read_, false)) return true;
  while (block_) {
    auto next = block_->read(at_, record_);
    if (!next.ok()) return table_->in_file(std::move(next).error());
    if (*next) {
      at_ = **next;
      return true;
    }
    RESIDENT_CHECK(enter_next());
  }
  return false;
}

// False where every key of the block is before `key`.
Result<bool> ReftableTable::Cursor::seek_in_block(std::string_view key) {
  auto restart = block_->restart_before(key);
  if (!restart.ok()) return table_->in_file(std::move(restart).error());
  at_ = *restart;
  record_.key.clear();
  is_read_ = false;
  for (;;) {
    auto next = block_->read(at_, record_);
    if (!next.ok()) return table_->in_file(std::move(next).error());
    if (!*next) return false;
    at_ = **next;
    if (record_.key >= key) break;
  }
  is_read_ = true;
  return true;
}

// From block to block: at most a few are not under an index.
Result<ReftableTable::Cursor> ReftableTable::seek_in_order(ReftableSection section, uint64_t first,
                                                           std::string_view key) const {
  Cursor cursor(*this, section);
  RESIDENT_TRY(std::optional<ReftableBlock> block, block_at(first));
  cursor.enter(std::move(block));
  while (cursor.block_) {
    RESIDENT_TRY(const bool found, cursor.seek_in_block(key));
    if (found) break;
    RESIDENT_CHECK(cursor.enter_next());
  }
  return cursor;
}

Result<ReftableTable::Cursor> ReftableTable::seek(ReftableSection section,
                                                  std::string_view key) const {
  const Section& where = section == ReftableSection::kLogs ? logs_ : refs_;
  if (!where.is_there) return Cursor(*this, section);
  if (where.index == 0) return seek_in_order(section, where.first, key);
  uint64_t above = where.index;
  RESIDENT_TRY(Cursor index, seek_in_order(ReftableSection::kIndex, above, key));
  for (;;) {
    RESIDENT_TRY(const bool found, index.next());
    // All keys are before this one.
    if (!found) return Cursor(*this, section);
    const uint64_t below = index.record().block;
    RESIDENT_TRY(std::optional<ReftableBlock> block, block_at(below));
    // What an index leads to was written before it, so no way through levels is a circle.
    const bool leads_on =
        block && below < above &&
        (block->section() == section || block->section() == ReftableSection::kIndex);
    if (!leads_on) {
      return in_file(corrupt("the index points to byte " + std::to_string(below)));
    }
    Cursor cursor(*this, block->section());
    cursor.enter(std::move(block));
    RESIDENT_CHECK(cursor.seek_in_block(key));
    if (cursor.section_ == section) return cursor;
    above = below;
    index = std::move(cursor);
  }
}

}  // namespace resident
