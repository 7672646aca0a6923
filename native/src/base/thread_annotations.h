// Clang's thread safety annotations (-Wthread-safety), and the mutex types that carry them. The
// annotations are empty for other compilers. A field names the mutex that protects it: `int count
// GUARDED_BY(mutex_);`.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define RESIDENT_ANNOTATION(x) __attribute__((x))
#else
#define RESIDENT_ANNOTATION(x)
#endif

#define CAPABILITY(x) RESIDENT_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY RESIDENT_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) RESIDENT_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) RESIDENT_ANNOTATION(pt_guarded_by(x))
#define ACQUIRE_SHARED(...) RESIDENT_ANNOTATION(acquire_shared_capability(__VA_ARGS__))
#define REQUIRES(...) RESIDENT_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) RESIDENT_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) RESIDENT_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) RESIDENT_ANNOTATION(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS RESIDENT_ANNOTATION(no_thread_safety_analysis)

namespace resident {

class CAPABILITY("mutex") Mutex {
 public:
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  std::mutex& native() { return mutex_; }

 private:
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.native()) {}
  // Spins for some microseconds before it sleeps. Use it for a contended mutex that each thread
  // holds for less time than that.
  struct Spinning {};
  MutexLock(Mutex& mutex, Spinning) ACQUIRE(mutex) : lock_(mutex.native(), std::try_to_lock) {
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries && !lock_.owns_lock(); ++i) (void)lock_.try_lock();
    if (!lock_.owns_lock()) lock_.lock();
  }
  ~MutexLock() RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // Releases the mutex for a while; lock() takes it again.
  void unlock() RELEASE() { lock_.unlock(); }
  void lock() ACQUIRE() { lock_.lock(); }

  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

// A condition variable for Mutex. Wait in a loop that tests the condition, like with
// std::condition_variable.
class ConditionVariable {
 public:
  void wait(MutexLock& lock) { condition_.wait(lock.native()); }
  template <typename Rep, typename Period>
  std::cv_status wait_for(MutexLock& lock, std::chrono::duration<Rep, Period> duration) {
    return condition_.wait_for(lock.native(), duration);
  }
  template <typename Clock, typename Duration>
  std::cv_status wait_until(MutexLock& lock, std::chrono::time_point<Clock, Duration> when) {
    return condition_.wait_until(lock.native(), when);
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace resident
