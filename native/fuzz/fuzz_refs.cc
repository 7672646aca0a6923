// "<flags> <name> LF <packed-refs>". A found name is in the file with its id, and below its own
// directory. Exception: a file that wrongly claims to be sorted is believed.
#include <string>

#include "fs/linux/posix_file_system.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/scratch_directory.h"
#include "refs/packed_refs.h"
#include "refs/ref_name.h"
#include "refs/ref_store.h"

namespace resident {
namespace {

const FuzzTarget refs_target("refs", [](Bytes bytes) {
  static const ScratchDirectory scratch;
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  const HashAlgorithm algorithm = flags & 1 ? HashAlgorithm::kSha256 : HashAlgorithm::kSha1;
  const std::string name(input.until('\n'));
  const std::string path = scratch.write("packed-refs", input.rest());
  (void)is_valid_ref_name(name);
  auto packed = PackedRefs::open(path, algorithm);
  if (packed.ok()) {
    auto found = (*packed)->find(name);
    if (found.ok() && found->has_value()) {
      expect(input.rest().find(name) != std::string_view::npos);
      const size_t slash = name.rfind('/');
      if (slash != std::string::npos) {
        RefBackend::Listed listed;
        const auto below = (*packed)->add_below(name.substr(0, slash + 1), listed);
        const bool may_be_unsorted = input.rest().find("sorted") != std::string_view::npos;
        expect(!below.ok() || !listed.empty() || may_be_unsorted);
      }
    }
  }
  scratch.write("HEAD", flags & 2 ? "ref: " + name + "\n" : name);
  RefStore refs(scratch.path(""), scratch.path(""), algorithm, posix_file_system());
  auto head = refs.head();
  if (head.ok()) expect(head->detached == head->ref.empty());
});

}  // namespace
}  // namespace resident
