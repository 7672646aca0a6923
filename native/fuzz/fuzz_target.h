// FuzzTarget: a function that must be at peace with any bytes.
//
// A target is a file fuzz_<name>.cc with one FuzzTarget object, <name>_target. It is linked twice:
// alone with libFuzzer (fuzz_main.cc), and with all others, compiled at once, into the test that
// replays the corpora (replay_test.cc), so that what was found once is looked for in every build.
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

  // Those that are linked, by name.
  static std::map<std::string_view, Run>& all();
};

// How large an object may become.
inline constexpr uint64_t kMaxInflated = 1 << 20;
inline constexpr size_t kSha1Size = hash_size(HashAlgorithm::kSha1);

// Ends the process, which is how a target says that something is wrong.
void expect(bool condition);

// Takes an input apart. What is not there reads as zero or empty.
class FuzzInput {
 public:
  explicit FuzzInput(Bytes bytes) : rest_(as_text(bytes)) {}

  uint8_t byte();
  // Up to the next `end`, which is taken too; else all that is left.
  std::string_view until(char end);
  std::string_view take(size_t count);
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace resident
