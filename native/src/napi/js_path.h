// Converts paths to JavaScript strings and back. base/repo_path.h defines the mapping.
#pragma once

#include <napi.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace resident {

Napi::Value path_to_js(Napi::Env env, std::string_view path);
Napi::Value paths_to_js(Napi::Env env, const std::vector<std::string>& paths);

// Returns nullopt and throws a TypeError that starts with `what` if `value` is no path (or no array
// of paths). Also returns nullopt for an empty `value`: the environment can run no JavaScript any
// more.
std::optional<std::string> path_from_js(Napi::Value value, const std::string& what);
std::optional<std::vector<std::string>> paths_from_js(Napi::Value value, const std::string& what);

}  // namespace resident
