// SharedMutex: a mutex for one exclusive holder or many sharers.
//
// Writers are preferred: a stream of sharers cannot starve an exclusive request. A thread must not
// lock it twice.
#pragma once

#include <pthread.h>

#include <mutex>

#include "base/thread_annotations.h"

namespace resident {

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

}  // namespace resident
