#include "os/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>

namespace resident {

namespace {

epoll_event event_of(Events wanted, uint64_t key) {
  const uint32_t events =
      ((wanted & kReadable) ? EPOLLIN : 0u) | ((wanted & kWritable) ? EPOLLOUT : 0u);
  return {events, {.u64 = key}};
}

}  // namespace

Result<Wakeup> Wakeup::make() {
  UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd.valid()) return error_from_errno(errno, "eventfd");
  return Wakeup(std::move(fd));
}

void Wakeup::wake() const {
  // Fails only if the counter is at its maximum; the descriptor is readable in that case too.
  (void)::eventfd_write(fd_.get(), 1);
}

void Wakeup::clear() const {
  eventfd_t ignored;
  (void)::eventfd_read(fd_.get(), &ignored);
}

Result<EventQueue> EventQueue::make() {
  UniqueFd fd(::epoll_create1(EPOLL_CLOEXEC));
  if (!fd.valid()) return error_from_errno(errno, "epoll_create1");
  return EventQueue(std::move(fd));
}

Result<void> EventQueue::add(int fd, Events wanted, uint64_t key) {
  epoll_event event = event_of(wanted, key);
  if (::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &event) == 0) return {};
  return error_from_errno(errno, "epoll_ctl");
}

void EventQueue::change(int fd, Events wanted, uint64_t key) {
  epoll_event event = event_of(wanted, key);
  // Cannot fail for a descriptor in the queue.
  (void)::epoll_ctl(fd_.get(), EPOLL_CTL_MOD, fd, &event);
}

bool EventQueue::wait(int milliseconds, std::span<const uint64_t>& ready) {
  std::array<epoll_event, kAtOnce> events;
  const int count = ::epoll_wait(fd_.get(), events.data(), events.size(), milliseconds);
  size_t filled = 0;
  for (; count > 0 && filled < static_cast<size_t>(count); ++filled) {
    ready_[filled] = events[filled].data.u64;
  }
  ready = {ready_, filled};
  return count >= 0 || errno == EINTR;
}

}  // namespace resident
