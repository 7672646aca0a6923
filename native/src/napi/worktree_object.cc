#include "napi/worktree_object.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "explain/explanation_json.h"
#include "napi/js_delta.h"
#include "napi/js_error.h"
#include "napi/js_path.h"

namespace resident {
namespace {

// The flag that `signal` (an AbortSignal or undefined) sets. Returns nullptr with a pending
// exception.
WorktreeSession::Cancelled cancelled_by(Napi::Env env, Napi::Value signal) {
  auto cancelled = std::make_shared<std::atomic<bool>>(false);
  if (signal.IsUndefined()) return cancelled;
  const Napi::Object object =
      signal.IsObject() ? signal.As<Napi::Object>() : Napi::Object::New(env);
  const Napi::Value aborted = object.Get("aborted");
  const Napi::Value add_listener = object.Get("addEventListener");
  if (!aborted.IsBoolean() || !add_listener.IsFunction()) {
    if (!env.IsExceptionPending()) throw_type_error(env, "rescan: signal must be an AbortSignal");
    return nullptr;
  }
  *cancelled = aborted.As<Napi::Boolean>();
  const auto on_abort = [cancelled](const Napi::CallbackInfo&) { *cancelled = true; };
  add_listener.As<Napi::Function>().Call(
      object, {Napi::String::New(env, "abort"), Napi::Function::New(env, on_abort)});
  return env.IsExceptionPending() ? nullptr : cancelled;
}

// Converts minutes. A value that is no duration becomes 0.
std::chrono::milliseconds sweep_from_js(const Napi::Value& value) {
  constexpr double kMax = 7 * 24 * 60;
  const double minutes = value.As<Napi::Number>().DoubleValue();
  if (!(minutes > 0)) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(static_cast<int64_t>(std::min(minutes, kMax) * 60'000));
}

// Returns nullopt with a pending exception.
std::optional<Resident::Configuration> configuration_from_js(Napi::Env env,
                                                             const Napi::Value& value) {
  if (!value.IsObject()) {
    throw_type_error(env, "configuration: not an object");
    return std::nullopt;
  }
  const Napi::Object object = value.As<Napi::Object>();
  const Napi::Value visible = object.Get("visible");
  const Napi::Value open_files = object.Get("openFiles");
  const Napi::Value details = object.Get("details");
  const Napi::Value sweep = object.Get("sweepMinutes");
  if (env.IsExceptionPending()) return std::nullopt;
  if (!visible.IsBoolean() || !details.IsBoolean() || !sweep.IsNumber()) {
    throw_type_error(env,
                     "configuration: visible and details are booleans, sweepMinutes is a number");
    return std::nullopt;
  }
  std::optional<std::vector<std::string>> paths =
      paths_from_js(open_files, "configuration: openFiles");
  if (!paths) return std::nullopt;
  return Resident::Configuration{.visible = visible.As<Napi::Boolean>(),
                                 .open_files = std::move(*paths),
                                 .details = details.As<Napi::Boolean>(),
                                 .sweep = sweep_from_js(sweep)};
}

std::optional<Resident::Options> options_from_js(Napi::Env env, Napi::Value value) {
  if (!value.IsObject()) {
    throw_type_error(env, "openWorktree: options must be an object");
    return std::nullopt;
  }
  const Napi::Object object = value.As<Napi::Object>();
  const Napi::Value trusted = object.Get("trusted");
  const Napi::Value listen = object.Get("listen");
  const Napi::Value threads = object.Get("threads");
  const Napi::Value configuration = object.Get("configuration");
  if (env.IsExceptionPending()) return std::nullopt;
  if (!trusted.IsBoolean()) {
    throw_type_error(env, "openWorktree: options.trusted must be a boolean");
    return std::nullopt;
  }
  Resident::Options options;
  options.trusted = trusted.As<Napi::Boolean>();
  // Changes arrive promptly if inotify works. The helper's own watcher covers all other cases.
  options.watch_metadata = true;
  if (listen.IsBoolean()) options.listen = listen.As<Napi::Boolean>();
  if (threads.IsNumber()) options.threads = threads.As<Napi::Number>().Uint32Value();
  if (configuration.IsUndefined()) return options;
  std::optional<Resident::Configuration> configured = configuration_from_js(env, configuration);
  if (!configured) return std::nullopt;
  options.configuration = std::move(*configured);
  return options;
}

std::optional<Resident::Source> source_from_js(Napi::Value value) {
  if (!value.IsString()) return std::nullopt;
  const std::string name = value.As<Napi::String>();
  if (name == "HEAD") return Resident::Source::kHead;
  if (name == "index") return Resident::Source::kIndex;
  if (name == "stage1") return Resident::Source::kStage1;
  if (name == "stage2") return Resident::Source::kStage2;
  if (name == "stage3") return Resident::Source::kStage3;
  return std::nullopt;
}

Napi::Value progress_to_js(Napi::Env env, const Resident::RescanProgress& progress) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("filesSeen", Napi::Number::New(env, static_cast<double>(progress.files_seen)));
  result.Set("filesExpected", Napi::Number::New(env, static_cast<double>(progress.files_expected)));
  return result;
}

Napi::Value rescan_result_to_js(Napi::Env env, const Resident::RescanResult& rescan) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("filesSeen", Napi::Number::New(env, static_cast<double>(rescan.files_seen)));
  result.Set("milliseconds", Napi::Number::New(env, rescan.milliseconds));
  return result;
}

Napi::Value flags_to_js(Napi::Env env, const std::vector<bool>& flags) {
  Napi::Array result = Napi::Array::New(env, flags.size());
  for (size_t i = 0; i < flags.size(); ++i) result.Set(static_cast<uint32_t>(i), bool{flags[i]});
  return result;
}

Napi::Value content_to_js(Napi::Env env, const std::optional<std::string>& content) {
  if (!content) return env.Undefined();
  return Napi::Buffer<char>::Copy(env, content->data(), content->size());
}

// Answers as JSON. The JSON is created in the turn that answers.
void explain_as_json(Resident& resident, std::string path, Resident::Done<std::string> done) {
  resident.explain(std::move(path), [done = std::move(done)](const Result<Explanation>& answer) {
    done(answer.ok() ? Result<std::string>(explanation_json(*answer)) : answer.error());
  });
}

Napi::Value json_to_js(Napi::Env env, const std::string& json) {
  return path_to_js(env, json);
}

}  // namespace

Napi::Function WorktreeObject::define(Napi::Env env) {
  return DefineClass(env, "Worktree",
                     {
                         InstanceAccessor<&WorktreeObject::identity>("identity"),
                         InstanceMethod<&WorktreeObject::take_delta>("takeDelta"),
                         InstanceMethod<&WorktreeObject::rescan>("rescan"),
                         InstanceMethod<&WorktreeObject::status>("status"),
                         InstanceMethod<&WorktreeObject::ignored>("ignored"),
                         InstanceMethod<&WorktreeObject::content>("content"),
                         InstanceMethod<&WorktreeObject::explain>("explain"),
                         InstanceMethod<&WorktreeObject::metadata_changed>("metadataChanged"),
                         InstanceMethod<&WorktreeObject::configure>("configure"),
                         InstanceMethod<&WorktreeObject::replay>("replay"),
                         InstanceMethod<&WorktreeObject::close>("close"),
                     });
}

WorktreeObject::WorktreeObject(const Napi::CallbackInfo& info)
    : ObjectWrap(info), environment_(&Environment::of(info.Env())) {
  session_ = environment_->register_worktree(this, &id_);
  if (!session_) {
    environment_ = nullptr;
    throw_type_error(info.Env(), "a Worktree comes from openWorktree()");
  }
}

WorktreeObject::~WorktreeObject() {
  if (environment_ != nullptr) environment_->forget_object(id_);
}

Napi::Value WorktreeObject::open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::optional<std::string> path = path_from_js(info[0], "openWorktree: path");
  if (!path) return {};
  const std::optional<Resident::Options> options = options_from_js(env, info[1]);
  if (!options) return {};
  if (!info[2].IsFunction() || !info[3].IsFunction()) {
    throw_type_error(env, "openWorktree: onDeltas and onGone must be functions");
    return {};
  }
  Environment& environment = Environment::of(env);
  if (environment.stopped()) return JsPromise::rejected(env, closed_error(env));

