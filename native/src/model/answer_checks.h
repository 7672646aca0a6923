// What only git can answer, and what git would say besides its answer.
//
// Threads: the model's owner.
#pragma once

#include "model/status_rows.h"

namespace resident {

// kUnsupported where only git can say what `query` sees of the entries.
Result<void> check_answerable(const StatusRows::Sources& sources, const StatusQuery& query);

// kUnsupported where git would write to standard error, as far as that is known before the lists
// are made.
Result<void> check_no_warnings(const StatusRows::Sources& sources, const StatusQuery& query);

// git says in the long format how much of the index is checked out; nullopt: it does not.
// kUnsupported where that depends on what git makes of its index.
Result<std::optional<SparseCheckout>> sparse_checkout(const ModelView& view);

}  // namespace resident
