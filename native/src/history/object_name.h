// Names of objects as people and todo lists write them.
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
  std::string name;  // full, of the ref that symbolic refs lead to
  ObjectId id;
};

// Every ref that `name` can mean, in git's order of preference; only the first where git does not
// look for others (core.warnAmbiguousRefs). kUnsupported for "@" and "@{…}".
Result<std::vector<NamedRef>> refs_named(const OperationSources& sources, std::string_view name);

// The object that a word names: a ref or a whole id; nullopt where it names none. kUnsupported
// where it could be an expression or an abbreviated id.
Result<std::optional<ObjectId>> object_named(const OperationSources& sources,
                                             std::string_view word);

}  // namespace resident