  const Napi::Object object = environment.new_worktree(env);
  if (object.IsEmpty()) return {};
  WorktreeObject* self = Unwrap(object);
  if (self == nullptr) return {};
  Napi::Object listeners = Napi::Object::New(env);
  listeners.Set("onDeltas", info[2]);
  listeners.Set("onGone", info[3]);
  environment.set_listeners(object, listeners);
  if (env.IsExceptionPending()) return {};

  Environment::Call call = self->new_call(env);
  const Napi::Value promise = call.promise.value();
  const Environment::Ticket ticket = environment.begin_call(env, std::move(call));
  // The call protects `self` from collection until the call has ended.
  self->session_->open(
      std::move(*path), *options,
      [&environment, self, ticket](Result<Resident::Identity> identity) {
        environment.js_thread().post([self, ticket, identity](Napi::Env posted_env) {
          self->opened(posted_env, ticket, identity);
        });
      });
  return promise;
}

void WorktreeObject::opened(Napi::Env env, Environment::Ticket ticket,
                            const Result<Resident::Identity>& identity) {
  if (environment_ == nullptr) return;
  const std::unique_ptr<Environment::Call> call = environment_->end_call(env, ticket);
  if (!call) return;
  if (!identity.ok()) {
    begin_close();
    call->promise.reject(error_to_js(env, identity.error()));
    return;
  }
  identity_ = *identity;
  state_ = State::kOpen;
  call->promise.resolve(call->worktree.Value());
  // Separate tasks: code that awaits the promise gets the Worktree before its events.
  environment_->post_events(id_, std::exchange(deltas_waited_, false),
                            std::exchange(gone_before_open_, std::nullopt));
}

