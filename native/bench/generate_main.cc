// bench_generate <shape> <folder>: creates <folder>/worktree, a repository of that shape, unless it
// exists. The file <folder>/complete is written last and describes the repository.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>

#include "bench/repository_maker.h"
#include "bench/tree_shape.h"

namespace {

using resident::bench::TreeShape;

std::string stamp_of(std::string_view name, const TreeShape& shape) {
  return "shape " + std::string(name) + ", version " + std::to_string(TreeShape::kVersion) + "\n" +
         std::to_string(shape.file_count()) + " files in " +
         std::to_string(shape.directories().size()) + " directories\n" +
         std::to_string(resident::bench::other_file_count(shape)) + " differ in branch other\n";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int fail(const std::string& message) {
  std::fprintf(stderr, "bench_generate: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail("usage: bench_generate tiny|400k|1m|2m|<number of files> <folder>");
  const std::optional<TreeShape> shape = TreeShape::named(argv[1]);
  if (!shape) return fail(std::string(argv[1]) + " is no shape");
  const std::string folder = argv[2];
  const std::string stamp = stamp_of(argv[1], *shape);
  if (read_file(folder + "/complete") == stamp) return 0;

  // An existing folder is incomplete or of another version.
  std::error_code failed;
  std::filesystem::remove_all(folder, failed);
  if (!failed) std::filesystem::create_directories(folder, failed);
  if (failed) return fail(folder + ": " + failed.message());
  const auto made = resident::bench::make_repository(*shape, folder + "/worktree",
                                                     std::thread::hardware_concurrency());
  if (!made.ok()) return fail(made.error().message);
  std::ofstream(folder + "/complete", std::ios::binary) << stamp;
  return 0;
}
