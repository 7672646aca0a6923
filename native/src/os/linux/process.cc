// See proc(5).
#include "os/process.h"

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "os/descriptor_io.h"
#include "os/unique_fd.h"

namespace resident {

namespace {

constexpr size_t kMaxCommandLine = size_t{64} << 10;
constexpr size_t kMaxEnvironment = size_t{1} << 20;

std::string path_of(ProcessId process, const char* name) {
  return "/proc/" + std::to_string(process) + "/" + name;
}

// The first bytes of a file, at most `limit`. nullopt if it cannot be read.
std::optional<std::string> read_start(const std::string& path, size_t limit) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return std::nullopt;
  std::string bytes;
  while (bytes.size() < limit) {
    char part[16 * 1024];
    const IoResult read = read_some(file.get(), part, std::min(sizeof part, limit - bytes.size()));
    if (read.state == IoResult::State::kClosed) break;
    if (read.state != IoResult::State::kSome) return std::nullopt;
    bytes.append(part, read.count);
  }
  return bytes;
}

}  // namespace

std::string command_line_of(ProcessId process) {
  return read_start(path_of(process, "cmdline"), kMaxCommandLine).value_or("");
}

std::optional<std::string> environment_of(ProcessId process) {
  std::optional<std::string> variables = read_start(path_of(process, "environ"), kMaxEnvironment);
  if (variables && variables->size() == kMaxEnvironment) return std::nullopt;
  return variables;
}

std::string working_directory_of(ProcessId process) {
  const std::string path = path_of(process, "cwd");
  // Freed even if the allocation of the result throws.
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &::free);
  return real ? real.get() : "";
}

Result<std::string> own_program() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Error{ErrorCode::kIo, "/proc/self/exe: " + error.message()};
  return path.native();
}

bool is_native_program(const std::string& path) {
  constexpr std::string_view kElf = "\177ELF";
  return read_start(path, kElf.size()) == kElf;
}

}  // namespace resident
