// The attributes of one path, defined by gitattributes(5).
#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>

namespace resident {

enum class AttributeState {
  kUnspecified,  // no rule, or "!name"
  kSet,          // "name"
  kUnset,        // "-name"
  kValue,        // "name=value"
};

struct AttributeValue {
  AttributeState state = AttributeState::kUnspecified;
  std::string_view value = {};  // for kValue

  bool is_set() const { return state == AttributeState::kSet; }
  bool is_unset() const { return state == AttributeState::kUnset; }
  bool is_unspecified() const { return state == AttributeState::kUnspecified; }
  bool is(std::string_view expected) const {
    return state == AttributeState::kValue && value == expected;
  }
  friend bool operator==(const AttributeValue&, const AttributeValue&) = default;
};

// Points into the files of the AttributeStack that created it. The stack must outlive it.
class PathAttributes {
 public:
  using Values = std::unordered_map<std::string_view, AttributeValue>;

  PathAttributes() = default;
  explicit PathAttributes(Values values) : values_(std::move(values)) {}

  AttributeValue get(std::string_view name) const {
    auto found = values_.find(name);
    return found == values_.end() ? AttributeValue{} : found->second;
  }
  // Every attribute that a rule decided, "!name" included.
  const Values& values() const { return values_; }

 private:
  Values values_;
};

}  // namespace resident