void WorktreeObject::deltas_wait(Napi::Env env) {
  deltas_waited_ = state_ == State::kOpening;
  const Napi::Object self = Value();
  if (state_ != State::kOpen || self.IsEmpty()) return;
  call_listener(env, environment_->listener(self, "onDeltas"), {});
}

void WorktreeObject::gone(Napi::Env env, const std::string& message) {
  if (state_ == State::kOpening) gone_before_open_ = message;
  const Napi::Object self = Value();
  if (state_ != State::kOpen || self.IsEmpty()) return;
  call_listener(env, environment_->listener(self, "onGone"), {path_to_js(env, message)});
}

Environment::Call WorktreeObject::new_call(Napi::Env env) {
  return {JsPromise(env), Napi::Persistent(Value()), {}};
}

template <typename T, typename Question, typename ToJs>
Napi::Value WorktreeObject::ask(Napi::Env env, Question question, ToJs to_js) {
  if (state_ != State::kOpen) return JsPromise::rejected(env, closed_error(env));
  Environment::Call call = new_call(env);
  const Napi::Value promise = call.promise.value();
  const Environment::Ticket ticket = environment_->begin_call(env, std::move(call));
  Environment* environment = environment_;
  session_->ask<T>(std::move(question), [environment, ticket, to_js](Result<T> answer) {
    environment->settle(ticket, std::move(answer), to_js);
  });
  return promise;
}

Napi::Value WorktreeObject::identity(const Napi::CallbackInfo& info) {
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("root", path_to_js(info.Env(), identity_.root));
  result.Set("gitDir", path_to_js(info.Env(), identity_.git_dir));
  result.Set("commonDir", path_to_js(info.Env(), identity_.common_dir));
  return result;
}

Napi::Value WorktreeObject::take_delta(const Napi::CallbackInfo& info) {
  if (state_ != State::kOpen) return info.Env().Undefined();
  const std::optional<DeltaChunk> chunk = session_->mailbox().take();
  return chunk ? delta_to_js(info.Env(), *chunk) : info.Env().Undefined();
}

