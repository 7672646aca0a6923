// Converts an explanation to one line of JSON, in the shape of `Explanation` in
// extension/protocol.ts. The command `git-resident explain --json` prints it, and the editor
// receives it.
//
// The text is plain ASCII. A byte that is not UTF-8 becomes an escaped lone surrogate
// (base/repo_path.h). Members that are empty, false or missing are left out.
#pragma once

#include <string>
#include <string_view>

#include "explain/explanation.h"

namespace resident {

std::string explanation_json(const Explanation& explanation);

// The names in the JSON, also used in the text for users.
std::string_view name_of(Difference difference);
std::string_view name_of(Hidden hidden);
std::string_view name_of(Place place);
std::string_view name_of(FileKind kind);

}  // namespace resident
