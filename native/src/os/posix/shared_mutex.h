// SharedMutex by pthread_rwlock_t: see os/shared_mutex.h.
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

}  // namespace resident
