// WorktreeObject: the JavaScript class Worktree (native.d.ts) over a WorktreeSession.
//
// Threads: the JavaScript thread.
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <vector>

#include "napi/environment.h"

namespace resident {

class WorktreeObject final : public Napi::ObjectWrap<WorktreeObject> {
 public:
  static Napi::Function define(Napi::Env env);

  // openWorktree(path, options, onDeltas, onGone)
  static Napi::Value open(const Napi::CallbackInfo& info);

  explicit WorktreeObject(const Napi::CallbackInfo& info);
  ~WorktreeObject() override;

  // Events of the session.
  void deltas_wait(Napi::Env env);
  void gone(Napi::Env env, const std::string& message);
  // The session has ended.
  void closed(Napi::Env env);
  // The Environment is ending. No question is possible any more.
  void environment_stopped();

 private:
  enum class State { kOpening, kOpen, kClosing, kClosed };

  Napi::Value identity(const Napi::CallbackInfo& info);
  Napi::Value take_delta(const Napi::CallbackInfo& info);
  Napi::Value rescan(const Napi::CallbackInfo& info);
  Napi::Value status(const Napi::CallbackInfo& info);
  Napi::Value ignored(const Napi::CallbackInfo& info);
  Napi::Value content(const Napi::CallbackInfo& info);
  Napi::Value explain(const Napi::CallbackInfo& info);
  void metadata_changed(const Napi::CallbackInfo& info);
  void configure(const Napi::CallbackInfo& info);
  void replay(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  // The end of open(): settles its promise, then lets events through.
  void opened(Napi::Env env, Environment::Ticket ticket,
              const Result<Resident::Identity>& identity);
  void begin_close();

  // Asks `question` and settles a promise with the answer after `to_js`.
  template <typename T, typename Question, typename ToJs>
  Napi::Value ask(Napi::Env env, Question question, ToJs to_js);
  Environment::Call new_call(Napi::Env env);

  Environment* environment_;  // nullptr after the Environment stopped
  Environment::WorktreeId id_ = 0;
  std::shared_ptr<WorktreeSession> session_;
  State state_ = State::kOpening;
  Resident::Identity identity_;
  // Events that arrived before the promise of open() was resolved.
  bool deltas_waited_ = false;
  std::optional<std::string> gone_before_open_;
  std::vector<Environment::Ticket> closers_;
};

}  // namespace resident
