// Prints an explanation as sentences for a terminal. The editor has its own text, in its own
// language (extension/model/explanationText.ts).
#pragma once

#include <string>

#include "explain/explanation.h"

namespace resident {

// Returns the path, then indented lines. Ends with a newline. `shown` is the printable form of the
// path.
std::string explanation_text(const Explanation& explanation, const std::string& shown);

}  // namespace resident
