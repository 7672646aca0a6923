// git_spy: the `git` that the TypeScript tests put first on PATH (test/support/sandbox.ts). It logs
// each call as one line in the file RESIDENT_SPY_LOG, then executes RESIDENT_SPY_GIT.
//
// RESIDENT_SPY_ANSWERS is a directory with cached answers of git for an unchanged repository: nine
// questions in a row read the same configuration nine times. Only calls without side effects are
// cached. The key is their words, directory and environment. The test must not change anything
// while the directory exists.
//
// The tests start this program more often than any other, so it uses no C library.
#include "testing/bare.h"

namespace {

using namespace resident::testing::bare;

constexpr int kCannotRun = 127;
constexpr size_t kPathLimit = 4096;
constexpr long kInterrupted = -4;  // EINTR

// `error` is a result of call(), or 0 for none.
[[noreturn]] void give_up(const char* what, long error = 0) {
  char text[256] = "git_spy: ";
  size_t length = length_of(text);
  const auto add = [&](const char* more) {
    while (*more != '\0' && length < sizeof text - 1) text[length++] = *more++;
  };
  add(what);
  if (error < 0) {
    char digits[24] = {};
    size_t at = sizeof digits - 1;
    for (long rest = -error; rest > 0; rest /= 10)
      digits[--at] = static_cast<char>('0' + rest % 10);
    add(": error ");
    add(digits + at);
  }
  text[length++] = '\n';
  call(SYS_write, 2, address(text), static_cast<long>(length));
  end(kCannotRun);
}

void write_all(long file, const char* text, size_t length) {
  while (length > 0) {
    const long count = call(SYS_write, file, address(text), static_cast<long>(length));
    if (count > 0) {
      text += count;
      length -= static_cast<size_t>(count);
    }
    // The reader is gone: end, as git would.
    if (count < 0 && count != kInterrupted) end(kCannotRun);
  }
}

bool equal(const char* left, const char* right) {
  while (*left != '\0' && *left == *right) ++left, ++right;
  return *left == *right;
}

// nullptr if unset.
const char* variable(char** environment, const char* name) {
  for (; *environment != nullptr; ++environment) {
    const char* at = *environment;
    const char* wanted = name;
    while (*wanted != '\0' && *at == *wanted) ++at, ++wanted;
    if (*wanted == '\0' && *at == '=') return at + 1;
  }
  return nullptr;
}

// One write for each call, so that parallel calls do not mix their lines.
void note(int argc, char** argv, const char* log) {
  size_t length = 1;
  for (int i = 1; i < argc; ++i) length += length_of(argv[i]) + 1;
  char* line = allocate(length);
  if (line == nullptr) give_up("no memory");
  size_t at = 0;
  for (int i = 1; i < argc; ++i) {
    if (i > 1) line[at++] = ' ';
    for (const char* word = argv[i]; *word != '\0'; ++word) line[at++] = *word;
  }
  line[at++] = '\n';
  const long file = open_file(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  write_all(file, line, at);
  call(SYS_close, file);
}

bool has_no_effect(int argc, char** argv) {
  if (argc < 2) return false;
  const char* first = argv[1];
  if (equal(first, "--version") || equal(first, "rev-parse") || equal(first, "version"))
    return true;
  return equal(first, "config") && argc > 2 && equal(argv[2], "--list");
}

// FNV-1a hash of everything that decides the answer.
uint64_t key_of(int argc, char** argv, char** environment) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const char* text) {
    for (; *text != '\0'; ++text) hash = (hash ^ static_cast<uint8_t>(*text)) * 0x100000001b3;
    hash = (hash ^ 0xff) * 0x100000001b3;
  };
  for (int i = 1; i < argc; ++i) add(argv[i]);
  for (char** each = environment; *each != nullptr; ++each) add(*each);
  char directory[kPathLimit];
  add(call(SYS_getcwd, address(directory), sizeof directory) > 0 ? directory : "");
  return hash;
}

struct Text {
  const char* at;
  size_t length;
};

