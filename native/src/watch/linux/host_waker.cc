#include "watch/linux/host_waker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <limits>
#include <utility>

#include "base/process_wide.h"
#include "os/threads.h"
#include "watch/linux/mount_table.h"

namespace resident {

namespace {

// Makes a timer descriptor that only reports changes of the wall clock, as after a resume.
UniqueFd clock_was_set() {
  UniqueFd timer(::timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC));
  itimerspec never{};
  never.it_value.tv_sec = std::numeric_limits<time_t>::max();
  if (timer.valid() && ::timerfd_settime(timer.get(), TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
                                         &never, nullptr) != 0) {
    timer.reset();
  }
  return timer;
}

}  // namespace

Result<std::shared_ptr<HostWaker>> HostWaker::of_process() {
  return process_wide<HostWaker>([] { return make(); });
}

Result<std::shared_ptr<HostWaker>> HostWaker::make() {
  UniqueFd stop(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!stop.valid()) return error_from_errno(errno, "eventfd");
  // A separate open file: a poll consumes the change for all users of the same open file.
  RESIDENT_TRY(UniqueFd mounts, open_mount_table());
  std::shared_ptr<HostWaker> made(
      new HostWaker(std::move(stop), std::move(mounts), clock_was_set()));
  RESIDENT_TRY(made->thread_, start_thread([waker = made.get()] { waker->run(); }));
  return made;
}

HostWaker::HostWaker(UniqueFd stop, UniqueFd mounts, UniqueFd clock)
    : stop_(std::move(stop)), mounts_(std::move(mounts)), clock_(std::move(clock)) {
}

HostWaker::~HostWaker() {
  uint64_t one = 1;
  // A write of 1 to an eventfd fails only at its maximum.
  (void)!::write(stop_.get(), &one, sizeof one);
  if (thread_.joinable()) thread_.join();
}

uint64_t HostWaker::add(std::function<void()> wake) {
  MutexLock lock(mutex_);
  wakes_.emplace(++last_number_, std::move(wake));
  return last_number_;
}

void HostWaker::remove(uint64_t number) {
  MutexLock lock(mutex_);
  wakes_.erase(number);
}

void HostWaker::run() {
  std::array<pollfd, 3> fds{
      {{stop_.get(), POLLIN, 0}, {mounts_.get(), POLLPRI, 0}, {clock_.get(), POLLIN, 0}}};
  for (;;) {
    const int ready = ::poll(fds.data(), fds.size(), -1);
    if (ready < 0 && errno != EINTR) return;
    if (ready <= 0) continue;
    if (fds[0].revents != 0) return;
    // Reads the cancellation, which is the timer's only event.
    uint64_t expirations = 0;
    if (fds[2].revents != 0 && ::read(clock_.get(), &expirations, sizeof expirations) >= 0) {
      fds[2].fd = -1;
    }
    MutexLock lock(mutex_);
    for (const auto& [number, wake] : wakes_) wake();
  }
}

}  // namespace resident
