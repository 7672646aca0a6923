#include "os/signals.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

namespace resident {

namespace {

sigset_t end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

void block_end_signals() {
  const sigset_t signals = end_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void wait_for_end_signal() {
  const sigset_t signals = end_signals();
  int signal = 0;
  ::sigwait(&signals, &signal);
}

void request_end() {
  ::kill(::getpid(), SIGTERM);
}

void exit_after(std::chrono::seconds limit) {
  struct sigaction action = {};
  action.sa_handler = [](int) { ::_exit(1); };
  ::sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  ::sigprocmask(SIG_UNBLOCK, &alarm, nullptr);
  itimerval timer{};
  timer.it_value.tv_sec = limit.count();
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace resident
