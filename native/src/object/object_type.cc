#include "object/object_type.h"

namespace resident {

std::string_view object_type_name(ObjectType type) {
  switch (type) {
    case ObjectType::kCommit:
      return "commit";
    case ObjectType::kTree:
      return "tree";
    case ObjectType::kBlob:
      return "blob";
    case ObjectType::kTag:
      return "tag";
  }
  return "unknown";
}

std::optional<ObjectType> object_type_from_name(std::string_view name) {
  for (ObjectType type :
       {ObjectType::kCommit, ObjectType::kTree, ObjectType::kBlob, ObjectType::kTag}) {
    if (object_type_name(type) == name) return type;
  }
  return std::nullopt;
}

}  // namespace resident
