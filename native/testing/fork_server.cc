// fork_server: a library that LD_PRELOAD loads into a program which the tests start thousands of
// times. It stops the program before main(). For each request it forks a process that continues
// there. This saves the start costs of the kernel, the dynamic loader and glibc. The client is
// testing/fork_servers.h.
//
// RESIDENT_FORK_SERVER is the descriptor number of a socket (SOCK_SEQPACKET). First the server
// sends the path of the program's file. A request consists of fields that end in NUL:
// - the directory;
// - a count and the NAME=value pairs of the whole environment;
// - a count and the words.
//
// With it come three descriptors for input, output and error. Replies: the process id, or a
// negative errno; then the status of wait(). The process has its own process group. The server runs
// one process at a time, and ends with the socket.
//
// This file must not need the C++ library: the program may not have it.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "testing/fork_request.h"

namespace {

using namespace resident::testing;

using Main = int (*)(int argc, char** argv, char** environment);

Main program_main = nullptr;

char request[kForkRequestBytes + 1];
char* pointers_of_request[kForkRequestFields + 2];

// Addresses of our memory areas in the kernel (proc(5), prctl(2)).
prctl_mm_map parts{};

// Parsed form of the bytes in `request`. The entries of a list are consecutive there.
struct Start {
  const char* directory;
  char** environment;
  char* environment_start;
  char* environment_end;
  char** words;
  int word_count;
  char* words_start;
  char* words_end;
};

Start parse() {
  char* at = request;
  const auto next = [&] {
    char* field = at;
    at += std::strlen(at) + 1;
    return field;
  };
  char** pointer = pointers_of_request;
  const auto list = [&](int& count, char*& begin) {
    count = std::atoi(next());
    begin = at;
    char** first = pointer;
    for (int i = 0; i < count; ++i) *pointer++ = next();
    *pointer++ = nullptr;
    return first;
  };
  Start start{};
  start.directory = next();
  int variables = 0;
  start.environment = list(variables, start.environment_start);
  start.environment_end = at;
  start.words = list(start.word_count, start.words_start);
  start.words_end = at;
  return start;
}

// False at the end of the socket.
bool receive(int socket, int (&files)[3]) {
  iovec bytes{request, kForkRequestBytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof files)];
  msghdr message{};
  message.msg_iov = &bytes;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  while ((count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (count <= 0 || head == nullptr) return false;
  std::memcpy(files, CMSG_DATA(head), sizeof files);
  request[count] = '\0';
  return true;
}

void reply(int socket, int number) {
  if (::send(socket, &number, sizeof number, MSG_NOSIGNAL) < 0) std::_Exit(1);
}

// False if the kernel does not allow us to set the addresses.
bool read_parts() {
  char text[2048];
  const int file = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  const ssize_t length = file < 0 ? -1 : ::read(file, text, sizeof text - 1);
  if (file >= 0) ::close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  // The second field is a name in brackets, and can contain any character.
  char* at = std::strrchr(text, ')');
  unsigned long long fields[53] = {};
  for (int i = 3; at && i < 53; ++i) {
    at = std::strchr(at, ' ');
    if (!at) return false;
    fields[i] = std::strtoull(++at, nullptr, 10);
  }
  if (!at) return false;
  parts.start_code = fields[26];
  parts.end_code = fields[27];
  parts.start_stack = fields[28];
  parts.start_data = fields[45];
  parts.end_data = fields[46];
  parts.start_brk = fields[47];
  parts.arg_start = fields[48];
  parts.arg_end = fields[49];
  parts.env_start = fields[50];
  parts.env_end = fields[51];
  parts.exe_fd = static_cast<uint32_t>(-1);
  return true;
}

bool tell_parts() {
  parts.brk = reinterpret_cast<uintptr_t>(::sbrk(0));
  return ::prctl(PR_SET_MM, PR_SET_MM_MAP, &parts, sizeof parts, 0) == 0;
}

// Makes /proc show the words of this start: a git hook reads the command line of its caller.
bool show(const Start& start) {
  parts.env_start = reinterpret_cast<uintptr_t>(start.environment_start);
  parts.env_end = reinterpret_cast<uintptr_t>(start.environment_end);
  parts.arg_start = reinterpret_cast<uintptr_t>(start.words_start);
  parts.arg_end = reinterpret_cast<uintptr_t>(start.words_end);
  return tell_parts();
}

int run_program(const Start& start, int socket, const int (&files)[3]) {
  ::setpgid(0, 0);
  ::close(socket);
  for (int i = 0; i < 3; ++i) {
    ::dup2(files[i], i);
    ::close(files[i]);
  }
  if (!show(start)) std::abort();
  environ = start.environment;
  program_invocation_name = start.words[0];
  const char* slash = std::strrchr(start.words[0], '/');
  program_invocation_short_name = slash ? const_cast<char*>(slash) + 1 : start.words[0];
  return program_main(start.word_count, start.words, start.environment);
}

// Replaces the program's main(). Returns like main() in each forked process.
int serve(int argc, char** argv, char** environment) {
  const char* number = std::getenv("RESIDENT_FORK_SERVER");
  if (!number) return program_main(argc, argv, environment);
  const int socket = std::atoi(number);
  if (!read_parts() || !tell_parts()) return 1;
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length < 0 || ::send(socket, path, static_cast<size_t>(length), MSG_NOSIGNAL) < 0) return 1;
  int files[3];
  while (receive(socket, files)) {
    const Start start = parse();
    const pid_t child = ::chdir(start.directory) == 0 ? ::fork() : -1;
    if (child == 0) return run_program(start, socket, files);
    const int error = errno;
    for (const int file : files) ::close(file);
    if (child < 0) {
      reply(socket, -error);
      continue;
    }
    ::setpgid(child, child);
    // Leaves the directory: the test may remove or unmount it.
    if (::chdir("/") != 0) std::_Exit(1);
    reply(socket, child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    reply(socket, status);
  }
  std::_Exit(0);
}

}  // namespace

// Replaces glibc's function, which the start code calls with main().
extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main main, int argc, char** argv,
                                                                void (*init)(), void (*fini)(),
                                                                void (*rtld_fini)(),
                                                                void* stack_end) {
  using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start_main = reinterpret_cast<StartMain>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main = main;
  return start_main(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
