// The addon's exports; native.d.ts declares them.
#include <napi.h>

#include "napi/environment.h"
#include "napi/worktree_object.h"

namespace resident {
namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  if (!Environment::create(env)) return exports;
  exports.Set("version", RESIDENT_VERSION);
  exports.Set("openWorktree", Napi::Function::New<WorktreeObject::open>(env, "openWorktree"));
  return exports;
}

}  // namespace
}  // namespace resident

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) {
  return resident::init(env, exports);
}
NODE_API_MODULE(resident_git, init_addon)
