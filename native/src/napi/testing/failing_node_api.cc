// Simulates Node-API during the termination of a worker, at a moment that the test chooses. The
// linker's --wrap links it into the fake addon. Functions that can run JavaScript fail after a
// number of calls. RESIDENT_NODE_API_FAILS_AFTER sets the first failing call. A real termination
// comes between any two calls, but a test cannot choose which.
#include <node_api.h>

#include <atomic>
#include <cstdlib>

namespace {

bool fails() {
  static const char* const setting = std::getenv("RESIDENT_NODE_API_FAILS_AFTER");
  static std::atomic<long> calls_left = setting != nullptr ? std::atol(setting) : 0;
  return setting != nullptr && calls_left-- <= 0;
}

}  // namespace

// Names and parameters are those of js_native_api.h and node_api.h. CMakeLists.txt has the same
// list.
#define RESIDENT_WRAP(name, parameters, arguments)                     \
  extern "C" napi_status __real_##name parameters;                     \
  extern "C" napi_status __wrap_##name parameters;                     \
  extern "C" napi_status __wrap_##name parameters {                    \
    return fails() ? napi_pending_exception : __real_##name arguments; \
  }

RESIDENT_WRAP(napi_call_function,
              (napi_env e, napi_value self, napi_value f, size_t n, const napi_value* a,
               napi_value* r),
              (e, self, f, n, a, r))
RESIDENT_WRAP(napi_create_buffer_copy,
              (napi_env e, size_t n, const void* data, void** copy, napi_value* r),
              (e, n, data, copy, r))
RESIDENT_WRAP(napi_create_function,
              (napi_env e, const char* name, size_t n, napi_callback f, void* data, napi_value* r),
              (e, name, n, f, data, r))
RESIDENT_WRAP(napi_create_promise, (napi_env e, napi_deferred* d, napi_value* r), (e, d, r))
RESIDENT_WRAP(napi_define_class,
              (napi_env e, const char* name, size_t n, napi_callback f, void* data, size_t count,
               const napi_property_descriptor* p, napi_value* r),
              (e, name, n, f, data, count, p, r))
RESIDENT_WRAP(napi_fatal_exception, (napi_env e, napi_value error), (e, error))
RESIDENT_WRAP(napi_get_element, (napi_env e, napi_value o, uint32_t i, napi_value* r), (e, o, i, r))
RESIDENT_WRAP(napi_get_named_property, (napi_env e, napi_value o, const char* k, napi_value* r),
              (e, o, k, r))
RESIDENT_WRAP(napi_get_property, (napi_env e, napi_value o, napi_value k, napi_value* r),
              (e, o, k, r))
RESIDENT_WRAP(napi_new_instance,
              (napi_env e, napi_value f, size_t n, const napi_value* a, napi_value* r),
              (e, f, n, a, r))
RESIDENT_WRAP(napi_reject_deferred, (napi_env e, napi_deferred d, napi_value v), (e, d, v))
RESIDENT_WRAP(napi_resolve_deferred, (napi_env e, napi_deferred d, napi_value v), (e, d, v))
RESIDENT_WRAP(napi_set_element, (napi_env e, napi_value o, uint32_t i, napi_value v), (e, o, i, v))
RESIDENT_WRAP(napi_set_named_property, (napi_env e, napi_value o, const char* k, napi_value v),
              (e, o, k, v))
RESIDENT_WRAP(napi_set_property, (napi_env e, napi_value o, napi_value k, napi_value v),
              (e, o, k, v))
RESIDENT_WRAP(napi_throw, (napi_env e, napi_value error), (e, error))
RESIDENT_WRAP(napi_unwrap, (napi_env e, napi_value o, void** r), (e, o, r))
RESIDENT_WRAP(napi_wrap,
              (napi_env e, napi_value o, void* native, napi_finalize f, void* hint, napi_ref* r),
              (e, o, native, f, hint, r))
