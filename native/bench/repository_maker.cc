#include "bench/repository_maker.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "git/git_command.h"
#include "os/unique_fd.h"

namespace resident::bench {

namespace {

constexpr time_t kFileTime = 1'700'000'000;
constexpr std::string_view kWho = "A U Thor <author@example.com> 1700000000 +0000\n";

// Runs git without the machine's configuration.
Result<void> git(const std::string& worktree, const std::vector<std::string>& arguments,
                 std::string_view input = {}) {
  GitRunOptions options;
  options.cwd = worktree;
  options.input = input;
  options.environment = {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"};
  RESIDENT_TRY(const GitOutput output, run_git(arguments, options));
  if (output.exit_code == 0) return {};
  return Error{ErrorCode::kIo, "git " + arguments[0] + ": " + git_message(output)};
}

Result<void> make_directories(const TreeShape& shape, const std::string& worktree) {
  for (uint32_t d = 0; d < shape.directories().size(); ++d) {
    const std::string path = worktree + "/" + shape.path(d);
    if (::mkdir(path.c_str(), 0755) != 0) return error_from_errno(errno, path);
  }
  return {};
}

Result<void> write_files(const TreeShape& shape, const std::string& worktree, uint32_t directory) {
  const std::string path = worktree + "/" + shape.path(directory);
  const UniqueFd parent(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent.valid()) return error_from_errno(errno, path);
  const timespec times[2] = {{kFileTime, 0}, {kFileTime, 0}};
  for (uint32_t file = 0; file < shape.directories()[directory].file_count; ++file) {
    const std::string name = shape.file_name(directory, file);
    const std::string& text = TreeShape::contents()[shape.content_of(directory, file)];
    const UniqueFd fd(
        ::openat(parent.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!fd.valid() ||
        ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
        ::futimens(fd.get(), times) != 0) {
      return error_from_errno(errno, path + name);
    }
  }
  return {};
}

Result<void> write_worktree(const TreeShape& shape, const std::string& worktree, unsigned threads) {
  RESIDENT_CHECK(make_directories(shape, worktree));
  std::atomic<uint32_t> next{0};
  std::vector<Result<void>> results(threads);
  std::vector<std::thread> writers;
  for (unsigned worker = 0; worker < threads; ++worker) {
    writers.emplace_back([&, worker] {
      while (results[worker].ok()) {
        const uint32_t directory = next++;
        if (directory >= shape.directories().size()) return;
        results[worker] = write_files(shape, worktree, directory);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (Result<void>& result : results) RESIDENT_CHECK(std::move(result));
  return {};
}

void add_commit(std::string& stream, std::string_view branch, uint32_t mark) {
  stream.append("commit refs/heads/").append(branch).append("\nmark :");
  stream.append(std::to_string(mark)).append("\ncommitter ").append(kWho);
  stream.append("data ").append(std::to_string(branch.size())).append("\n");
  stream.append(branch).append("\n");
}

void add_file(std::string& stream, uint32_t content, const std::string& directory,
              const std::string& name) {
  stream.append("M 100644 :").append(std::to_string(content + 1)).append(" ");
  stream.append(directory).append(name).append("\n");
}

// Input of git fast-import: blobs with marks from 1, then two commits.
std::string import_stream(const TreeShape& shape) {
  std::string stream;
  const std::vector<std::string>& contents = TreeShape::contents();
  for (size_t i = 0; i < contents.size(); ++i) {
    stream.append("blob\nmark :").append(std::to_string(i + 1)).append("\ndata ");
    stream.append(std::to_string(contents[i].size())).append("\n").append(contents[i]).append("\n");
  }
  const auto main_mark = static_cast<uint32_t>(contents.size() + 1);
  std::string other;
  add_commit(stream, "main", main_mark);
  add_commit(other, "other", main_mark + 1);
  other.append("from :").append(std::to_string(main_mark)).append("\n");
  const uint32_t stride = shape.file_count() / std::max(1u, other_file_count(shape));
  uint32_t position = 0;
  uint32_t changed = 0;
  for (uint32_t d = 0; d < shape.directories().size(); ++d) {
    const std::string path = shape.path(d);
    for (uint32_t file = 0; file < shape.directories()[d].file_count; ++file, ++position) {
      const std::string name = shape.file_name(d, file);
      const uint32_t content = shape.content_of(d, file);
      add_file(stream, content, path, name);
      if (stride == 0 || position % stride != 0 || changed == other_file_count(shape)) continue;
      ++changed;
      add_file(other, TreeShape::changed_content(content), path, name);
    }
  }
  return stream + other;
}

}  // namespace

uint32_t other_file_count(const TreeShape& shape) {
  return std::min(kOtherFiles, shape.file_count() / 8);
}

Result<void> make_repository(const TreeShape& shape, const std::string& worktree,
                             unsigned threads) {
  RESIDENT_CHECK(write_worktree(shape, worktree, std::max(1u, threads)));
  RESIDENT_CHECK(git(worktree, {"init", "-q", "-b", "main"}));
  // No background work during a measurement, and no fsync.
  for (const char* setting : {"gc.auto 0", "maintenance.auto false", "core.fsync none",
                              "user.name Nobody", "user.email nobody@example.com"}) {
    const std::string_view text = setting;
    const size_t space = text.find(' ');
    RESIDENT_CHECK(git(worktree, {"config", std::string(text.substr(0, space)),
                                  std::string(text.substr(space + 1))}));
  }
  RESIDENT_CHECK(git(worktree, {"-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"},
                     import_stream(shape)));
  // read-tree makes the index with its cache-tree; update-index adds the stat data.
  RESIDENT_CHECK(git(worktree, {"read-tree", "HEAD"}));
  return git(worktree, {"update-index", "-q", "--refresh"});
}

}  // namespace resident::bench
