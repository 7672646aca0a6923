// An explanation as one line of JSON, in the shape of `Explanation` in extension/protocol.ts, which
// is what `git-resident explain --json` prints and what crosses to the editor. Plain ASCII: a byte
// that is no UTF-8 is the escaped lone surrogate that stands for it (base/repo_path.h). What is
// empty, false or none is left out.
#pragma once

#include <string>

#include "explain/explanation.h"

namespace resident {

std::string explanation_json(const Explanation& explanation);

// What text needs to stand in JSON, with its quotes.
std::string json_string(std::string_view text);

// The names in it, which the text for people has too.
std::string_view name_of(Difference difference);
std::string_view name_of(Hidden hidden);
std::string_view name_of(Place place);
std::string_view name_of(FileKind kind);

}  // namespace resident
