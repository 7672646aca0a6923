// Clang's thread safety annotations (-Wthread-safety), and the mutex types that carry them. The
// annotations are empty for other compilers. A field names the mutex that protects it: `int count
// GUARDED_BY(mutex_);`.
#pragma once

#include <pthread.h>

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

// A mutex for one exclusive holder or many sharers. Writers are preferred: a stream of sharers
// cannot starve an exclusive request. A thread must not lock it twice.
class CAPABILITY("mutex") SharedMutex {
 public:
#ifdef __GLIBC__
  SharedMutex() {
    pthread_rwlockattr_t kind;
    ::pthread_rwlockattr_init(&kind);
    ::pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    ::pthread_rwlock_init(&lock_, &kind);
    ::pthread_rwlockattr_destroy(&kind);
  }
  void lock() {
    ::pthread_rwlock_wrlock(&lock_);
  }
  void lock_shared() {
    ::pthread_rwlock_rdlock(&lock_);
  }
#else
  // musl's rwlock prefers sharers. Here both kinds lock `gate_` first, and a waiting writer keeps
  // it locked.
  SharedMutex() {
    ::pthread_rwlock_init(&lock_, nullptr);
  }
  void lock() {
    const std::lock_guard<std::mutex> gate(gate_);
    ::pthread_rwlock_wrlock(&lock_);
  }
  void lock_shared() {
    const std::lock_guard<std::mutex> gate(gate_);
    ::pthread_rwlock_rdlock(&lock_);
  }
#endif
  ~SharedMutex() {
    ::pthread_rwlock_destroy(&lock_);
  }
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void unlock() {
    ::pthread_rwlock_unlock(&lock_);
  }

 private:
#ifndef __GLIBC__
  std::mutex gate_;
#endif
  pthread_rwlock_t lock_;
};

class SCOPED_CAPABILITY SharedLock {
 public:
  explicit SharedLock(SharedMutex& mutex) ACQUIRE_SHARED(mutex) : mutex_(mutex) {
    mutex_.lock_shared();
  }
  ~SharedLock() RELEASE() { mutex_.unlock(); }
  SharedLock(const SharedLock&) = delete;
  SharedLock& operator=(const SharedLock&) = delete;

 private:
  SharedMutex& mutex_;
};

class SCOPED_CAPABILITY ExclusiveLock {
 public:
  explicit ExclusiveLock(SharedMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~ExclusiveLock() RELEASE() { mutex_.unlock(); }
  ExclusiveLock(const ExclusiveLock&) = delete;
  ExclusiveLock& operator=(const ExclusiveLock&) = delete;

 private:
  SharedMutex& mutex_;
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
