// ObjectType: the four types of git objects, with their numbers in pack files.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace resident {

enum class ObjectType : uint8_t { kCommit = 1, kTree = 2, kBlob = 3, kTag = 4 };

// "commit", "tree", "blob" or "tag", as in a loose object's header.
std::string_view object_type_name(ObjectType type);

// The inverse of object_type_name(). nullopt: any other word.
std::optional<ObjectType> object_type_from_name(std::string_view name);

}  // namespace resident
