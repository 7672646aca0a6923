// Common parts of the programs that start programs for tests: input fields, files in memory, the
// search on PATH, and exit with a message.
#pragma once

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace resident::testing {

[[noreturn]] inline void give_up(const char* what) {
  std::fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, std::strerror(errno));
  std::exit(1);
}

inline std::string read_all(int file) {
  std::string text;
  char piece[1 << 16];
  for (;;) {
    const ssize_t count = ::read(file, piece, sizeof piece);
    if (count == 0) return text;
    if (count > 0) text.append(piece, static_cast<size_t>(count));
    if (count < 0 && errno != EINTR) give_up("cannot read");
  }
}

inline void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
    if (count < 0 && errno != EINTR) give_up("cannot write");
  }
}

// Reads fields that end in NUL.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  std::string next() {
    const size_t end = rest_.find('\0');
    if (end == rest_.npos) give_up("the input ends early");
    std::string field(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return field;
  }

  size_t count() {
    const std::string field = next();
    size_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size() || value > rest_.size()) {
      give_up("a count is none");
    }
    return value;
  }

  std::vector<std::string> counted() {
    std::vector<std::string> fields(count());
    for (std::string& field : fields) field = next();
    return fields;
  }

  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

inline std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  return result;
}

// glibc 2.28 cannot change the directory here. Tests of that build start programs in the current
// directory.
inline void change_directory(posix_spawn_file_actions_t& actions, const char* directory) {
#if defined(__GLIBC__) && __GLIBC__ == 2 && __GLIBC_MINOR__ < 29
  static_cast<void>(actions);
  static_cast<void>(directory);
#else
  posix_spawn_file_actions_addchdir_np(&actions, directory);
#endif
}

inline int temporary_file() {
  const int file = ::memfd_create(program_invocation_short_name, MFD_CLOEXEC);
  if (file < 0) give_up("no file in memory");
  return file;
}

// Reads the whole file and closes it.
inline std::string content_of(int file) {
  ::lseek(file, 0, SEEK_SET);
  std::string content = read_all(file);
  ::close(file);
  return content;
}

// Searches like execvp() with that environment.
inline std::string path_of(const std::string& program,
                           const std::vector<std::string>& environment) {
  if (program.find('/') != program.npos) return program;
  std::string_view places = "/usr/bin:/bin";
  for (const std::string& variable : environment) {
    if (variable.starts_with("PATH=")) places = std::string_view(variable).substr(5);
  }
  for (;;) {
    const std::string_view place = places.substr(0, places.find(':'));
    std::string path = std::string(place.empty() ? "." : place) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    if (place.size() == places.size()) return program;
    places.remove_prefix(place.size() + 1);
  }
}

// Exit code in the convention of a shell.
inline int exit_code(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace resident::testing
