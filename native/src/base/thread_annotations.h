// Clang's thread safety annotations (-Wthread-safety), empty for other compilers, and the mutex
// types that carry them. Fields say which mutex protects them: `int count GUARDED_BY(mutex_);`.
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
  // Tries for a few microseconds before it sleeps: for a mutex that many want and each holds for
  // less than that.
  struct Spinning {};
  MutexLock(Mutex& mutex, Spinning) ACQUIRE(mutex) : lock_(mutex.native(), std::try_to_lock) {
    constexpr int kTries = 2000;
    for (int i = 0; i < kTries && !lock_.owns_lock(); ++i) (void)lock_.try_lock();
    if (!lock_.owns_lock()) lock_.lock();
  }
  ~MutexLock() RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // Lets go of it for a while.
  void unlock() RELEASE() { lock_.unlock(); }
  void lock() ACQUIRE() { lock_.lock(); }

  std::unique_lock<std::mutex>& native() { return lock_; }

 private:
  std::unique_lock<std::mutex> lock_;
};

// Held by one, or shared by many. Who wants it alone is not kept waiting by sharers that follow one
// another; a thread must not take it twice.
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
  // musl's own prefers those who share it: here both come in by one gate, which whoever wants it
  // alone keeps closed while waiting.
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

// A condition variable over Mutex. As with std::condition_variable, wait in a loop that tests the
// condition.
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
