// FuzzTarget: a function that must survive any bytes.
//
// A target is a file fuzz_<name>.cc with one FuzzTarget object, <name>_target. It is linked twice:
// alone with libFuzzer (fuzz_main.cc), and with all other targets into a test. The test replays the
// corpora (replay_test.cc): every build checks old findings again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "base/bytes.h"
#include "hash/object_id.h"

namespace resident {

class FuzzTarget {
 public:
  using Run = void (*)(Bytes);
  FuzzTarget(std::string_view name, Run run);

  // The linked targets, by name.
  static std::map<std::string_view, Run>& all();
};

// Limit of an inflated object.
inline constexpr uint64_t kMaxInflated = 1 << 20;
inline constexpr size_t kSha1Size = hash_size(HashAlgorithm::kSha1);

// Aborts the process if `condition` is false: a target's report of a bug.
void expect(bool condition);

// Splits an input. A missing part reads as zero or empty.
class FuzzInput {
 public:
  explicit FuzzInput(Bytes bytes) : rest_(as_text(bytes)) {}

  uint8_t byte();
  // Takes the bytes up to the next `end`, and `end` itself; without it, all that is left.
  std::string_view until(char end);
  std::string_view take(size_t count);
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace resident
