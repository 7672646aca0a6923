// An explanation in sentences, for a terminal. The editor has its own, in its language
// (extension/model/explanationText.ts).
#pragma once

#include <string>

#include "explain/explanation.h"

namespace resident {

// The path, then indented lines; ends in a newline. `shown` is the path as it is to be printed.
std::string explanation_text(const Explanation& explanation, const std::string& shown);

}  // namespace resident
