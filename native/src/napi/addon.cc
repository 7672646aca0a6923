// The addon's exports; native.d.ts declares them.
#include <napi.h>

#include "fs/linux/posix_file_system.h"
#include "napi/discovery.h"
#include "napi/environment.h"
#include "napi/js_path.h"
#include "napi/worktree_object.h"

namespace resident {
namespace {

Napi::Value discovery_to_js(Napi::Env env, const Discovery& discovery) {
  Napi::Array problems = Napi::Array::New(env, discovery.problems.size());
  for (size_t i = 0; i < discovery.problems.size(); ++i) {
    Napi::Object problem = Napi::Object::New(env);
    problem.Set("path", path_to_js(env, discovery.problems[i].path));
    problem.Set("message", path_to_js(env, discovery.problems[i].message));
    problems.Set(static_cast<uint32_t>(i), problem);
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("roots", paths_to_js(env, discovery.roots));
  result.Set("problems", problems);
  return result;
}

// discover(path, depth)
Napi::Value discover(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::optional<std::string> path = path_from_js(info[0], "discover: path");
  if (!path) return {};
  if (!info[1].IsNumber()) {
    throw_type_error(env, "discover: depth must be a number");
    return {};
  }
  const int depth = info[1].As<Napi::Number>().Int32Value();
  Environment& environment = Environment::of(env);
  if (environment.stopped()) return JsPromise::rejected(env, closed_error(env));

  const JsPromise promise(env);
  const Napi::Value value = promise.value();
  const Environment::Ticket ticket = environment.begin_call(env, {promise, {}, {}});
  environment.questions().post([&environment, ticket, path = std::move(*path), depth] {
    if (environment.stopped()) return;
    Result<Discovery> found = discover_worktrees(posix_file_system(), path, depth);
    environment.settle(ticket, std::move(found), discovery_to_js);
  });
  return value;
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  if (!Environment::create(env)) return exports;
  exports.Set("version", RESIDENT_VERSION);
  exports.Set("discover", Napi::Function::New<discover>(env, "discover"));
  exports.Set("openWorktree", Napi::Function::New<WorktreeObject::open>(env, "openWorktree"));
  return exports;
}

}  // namespace
}  // namespace resident

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) {
  return resident::init(env, exports);
}
NODE_API_MODULE(resident_git, init_addon)
