#include "napi/js_path.h"

#include <utility>

#include "base/repo_path.h"
#include "napi/js_error.h"

namespace resident {

Napi::Value path_to_js(Napi::Env env, std::string_view path) {
  napi_value result = nullptr;
  if (is_ascii(path)) {
    // V8 stores this with one byte per character. UTF-16 needs two.
    napi_create_string_latin1(env, path.data(), path.size(), &result);
  } else {
    const std::u16string text = repo_path_to_utf16(path);
    napi_create_string_utf16(env, text.data(), text.size(), &result);
  }
  return {env, result};
}

Napi::Value paths_to_js(Napi::Env env, const std::vector<std::string>& paths) {
  Napi::Array result = Napi::Array::New(env, paths.size());
  for (size_t i = 0; i < paths.size(); ++i) {
    result.Set(static_cast<uint32_t>(i), path_to_js(env, paths[i]));
  }
  return result;
}

std::optional<std::string> path_from_js(Napi::Value value, const std::string& what) {
  if (value.IsEmpty()) return std::nullopt;
  if (!value.IsString()) {
    throw_type_error(value.Env(), what + " must be a string");
    return std::nullopt;
  }
  Result<std::string> path = repo_path_from_utf16(value.As<Napi::String>().Utf16Value());
  if (!path.ok()) {
    throw_type_error(value.Env(), what + ": " + path.error().message);
    return std::nullopt;
  }
  return std::move(path).value();
}

std::optional<std::vector<std::string>> paths_from_js(Napi::Value value, const std::string& what) {
  if (!value.IsArray()) {
    throw_type_error(value.Env(), what + " must be an array of strings");
    return std::nullopt;
  }
  const Napi::Array array = value.As<Napi::Array>();
  std::vector<std::string> paths;
  paths.reserve(array.Length());
  for (uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::HandleScope scope(value.Env());
    const Napi::Value item = array.Get(i);
    // A getter in the array may have thrown.
    if (value.Env().IsExceptionPending()) return std::nullopt;
    std::optional<std::string> path = path_from_js(item, what + "[" + std::to_string(i) + "]");
    if (!path) return std::nullopt;
    paths.push_back(std::move(*path));
  }
  return paths;
}

}  // namespace resident
