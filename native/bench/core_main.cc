// bench_core <row> <path> <argument>...: one row of core.h, as JSON.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/cut_text.h"
#include "bench/core.h"

namespace resident::bench {

namespace {

struct Arguments {
  std::string path;
  std::string name;          // branch name, or object ids
  std::vector<int> numbers;  // each at least one
};

struct Row {
  std::string_view name;
  std::string_view usage;
  bool takes_name;
  size_t numbers;
  Result<std::string> (*measure)(const Arguments& arguments);
};

unsigned threads(const Arguments& arguments) {
  return static_cast<unsigned>(arguments.numbers[0]);
}

constexpr Row kRows[] = {
    {"load", "<index file> <runs>", false, 1,
     [](const Arguments& a) { return core_load(a.path, a.numbers[0]); }},
    {"head", "<worktree> <runs>", false, 1,
     [](const Arguments& a) { return core_head(a.path, a.numbers[0]); }},
    {"scan", "<worktree> <threads>", false, 1,
     [](const Arguments& a) { return core_scan(a.path, threads(a)); }},
    {"resident", "<worktree> <threads> <rescans> <questions>", false, 3,
     [](const Arguments& a) {
       return core_resident(a.path, threads(a), a.numbers[1], a.numbers[2]);
     }},
    {"refs", "<worktree> <threads> <questions> <moves>", false, 3,
     [](const Arguments& a) { return core_refs(a.path, threads(a), a.numbers[1], a.numbers[2]); }},
    {"edits", "<worktree> <threads> <count> <runs>", false, 3,
     [](const Arguments& a) { return core_edits(a.path, threads(a), a.numbers[1], a.numbers[2]); }},
    {"edits-floor", "<worktree> <count> <runs>", false, 2,
     [](const Arguments& a) { return floor_edits(a.path, a.numbers[0], a.numbers[1]); }},
    {"add", "<worktree> <threads> <runs>", false, 2,
     [](const Arguments& a) { return core_add(a.path, threads(a), a.numbers[1]); }},
    {"checkout", "<worktree> <branch> <threads> <runs>", true, 2,
     [](const Arguments& a) { return core_checkout(a.path, a.name, threads(a), a.numbers[1]); }},
    {"ahead-behind", "<worktree> <branch> <runs>", true, 1,
     [](const Arguments& a) { return core_ahead_behind(a.path, a.name, a.numbers[0]); }},
    {"describe", "<worktree> <runs>", false, 1,
     [](const Arguments& a) { return core_describe(a.path, a.numbers[0]); }},
    {"objects", "<worktree> <id,id,...> <runs>", true, 1,
     [](const Arguments& a) { return core_objects(a.path, a.name, a.numbers[0]); }},
};

Error usage() {
  std::string text = "usage:";
  for (const Row& row : kRows) {
    text.append("\n  bench_core ").append(row.name).append(" ").append(row.usage);
  }
  return Error{ErrorCode::kInvalid, text};
}

Result<std::string> measure(const std::vector<std::string>& words) {
  for (const Row& row : kRows) {
    const size_t names = row.takes_name ? 2 : 1;
    if (words.empty() || row.name != words[0] || words.size() != 1 + names + row.numbers) continue;
    Arguments arguments{words[1], row.takes_name ? words[2] : "", {}};
    for (size_t i = 1 + names; i < words.size(); ++i) {
      int number = 0;
      if (!parse_number(words[i], number) || number < 1) return usage();
      arguments.numbers.push_back(number);
    }
    return row.measure(arguments);
  }
  return usage();
}

}  // namespace

}  // namespace resident::bench

int main(int argc, char** argv) {
  const auto said = resident::bench::measure({argv + 1, argv + argc});
  if (!said.ok()) {
    std::fprintf(stderr, "bench_core: %s\n", said.error().message.c_str());
    return 1;
  }
  std::puts(said->c_str());
  return 0;
}