Napi::Value WorktreeObject::rescan(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Value on_progress = env.Undefined();
  Napi::Value signal = env.Undefined();
  if (info[0].IsObject()) {
    on_progress = info[0].As<Napi::Object>().Get("onProgress");
    signal = info[0].As<Napi::Object>().Get("signal");
    if (env.IsExceptionPending()) return {};
  } else if (!info[0].IsUndefined()) {
    throw_type_error(env, "rescan: options must be an object");
    return {};
  }
  if (!on_progress.IsUndefined() && !on_progress.IsFunction()) {
    throw_type_error(env, "rescan: onProgress must be a function");
    return {};
  }
  const WorktreeSession::Cancelled cancelled = cancelled_by(env, signal);
  if (!cancelled) return {};
  if (state_ != State::kOpen) return JsPromise::rejected(env, closed_error(env));

  Environment::Call call = new_call(env);
  const Napi::Value promise = call.promise.value();
  if (on_progress.IsFunction())
    call.on_progress = Napi::Persistent(on_progress.As<Napi::Function>());
  const Environment::Ticket ticket = environment_->begin_call(env, std::move(call));
  Environment* environment = environment_;
  session_->rescan(
      [environment, ticket](const Resident::RescanProgress& progress) {
        environment->js_thread().post([environment, ticket, progress](Napi::Env posted_env) {
          environment->report_progress(posted_env, ticket, progress_to_js(posted_env, progress));
        });
      },
      cancelled,
      [environment, ticket](Result<Resident::RescanResult> result) {
        environment->settle(ticket, std::move(result), rescan_result_to_js);
      });
  return promise;
}

Napi::Value WorktreeObject::status(const Napi::CallbackInfo& info) {
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  return ask<StatusResult>(
      info.Env(),
      [query](Resident& resident, auto done) { resident.status(query, std::move(done)); },
      status_to_js);
}

Napi::Value WorktreeObject::ignored(const Napi::CallbackInfo& info) {
  std::optional<std::vector<std::string>> paths = paths_from_js(info[0], "ignored: paths");
  if (!paths) return {};
  return ask<std::vector<bool>>(
      info.Env(),
      [paths = std::move(*paths)](Resident& resident, auto done) { resident.ignored(paths, done); },
      flags_to_js);
}

Napi::Value WorktreeObject::content(const Napi::CallbackInfo& info) {
  std::optional<std::string> path = path_from_js(info[0], "content: path");
  if (!path) return {};
  const std::optional<Resident::Source> source = source_from_js(info[1]);
  if (!source) {
    throw_type_error(info.Env(), "content: source must be HEAD, index, stage1, stage2 or stage3");
    return {};
  }
  return ask<std::optional<std::string>>(
      info.Env(),
      [path = std::move(*path), source = *source](Resident& resident, auto done) {
        resident.content(path, source, done);
      },
      content_to_js);
}

Napi::Value WorktreeObject::explain(const Napi::CallbackInfo& info) {
  std::optional<std::string> path = path_from_js(info[0], "explain: path");
  if (!path) return {};
  return ask<std::string>(
      info.Env(),
      [path = std::move(*path)](Resident& resident, auto done) {
        explain_as_json(resident, path, done);
      },
      json_to_js);
}

void WorktreeObject::metadata_changed(const Napi::CallbackInfo& info) {
  if (state_ != State::kOpen) return throw_error(info.Env(), closed_error(info.Env()));
  session_->metadata_changed();
}

void WorktreeObject::configure(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::optional<Resident::Configuration> configuration = configuration_from_js(env, info[0]);
  if (!configuration) return;
  if (state_ != State::kOpen) return throw_error(env, closed_error(env));
  session_->configure(std::move(*configuration));
}

void WorktreeObject::replay(const Napi::CallbackInfo& info) {
  if (state_ != State::kOpen) return throw_error(info.Env(), closed_error(info.Env()));
  session_->replay();
}

Napi::Value WorktreeObject::close(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Environment::Call call = new_call(env);
  const Napi::Value promise = call.promise.value();
  if (state_ == State::kClosed) {
    call.promise.resolve(env.Undefined());
    return promise;
  }
  closers_.push_back(environment_->begin_call(env, std::move(call)));
  begin_close();
  return promise;
}

void WorktreeObject::begin_close() {
  if (state_ == State::kClosing || state_ == State::kClosed) return;
  state_ = State::kClosing;
  environment_->close_worktree(id_);
}

void WorktreeObject::closed(Napi::Env env) {
  state_ = State::kClosed;
  for (const Environment::Ticket ticket : std::exchange(closers_, {})) {
    if (const auto call = environment_->end_call(env, ticket)) {
      call->promise.resolve(env.Undefined());
    }
  }
}

void WorktreeObject::environment_stopped() {
  state_ = State::kClosed;
  environment_ = nullptr;
}

}  // namespace resident
