#include "napi/environment.h"

#include <vector>

#include "napi/worktree_object.h"

namespace resident {

bool Environment::create(Napi::Env env) {
  const Napi::Function worktree_class = WorktreeObject::define(env);
  const Napi::Value weak_map = env.Global().Get("WeakMap");
  if (worktree_class.IsEmpty() || !weak_map.IsFunction()) return false;
  const Napi::Object listeners = weak_map.As<Napi::Function>().New({});
  if (listeners.IsEmpty()) return false;
  auto environment = std::make_unique<Environment>(env, worktree_class, listeners);
  if (!environment->js_thread_.exists()) return false;
  if (const Result<void> worker = environment->questions_.ensure_worker(); !worker.ok()) {
    throw_error(env, error_to_js(env, worker.error()));
    return false;
  }

  Environment* const data = environment.release();
  env.SetInstanceData(data);
  // Added after the JsThread was created, because cleanup hooks run in reverse order.
  napi_add_env_cleanup_hook(
      env, [](void* pointer) { static_cast<Environment*>(pointer)->stop(); }, data);

  const Napi::Value process = env.Global().Get("process");
  if (!process.IsObject()) return true;
  const Napi::Value once = process.As<Napi::Object>().Get("once");
  if (!once.IsFunction()) return true;
  const auto on_exit = [](const Napi::CallbackInfo& info) { Environment::of(info.Env()).stop(); };
  once.As<Napi::Function>().Call(
      process, {Napi::String::New(env, "exit"), Napi::Function::New(env, on_exit)});
  return true;
}

Environment::Environment(Napi::Env env, Napi::Function worktree_class, Napi::Object listeners)
    : worktree_class_(Napi::Persistent(worktree_class)),
      listeners_(Napi::Persistent(listeners)),
      js_thread_(env) {
}

Environment::Ticket Environment::begin_call(Napi::Env env, Call call) {
  if (calls_.empty()) js_thread_.keep_loop_alive(env, true);
  const Ticket ticket = next_id_++;
  calls_.emplace(ticket, std::make_unique<Call>(std::move(call)));
  return ticket;
}

std::unique_ptr<Environment::Call> Environment::end_call(Napi::Env env, Ticket ticket) {
  auto node = calls_.extract(ticket);
  if (node.empty()) return nullptr;
  if (calls_.empty()) js_thread_.keep_loop_alive(env, false);
  return std::move(node.mapped());
}

void Environment::report_progress(Napi::Env env, Ticket ticket, Napi::Value progress) {
  const auto call = calls_.find(ticket);
  if (call == calls_.end() || call->second->on_progress.IsEmpty()) return;
  call_listener(env, call->second->on_progress.Value(), {progress});
}

Napi::Object Environment::new_worktree(Napi::Env) {
  constructing_ = true;
  const Napi::Object object = worktree_class_.New({});
  constructing_ = false;
  return object;
}

std::shared_ptr<WorktreeSession> Environment::register_worktree(WorktreeObject* object,
                                                                WorktreeId* id) {
  if (!constructing_) return nullptr;
  const WorktreeId new_id = *id = next_id_++;
  auto session = std::make_shared<WorktreeSession>(WorktreeSession::Events{
      .deltas_wait = [this, new_id] { post_events(new_id, true, std::nullopt); },
      .gone = [this, new_id](const std::string& message) { post_events(new_id, false, message); },
  });
  worktrees_[new_id] = {session, object};
  return session;
}

void Environment::post_events(WorktreeId id, bool deltas_wait, std::optional<std::string> gone) {
  if (deltas_wait) {
    js_thread_.post([this, id](Napi::Env env) {
      if (WorktreeObject* object = find_object(id)) object->deltas_wait(env);
    });
  }
  if (gone) {
    js_thread_.post([this, id, message = std::move(*gone)](Napi::Env env) {
      if (WorktreeObject* object = find_object(id)) object->gone(env, message);
    });
  }
}

WorktreeObject* Environment::find_object(WorktreeId id) {
  const auto found = worktrees_.find(id);
  return found == worktrees_.end() ? nullptr : found->second.object;
}

void Environment::forget_object(WorktreeId id) {
  const auto found = worktrees_.find(id);
  if (found == worktrees_.end()) return;
  found->second.object = nullptr;
  close_worktree(id);
}

void Environment::close_worktree(WorktreeId id) {
  const auto found = worktrees_.find(id);
  if (found == worktrees_.end()) return;
  found->second.session->close(
      [this, id] { js_thread_.post([this, id](Napi::Env env) { reap_worktree(env, id); }); });
}

void Environment::reap_worktree(Napi::Env env, WorktreeId id) {
  auto node = worktrees_.extract(id);
  if (node.empty()) return;
  // The last job of the session posted this call, so finish() does not wait.
  node.mapped().session->finish();
  if (node.mapped().object != nullptr) node.mapped().object->closed(env);
}

void Environment::stop() {
  if (stopped_.exchange(true)) return;
  // Closes all of them first, then waits for each.
  for (auto& [id, worktree] : worktrees_) worktree.session->close([] {});
  for (auto& [id, worktree] : worktrees_) worktree.session->finish();
  questions_.finish();
  for (auto& [id, worktree] : worktrees_) {
    if (worktree.object != nullptr) worktree.object->environment_stopped();
  }
  worktrees_.clear();
  calls_.clear();
}

void Environment::set_listeners(Napi::Object worktree, Napi::Object listeners) {
  const Napi::Object map = listeners_.Value();
  const Napi::Value set = map.Get("set");
  if (set.IsFunction()) set.As<Napi::Function>().Call(map, {worktree, listeners});
}

napi_value Environment::listener(Napi::Object worktree, const char* name) {
  const Napi::Object map = listeners_.Value();
  const Napi::Value get = map.Get("get");
  if (!get.IsFunction()) return nullptr;
  const Napi::Value found = get.As<Napi::Function>().Call(map, {worktree});
  if (!found.IsObject()) return nullptr;
  return found.As<Napi::Object>().Get(name);
}

}  // namespace resident
