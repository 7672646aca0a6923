// Result<T>: a value or an Error. Expected failures (a missing file, a truncated pack) are values.
// The core throws nothing on bad input. Both types are [[nodiscard]].
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace resident {

enum class ErrorCode {
  kNotFound,     // the requested thing does not exist
  kPermission,   // it exists, but must not be read
  kIo,           // another system failure
  kCorrupt,      // bytes from disk violate their format
  kUnsupported,  // a valid format or option that only git supports
  kInvalid,      // the caller's argument is wrong
  kUnsafe,       // git's safe.directory rule forbids it
  kCancelled,    // cancelled on request
  kPending,      // a program was asked and has not answered yet
};

// The failure, as a sentence for users. It names the file and the reason ("/r/.git/index: truncated
// at byte 120").
struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;
};

inline Error corrupt(std::string reason) {
  return Error{ErrorCode::kCorrupt, std::move(reason)};
}

// Maps a system call's errno to an ErrorCode.
ErrorCode error_code_from_errno(int error_number);

// Makes the Error "<path>: <strerror>" with the matching code.
Error error_from_errno(int error_number, std::string path);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }

  T& value() & { return assert(ok()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }
  Error&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace resident

// RESIDENT_TRY returns the error of `expression` from the enclosing function, or initializes
// `declaration` with the value.
#define RESIDENT_CONCAT_INNER(a, b) a##b
#define RESIDENT_CONCAT(a, b) RESIDENT_CONCAT_INNER(a, b)
#define RESIDENT_TRY_IMPL(temporary, declaration, expression) \
  auto temporary = (expression);                              \
  if (!temporary.ok()) return std::move(temporary).error();   \
  declaration = std::move(temporary).value()
#define RESIDENT_TRY(declaration, expression) \
  RESIDENT_TRY_IMPL(RESIDENT_CONCAT(try_result_, __LINE__), declaration, expression)
#define RESIDENT_CHECK(expression)                            \
  do {                                                        \
    if (auto check_result = (expression); !check_result.ok()) \
      return std::move(check_result).error();                 \
  } while (false)
