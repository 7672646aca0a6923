// JsonObject: output of a bench program for the driver. Holds numbers, texts and lists of numbers.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"

namespace resident::bench {

class JsonObject {
 public:
  JsonObject& add(std::string_view name, int64_t value) {
    members_.number(name, value);
    return *this;
  }
  JsonObject& add(std::string_view name, std::span<const int64_t> values) {
    JsonMembers list(members_.next(name), JsonMembers::Kind::kList);
    for (const int64_t value : values) list.next() += std::to_string(value);
    return *this;
  }
  JsonObject& add(std::string_view name, std::string_view text) {
    members_.text(name, text);
    return *this;
  }
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_;
  JsonMembers members_{text_};
};

}  // namespace resident::bench
