#include "testing/reftable_writer.h"

#include <libdeflate.h>

#include <algorithm>
#include <filesystem>

#include "testing/pack_writer.h"
#include "testing/repo_builder.h"

namespace resident::testing {

namespace {

std::string big_endian(uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

std::string reftable_varint(uint64_t value) {
  std::string out(1, static_cast<char>(value & 0x7f));
  while (value >>= 7) out.insert(out.begin(), static_cast<char>(0x80 | (--value & 0x7f)));
  return out;
}

std::string counted(const std::string& text) {
  return reftable_varint(text.size()) + text;
}

std::string raw_id(const ObjectId& id) {
  return std::string(as_text(id.bytes()));
}

std::string log_key(const std::string& name, uint64_t update) {
  return name + '\0' + big_endian(~update, 8);
}

uint32_t crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

constexpr size_t kChecksum = 4;
constexpr size_t kPositions = 40;

// The records that fit into one block.
class BlockBuilder {
 public:
  BlockBuilder(size_t header, const ReftableLayout& layout) : header_(header), layout_(layout) {}

  bool add(const std::string& key, int type, const std::string& value) {
    const bool restarts = count_ % layout_.restart_interval == 0;
    size_t shared = 0;
    if (!restarts) {
      while (shared < std::min(last_.size(), key.size()) && last_[shared] == key[shared]) ++shared;
    }
    const std::string record =
        reftable_varint(shared) +
        reftable_varint((key.size() - shared) << 3 | static_cast<uint64_t>(type)) +
        key.substr(shared) + value;
    const size_t size =
        header_ + 4 + body_.size() + record.size() + 3 * (restarts_.size() + restarts) + 2;
    if (count_ > 0 && size > layout_.block_size) return false;
    if (restarts) restarts_.push_back(header_ + 4 + body_.size());
    body_ += record;
    last_ = key;
    ++count_;
    return true;
  }

  // The block after its four bytes of type and length.
  std::string body() const {
    std::string out = body_;
    for (size_t restart : restarts_) out += big_endian(restart, 3);
    return out + big_endian(restarts_.size(), 2);
  }
  const std::string& last_key() const { return last_; }

 private:
  const size_t header_;
  const ReftableLayout& layout_;
  size_t count_ = 0;
  std::string body_, last_;
  std::vector<size_t> restarts_;
};

}  // namespace

ReftableWriter& ReftableWriter::raw(const std::string& name, int type, const std::string& value) {
  refs_[name] = {type, reftable_varint(0) + value};
  return *this;
}

ReftableWriter& ReftableWriter::ref(const std::string& name, const ObjectId& id) {
  return raw(name, 1, raw_id(id));
}

ReftableWriter& ReftableWriter::tag(const std::string& name, const ObjectId& id,
                                    const ObjectId& peeled) {
  return raw(name, 2, raw_id(id) + raw_id(peeled));
}

ReftableWriter& ReftableWriter::symbolic(const std::string& name, const std::string& target) {
  return raw(name, 3, counted(target));
}

ReftableWriter& ReftableWriter::deletion(const std::string& name) {
  return raw(name, 0, "");
}

ReftableWriter& ReftableWriter::log(const std::string& name, uint64_t update,
                                    const ObjectId& old_id, const ObjectId& new_id,
                                    const std::string& message) {
  logs_[log_key(name, update)] = {1, raw_id(old_id) + raw_id(new_id) + counted("A U Thor") +
                                         counted("a@example.com") + reftable_varint(1700000000) +
                                         big_endian(60, 2) + counted(message + "\n")};
  return *this;
}

ReftableWriter& ReftableWriter::log_deletion(const std::string& name, uint64_t update) {
  logs_[log_key(name, update)] = {0, ""};
  return *this;
}

std::string ReftableWriter::header() const {
  std::string out = "REFT" + big_endian(static_cast<uint64_t>(layout_.version), 1) +
                    big_endian(layout_.padded ? layout_.block_size : 0, 3) + big_endian(1, 8) +
                    big_endian(1, 8);
  if (layout_.version == 2) out += layout_.algorithm == HashAlgorithm::kSha1 ? "sha1" : "s256";
  return out;
}

// `file` holds the preceding blocks. Padding comes before a block, so the last block has none.
std::vector<ReftableWriter::Indexed> ReftableWriter::append_blocks(std::string& file, char type,
                                                                   const Records& records,
                                                                   bool pads) const {
  std::vector<Indexed> blocks;
  const size_t file_header = header().size();
  for (auto next = records.begin(); next != records.end();) {
    const bool is_first = file.size() == file_header;
    if (!is_first && layout_.padded && pads) {
      file.resize((file.size() + layout_.block_size - 1) / layout_.block_size * layout_.block_size);
    }
    const size_t header_size = is_first ? file_header : 0;
    BlockBuilder block(header_size, layout_);
    while (next != records.end() && block.add(next->first, next->second.type, next->second.bytes)) {
      ++next;
    }
    blocks.push_back({block.last_key(), is_first ? 0 : file.size()});
    const std::string body = block.body();
    file += type + big_endian(header_size + 4 + body.size(), 3);
    file += type == 'g' ? zlib_compress(body) : body;
  }
  return blocks;
}

// Returns the offset of the top level; 0: no index.
uint64_t ReftableWriter::append_index(std::string& file, std::vector<Indexed> blocks,
                                      bool pads) const {
  if (blocks.size() < layout_.index_from) return 0;
  do {
    Records records;
    for (const Indexed& block : blocks)
      records[block.last_key] = {0, reftable_varint(block.position)};
    blocks = append_blocks(file, 'i', records, pads);
  } while (blocks.size() > layout_.top_level);
  return blocks[0].position;
}

std::string ReftableWriter::bytes() const {
  std::string file = header();
  const uint64_t ref_index = append_index(file, append_blocks(file, 'r', refs_, true), true);
  const uint64_t log_position = logs_.empty() || refs_.empty() ? 0 : file.size();
  const uint64_t log_index = append_index(file, append_blocks(file, 'g', logs_, false), false);
  file += header();
  for (uint64_t position : {ref_index, uint64_t{0}, uint64_t{0}, log_position, log_index}) {
    file += big_endian(position, 8);
  }
  return with_right_checksum(file + std::string(kChecksum, '\0'));
}

std::string with_right_checksum(std::string table) {
  const size_t header = table.size() > 4 && table[4] == 2 ? 28 : 24;
  const size_t footer = header + kPositions + kChecksum;
  if (table.size() < footer) return table;
  const std::string_view covered =
      std::string_view(table).substr(table.size() - footer, footer - kChecksum);
  table.replace(table.size() - kChecksum, kChecksum, big_endian(crc32(covered), 4));
  return table;
}

void write_reftables(const std::string& git_dir, const std::vector<std::string>& tables) {
  static int count = 0;
  const std::string directory = git_dir + "/reftable";
  std::filesystem::create_directories(directory);
  std::vector<std::filesystem::path> old;
  for (const auto& file : std::filesystem::directory_iterator(directory)) old.push_back(file);
  std::string list;
  for (const std::string& table : tables) {
    const std::string name = "table-" + std::to_string(++count) + ".ref";
    write_whole_file(directory + "/" + name, table);
    list += name + "\n";
  }
  write_whole_file(directory + "/tables.list.lock", list);
  std::filesystem::rename(directory + "/tables.list.lock", directory + "/tables.list");
  for (const auto& path : old) {
    if (path.filename() != "tables.list") std::filesystem::remove(path);
  }
}

}  // namespace resident::testing
