// fork_server: a library that is loaded before others into a program (LD_PRELOAD) which tests start
// by the thousand. The program stops where its main() would be called, and is a process of its own
// for each request from there: a fork, without what the kernel, the dynamic loader and glibc do for
// a start. testing/fork_servers.h asks.
//
// RESIDENT_FORK_SERVER names the descriptor of a socket (SOCK_SEQPACKET). First the server tells of
// which file the program is. A request: fields ended by NUL, which are the directory, a count and
// as many NAME=value, which are all of the environment, a count and as many words; with it go three
// descriptors for input, output and error. Replies: the process, whose process group is its own, or
// an error's number below 0; then the status of wait(). One at a time. Ends with the socket.
//
// Nothing here needs the library of C++, which such a program may not have.
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

// Where the kernel has our parts from (proc(5), prctl(2)).
prctl_mm_map parts{};

// Of the request that `request` holds. The fields of a list follow each other there.
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

// False at the end.
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

// False where the kernel does not let us say where our parts are.
bool read_parts() {
  char text[2048];
  const int file = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  const ssize_t length = file < 0 ? -1 : ::read(file, text, sizeof text - 1);
  if (file >= 0) ::close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  // The second field is a name in brackets, and may hold anything.
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

// Others read our words in /proc: a hook of git's looks who asks it.
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

// Called in the place of the program's main(), and returns as it in each process that it became.
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
    // Whoever removes or unmounts the directory finds nobody in it.
    if (::chdir("/") != 0) std::_Exit(1);
    reply(socket, child);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    reply(socket, status);
  }
  std::_Exit(0);
}

}  // namespace

// glibc's, which a program's start calls with its main().
extern "C" [[gnu::visibility("default")]] int __libc_start_main(Main main, int argc, char** argv,
                                                                void (*init)(), void (*fini)(),
                                                                void (*rtld_fini)(),
                                                                void* stack_end) {
  using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start_main = reinterpret_cast<StartMain>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main = main;
  return start_main(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
