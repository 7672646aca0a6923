// Paths and JavaScript strings (base/repo_path.h says how they correspond).
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

Napi::Value path_to_js(Napi::Env env, std::string_view path);
Napi::Value paths_to_js(Napi::Env env, const std::vector<std::string>& paths);

// nullopt where `value` is no path (or no array of paths); a TypeError that starts with `what` is
// then thrown. Also where `value` is empty, for want of an environment that runs JavaScript.
std::optional<std::string> path_from_js(Napi::Value value, const std::string& what);
std::optional<std::vector<std::string>> paths_from_js(Napi::Value value, const std::string& what);

}  // namespace resident
