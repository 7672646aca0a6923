// Writes JSON: JsonMembers writes names, commas and brackets, two functions write strings.
//
// Threads: owner only.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace resident {

// Appends a quoted string, or an object with its base64: {"base64":"…"}, if the bytes are not
// UTF-8.
void append_json_text(std::string& out, std::string_view bytes);
// Appends a quoted string in plain ASCII. A byte that is not UTF-8 becomes an escaped lone
// surrogate (base/repo_path.h).
void append_json_ascii(std::string& out, std::string_view bytes);

// The members of an object, or the elements of a list. The constructor writes the first bracket,
// the destructor the last one. Append a value to the result of next() before the next call.
class JsonMembers {
 public:
  enum class Kind : char { kObject = '{', kList = '[' };

  // `out` must outlive the members.
  explicit JsonMembers(std::string& out, Kind kind = Kind::kObject) : out_(out), kind_(kind) {
    out_ += static_cast<char>(kind);
  }
  ~JsonMembers() { out_ += kind_ == Kind::kObject ? '}' : ']'; }
  JsonMembers(const JsonMembers&) = delete;
  JsonMembers& operator=(const JsonMembers&) = delete;

  // Begins the next element of a list.
  std::string& next() {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    return out_;
  }
  // Begins the next member of an object. `name` is plain ASCII.
  std::string& next(std::string_view name) {
    return next().append("\"").append(name).append("\":");
  }
  void text(std::string_view name, std::string_view value) { append_json_text(next(name), value); }
  void flag(std::string_view name, bool value) { next(name) += value ? "true" : "false"; }
  template <std::integral Number>
  void number(std::string_view name, Number value) {
    next(name) += std::to_string(value);
  }
  void none(std::string_view name) { next(name) += "null"; }

 private:
  std::string& out_;
  const Kind kind_;
  bool is_first_ = true;
};

}  // namespace resident
