// By the first byte: a .bitmap file, after two bytes of how many objects there are; a reverse
// index, after two of these; or two bytes of a length, a multi-pack-index that long, and the order
// of its objects, which is used where the multi-pack-index has none. Each belongs to the pack that
// it says.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "odb/bitmap_file.h"
#include "odb/pack_order.h"

namespace resident {
namespace {

constexpr HashAlgorithm kAlgorithm = HashAlgorithm::kSha1;
constexpr size_t kBitmapHead = 12;
constexpr uint32_t kMaxObjects = 2048;

void check_size(const BitSet& bits, uint32_t objects) {
  expect(bits.size() == objects);
  expect(bits.count() <= objects);
}

void check_bitmaps(const ScratchDirectory& scratch, std::string_view file, uint32_t objects) {
  const std::string path = scratch.write("pack.bitmap", file);
  const Bytes bytes = as_bytes(file);
  if (bytes.size() < kBitmapHead + kSha1Size) return;
  const auto opened =
      BitmapFile::open(path, {.own = objects}, bytes.subspan(kBitmapHead, kSha1Size), kAlgorithm);
  if (!opened.ok()) return;
  for (uint32_t number = 0; number < objects; ++number) {
    const auto reached = opened->reached_from(number);
    if (reached.ok() && *reached) check_size(**reached, objects);
  }
  for (const ObjectType type :
       {ObjectType::kCommit, ObjectType::kTree, ObjectType::kBlob, ObjectType::kTag}) {
    const auto bits = opened->objects_of(type);
    if (bits.ok()) check_size(*bits, objects);
  }
}

void check_reverse_index(std::string_view file, uint32_t objects) {
  const Bytes bytes = as_bytes(file);
  const Bytes checksum =
      bytes.size() < 2 * kSha1Size ? Bytes() : bytes.last(2 * kSha1Size).first(kSha1Size);
  const auto table = read_reverse_index(bytes, objects, checksum, kAlgorithm);
  if (table.ok()) expect(table->size() == size_t{objects} * 4);
}

// No two objects have one place, and each place is its object's.
void check_order(const ScratchDirectory& scratch, std::string_view index_file,
                 std::string_view table) {
  std::filesystem::create_directories(scratch.path("pack"));
  scratch.write("pack/multi-pack-index", index_file);
  const auto index = MultiPackIndex::open(scratch.path("pack/multi-pack-index"), kAlgorithm);
  if (!index.ok()) return;
  const Bytes checksum = (*index)->checksum();
  std::string reverse("RIDX\0\0\0\1\0\0\0\1", kBitmapHead);
  reverse += table;
  reverse += as_text(checksum);
  reverse += std::string(kSha1Size, '\0');
  const auto order = PackOrder::of(*index, scratch.write("pack/order.rev", reverse), kAlgorithm);
  if (!order.ok()) return;
  expect(order->count() == (*index)->count());
  std::set<uint32_t> places;
  for (uint32_t number = 0; number < std::min(order->count(), kMaxObjects); ++number) {
    const auto place = order->position_of(number);
    if (!place.ok()) continue;
    expect(*place < order->count());
    expect(places.insert(*place).second);
    const auto there = order->number_at(*place);
    expect(there.ok() && *there == number);
  }
}

const FuzzTarget bitmaps_target("bitmaps", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const uint8_t kind = input.byte();
  const uint32_t high = input.byte();
  const uint32_t count = high << 8 | input.byte();
  if (kind % 3 == 0) check_bitmaps(scratch, input.rest(), count % kMaxObjects);
  if (kind % 3 == 1) check_reverse_index(input.rest(), count % kMaxObjects);
  if (kind % 3 == 2) {
    const std::string_view index_file = input.take(count);
    check_order(scratch, index_file, input.rest());
  }
});

}  // namespace
}  // namespace resident