// The mapping is never unmapped. An empty file has no mapping.
Text content_of(long file) {
  const long length = call(SYS_lseek, file, 0, /*SEEK_END*/ 2);
  if (length < 0) give_up("cannot read", length);
  if (length == 0) return {nullptr, 0};
  const long at = call(SYS_mmap, 0, length, PROT_READ, MAP_PRIVATE, file, 0);
  if (at < 0) give_up("cannot read", at);
  return {reinterpret_cast<const char*>(at), static_cast<size_t>(length)};
}

// Header of a cached answer. Standard output of `out_length` bytes and standard error follow.
struct Head {
  uint64_t code;
  uint64_t out_length;
};

[[noreturn]] void say(Text out, Text err, int code) {
  write_all(1, out.at, out.length);
  write_all(2, err.at, err.length);
  end(code);
}

[[noreturn]] void say_kept(long file) {
  const Text kept = content_of(file);
  const Head* head = reinterpret_cast<const Head*>(kept.at);
  if (kept.length < sizeof *head || kept.length - sizeof *head < head->out_length)
    give_up("a kept answer is damaged");
  const char* out = kept.at + sizeof *head;
  say({out, head->out_length},
      {out + head->out_length, kept.length - sizeof *head - head->out_length},
      static_cast<int>(head->code));
}

[[noreturn]] void become(const char* git, char** argv, char** environment) {
  argv[0] = const_cast<char*>(git);
  give_up(git, call(SYS_execve, address(git), address(argv), address(environment)));
}

long temporary_file() {
  const long file = call(SYS_memfd_create, address("git_spy"), MFD_CLOEXEC);
  if (file < 0) give_up("no file in memory", file);
  return file;
}

// Runs git, prints its answer and caches it at `path`. Returns only if a signal ended git.
void ask_and_keep(const char* git, char** argv, char** environment, char* path) {
  const long out = temporary_file();
  const long err = temporary_file();
  const long child = fork_process();
  if (child < 0) give_up("cannot fork", child);
  if (child == 0) {
    call(SYS_dup3, out, 1, 0);
    call(SYS_dup3, err, 2, 0);
    become(git, argv, environment);
  }
  int status = 0;
  while (call(SYS_wait4, child, address(&status), 0, 0) == kInterrupted) continue;
  if ((status & 0x7f) != 0) return;
  const Text said = content_of(out);
  const Text complained = content_of(err);
  const int code = (status >> 8) & 0xff;

  // Renamed into place: readers only see a complete file.
  char temporary[kPathLimit + 32];
  size_t length = length_of(path);
  memcpy(temporary, path, length);
  temporary[length++] = '.';
  for (long rest = call(SYS_getpid); rest > 0; rest /= 10)
    temporary[length++] = static_cast<char>('0' + rest % 10);
  temporary[length] = '\0';
  const long file = open_file(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) give_up("cannot keep an answer", file);
  const Head head{static_cast<uint64_t>(code), said.length};
  write_all(file, reinterpret_cast<const char*>(&head), sizeof head);
  write_all(file, said.at, said.length);
  write_all(file, complained.at, complained.length);
  call(SYS_close, file);
  call(SYS_renameat2, AT_FDCWD, address(temporary), AT_FDCWD, address(path), 0);
  say(said, complained, code);
}

}  // namespace

int run(int argc, char** argv, char** environment) {
  const char* git = variable(environment, "RESIDENT_SPY_GIT");
  if (git == nullptr) give_up("RESIDENT_SPY_GIT is not set");
  if (const char* log = variable(environment, "RESIDENT_SPY_LOG")) note(argc, argv, log);
  const char* answers = variable(environment, "RESIDENT_SPY_ANSWERS");
  if (answers != nullptr && has_no_effect(argc, argv)) {
    const uint64_t key = key_of(argc, argv, environment);
    char path[kPathLimit];
    size_t length = length_of(answers);
    if (length + 18 > sizeof path) give_up("the path of the answers is too long");
    memcpy(path, answers, length);
    path[length++] = '/';
    for (int shift = 60; shift >= 0; shift -= 4)
      path[length++] = "0123456789abcdef"[(key >> shift) & 0xf];
    path[length] = '\0';
    const long known = open_file(path, O_RDONLY | O_CLOEXEC);
    if (known >= 0) say_kept(known);
    ask_and_keep(git, argv, environment, path);
  }
  become(git, argv, environment);
}
