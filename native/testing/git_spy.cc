// git_spy: the `git` that the TypeScript tests put first on PATH (test/support/sandbox.ts). It
// notes each call, one line with its words, in the file RESIDENT_SPY_LOG, and is then the git that
// RESIDENT_SPY_GIT names.
//
// With RESIDENT_SPY_ANSWERS, a directory, what git says of a repository at rest is kept there: nine
// questions of one moment ask git for the same configuration nine times. Only calls that have no
// effect are kept, each by its words, directory and environment; whoever sets the variable knows
// that nothing changes while the directory stands.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int kCannotRun = 127;

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "git_spy: %s: %s\n", what, std::strerror(errno));
  std::exit(kCannotRun);
}

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
    // Whoever reads it is gone: as it would be for git.
    if (count < 0 && errno != EINTR) std::_Exit(kCannotRun);
  }
}

std::string read_file(int file) {
  std::string text;
  char piece[1 << 14];
  ssize_t count = 0;
  while ((count = ::pread(file, piece, sizeof piece, static_cast<off_t>(text.size()))) > 0) {
    text.append(piece, static_cast<size_t>(count));
  }
  return text;
}

void note(int argc, char** argv) {
  const char* log = std::getenv("RESIDENT_SPY_LOG");
  if (!log) return;
  std::string line;
  for (int i = 1; i < argc; ++i) line.append(i > 1 ? " " : "").append(argv[i]);
  const int file = ::open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  write_all(file, line + "\n");
  ::close(file);
}

bool has_no_effect(int argc, char** argv) {
  if (argc < 2) return false;
  const std::string_view first = argv[1];
  if (first == "--version" || first == "rev-parse" || first == "version") return true;
  return first == "config" && argc > 2 && std::string_view(argv[2]) == "--list";
}

// FNV-1a of all that the answer depends on.
std::string key_of(int argc, char** argv) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::string_view text) {
    for (const char byte : text) hash = (hash ^ static_cast<uint8_t>(byte)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
  };
  for (int i = 1; i < argc; ++i) add(argv[i]);
  for (char** variable = environ; *variable; ++variable) add(*variable);
  char directory[4096];
  add(::getcwd(directory, sizeof directory) ? directory : "");
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

// "<code> <bytes>\n", standard output, standard error.
[[noreturn]] void say(const std::string& kept) {
  int code = 0;
  size_t bytes = 0;
  if (std::sscanf(kept.c_str(), "%d %zu\n", &code, &bytes) != 2)
    give_up("a kept answer is damaged");
  const std::string_view said = std::string_view(kept).substr(kept.find('\n') + 1);
  write_all(STDOUT_FILENO, said.substr(0, bytes));
  write_all(STDERR_FILENO, said.substr(bytes));
  std::_Exit(code);
}

int temporary_file() {
  const int file = ::memfd_create("git_spy", MFD_CLOEXEC);
  if (file < 0) give_up("no file in memory");
  return file;
}

// What git said, and how it ended; nothing where it was ended by a signal.
std::string ask(const char* git, char** argv) {
  argv[0] = const_cast<char*>(git);
  const int out = temporary_file();
  const int err = temporary_file();
  const pid_t child = ::fork();
  if (child < 0) give_up("cannot fork");
  if (child == 0) {
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    ::execv(git, argv);
    give_up(git);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status)) return {};
  const std::string said = read_file(out);
  return std::to_string(WEXITSTATUS(status)) + " " + std::to_string(said.size()) + "\n" + said +
         read_file(err);
}

}  // namespace

int main(int argc, char** argv) {
  const char* git = std::getenv("RESIDENT_SPY_GIT");
  if (!git) {
    errno = ENOENT;
    give_up("RESIDENT_SPY_GIT");
  }
  note(argc, argv);
  const char* answers = std::getenv("RESIDENT_SPY_ANSWERS");
  if (answers && has_no_effect(argc, argv)) {
    const std::string path = std::string(answers) + "/" + key_of(argc, argv);
    const int known = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (known >= 0) say(read_file(known));
    const std::string answer = ask(git, argv);
    if (!answer.empty()) {
      const std::string temporary = path + "." + std::to_string(::getpid());
      const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (file < 0) give_up("cannot keep an answer");
      write_all(file, answer);
      ::close(file);
      ::rename(temporary.c_str(), path.c_str());
      say(answer);
    }
  }
  argv[0] = const_cast<char*>(git);
  ::execv(git, argv);
  give_up(git);
}
