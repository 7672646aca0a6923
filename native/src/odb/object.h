// What the object database hands out.
#pragma once

#include <cstdint>
#include <string>

#include "object/object_type.h"

namespace resident {

struct Object {
  ObjectType type = ObjectType::kBlob;
  std::string content;
};

// What is known of an object without its content.
struct ObjectInfo {
  ObjectType type = ObjectType::kBlob;
  uint64_t size = 0;  // bytes of content
};

}  // namespace resident
