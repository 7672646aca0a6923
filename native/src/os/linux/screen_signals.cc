#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

#include "os/signals.h"

namespace resident {

Result<ScreenSignals> ScreenSignals::make() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT}) {
    sigaddset(&signals, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  UniqueFd fd(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!fd.valid()) return error_from_errno(errno, "signalfd");
  return ScreenSignals(std::move(fd));
}

std::optional<ScreenSignals::Signal> ScreenSignals::next() {
  signalfd_siginfo signal{};
  if (::read(fd_.get(), &signal, sizeof signal) != sizeof signal) return std::nullopt;
  switch (signal.ssi_signo) {
    case SIGWINCH:
      return Signal::kResized;
    case SIGTSTP:
      return Signal::kStop;
    case SIGCONT:
      return Signal::kContinued;
    default:
      return Signal::kEnd;
  }
}

void ScreenSignals::stop_here() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  ::raise(SIGTSTP);
  ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);
  ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace resident
