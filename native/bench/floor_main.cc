// Measures one walk, or `runs` index loads, in nanoseconds.
//
//     bench_floor hot|cold|watch <worktree> <threads>
//     bench_floor index <index file> <runs>
//
// The plan of the walk is read before the clock starts.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/floor.h"
#include "bench/index_floor.h"
#include "bench/json.h"
#include "index/index.h"

namespace resident::bench {

namespace {

Result<std::string> walk(FloorWork work, const std::string& worktree, unsigned threads) {
  const std::string git_dir = worktree + "/.git";
  RESIDENT_TRY(const std::shared_ptr<const Index> index,
               Index::load(git_dir + "/index", {.verify_checksum = false, .git_dir = git_dir}));
  const DirectoryPlan plan(*index);
  RESIDENT_TRY(const FloorResult result, walk_floor(worktree, plan, work, threads));
  return JsonObject()
      .add("ns", result.time.count())
      .add("directories", static_cast<int64_t>(result.directories))
      .add("files", static_cast<int64_t>(result.files))
      .add("missing", static_cast<int64_t>(result.missing))
      .add("names", static_cast<int64_t>(result.names))
      .text();
}

Result<std::string> load(const std::string& path, int runs) {
  IndexFloor floor;
  std::vector<int64_t> times;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    RESIDENT_CHECK(floor.load(path));
    times.push_back((std::chrono::steady_clock::now() - start) / std::chrono::nanoseconds(1));
  }
  return JsonObject()
      .add("ns", times)
      .add("directories", static_cast<int64_t>(floor.directory_count()))
      .add("entries", static_cast<int64_t>(floor.entries().size()))
      .text();
}

Result<std::string> measure(const std::string& what, const std::string& path, int count) {
  if (count < 1) return Error{ErrorCode::kInvalid, "threads or runs: one at least"};
  if (what == "index") return load(path, count);
  const auto threads = static_cast<unsigned>(count);
  if (what == "hot") return walk(FloorWork::kHot, path, threads);
  if (what == "cold") return walk(FloorWork::kCold, path, threads);
  if (what == "watch") return walk(FloorWork::kWatch, path, threads);
  return Error{ErrorCode::kInvalid, what + " is no floor"};
}

}  // namespace

}  // namespace resident::bench

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: bench_floor hot|cold|watch|index <path> <threads or runs>\n", stderr);
    return 1;
  }
  const auto said = resident::bench::measure(argv[1], argv[2], std::atoi(argv[3]));
  if (!said.ok()) {
    std::fprintf(stderr, "bench_floor: %s\n", said.error().message.c_str());
    return 1;
  }
  std::puts(said->c_str());
  return 0;
}
