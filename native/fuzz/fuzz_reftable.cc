// "<flags> <name> LF <table>", or without that "<name> LF <list of tables>" and no table. What is
// found under a name is among all that there is, and the order is that of keys.
#include <filesystem>
#include <string>

#include "fs/linux/posix_file_system.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "refs/ref_store.h"
#include "refs/reftable_stack.h"

namespace resident {
namespace {

constexpr uint8_t kSha256Bit = 1;
constexpr uint8_t kListBit = 2;
constexpr size_t kMaxRecords = 1 << 16;

// Any chain of blocks ends; a table can still name one block often.
void read_all(ReftableStack& stack, ReftableSection section, const std::string& from) {
  size_t count = 0;
  (void)stack.visit(section, from, [&](const ReftableRecord& record) {
    expect(!record.key.empty() && !record.is_deletion);
    return ++count < kMaxRecords;
  });
}

const FuzzTarget reftable_target("reftable", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  const auto algorithm = flags & kSha256Bit ? HashAlgorithm::kSha256 : HashAlgorithm::kSha1;
  const std::string name(input.until('\n'));
  std::filesystem::create_directories(scratch.path("reftable"));
  if (flags & kListBit) {
    scratch.write("reftable/tables.list", input.rest());
  } else {
    scratch.write("reftable/tables.list", "table\n");
    scratch.write("reftable/table", input.rest());
  }
  const std::string git_dir = scratch.path("").substr(0, scratch.path("").size() - 1);
  ReftableStack stack(git_dir, algorithm, posix_file_system());
  for (const auto section : {ReftableSection::kRefs, ReftableSection::kLogs}) {
    read_all(stack, section, "");
    read_all(stack, section, name);
  }
  RefStore refs(git_dir, git_dir, algorithm, posix_file_system(), RefStorage::kReftable);
  auto head = refs.head();
  if (head.ok()) expect(head->detached == head->ref.empty());
  if (refs.exists(name)) expect(refs.is_there(name));
  (void)refs.refs_below("refs/");
  (void)refs.visit_log_backwards("HEAD", [](const ReflogEntry& entry) {
    expect(entry.message.find('\n') == std::string_view::npos);
    return true;
  });
});

}  // namespace
}  // namespace resident
