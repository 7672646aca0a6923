// JsonObject: output of a bench program for the driver. Holds numbers, texts and lists of numbers;
// names and texts are plain ASCII.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace resident::bench {

class JsonObject {
 public:
  JsonObject& add(std::string_view name, int64_t value) {
    begin(name) += std::to_string(value);
    return *this;
  }
  JsonObject& add(std::string_view name, std::span<const int64_t> values) {
    std::string& out = begin(name);
    out += '[';
    for (size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out += ',';
      out += std::to_string(values[i]);
    }
    out += ']';
    return *this;
  }
  JsonObject& add(std::string_view name, std::string_view text) {
    std::string& out = begin(name);
    out += '"';
    for (const char c : text) {
      const bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\';
      out += is_plain ? c : '?';
    }
    out += '"';
    return *this;
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string& begin(std::string_view name) {
    if (!text_.empty()) text_ += ',';
    return text_.append("\"").append(name).append("\":");
  }

  std::string text_;
};

}  // namespace resident::bench
