// Objects as the object database returns them.
#pragma once

#include <cstdint>
#include <string>

#include "object/object_type.h"

namespace resident {

struct Object {
  ObjectType type = ObjectType::kBlob;
  std::string content;
};

// Facts about an object without its content.
struct ObjectInfo {
  ObjectType type = ObjectType::kBlob;
  uint64_t size = 0;  // bytes of content
};

}  // namespace resident
