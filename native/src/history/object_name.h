// Resolves names of objects, in the forms that people and todo lists write.
//
// Source: git's Documentation/revisions.txt and refs.c, object-name.c.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history/operation_sources.h"

namespace resident {

struct NamedRef {
  std::string name;  // full name; symbolic refs are resolved
  ObjectId id;
};

// Every ref that `name` can mean, in git's order of preference. Returns only the first match if git
// does not search for more (core.warnAmbiguousRefs). Fails with kUnsupported for "@" and "@{…}".
Result<std::vector<NamedRef>> refs_named(const OperationSources& sources, std::string_view name);

// The object that a word names: a ref or a full id. Returns nullopt if the word names no object.
// Fails with kUnsupported if the word could be an expression or an abbreviated id.
Result<std::optional<ObjectId>> object_named(const OperationSources& sources,
                                             std::string_view word);

}  // namespace resident
