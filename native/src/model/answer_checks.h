// Checks whether only git can answer, and whether git would print warnings with its answer.
//
// Threads: the model's owner.
#pragma once

#include "model/status_rows.h"

namespace resident {

// kUnsupported if only git can answer `query` for these entries.
Result<void> check_answerable(const StatusRows::Sources& sources, const StatusQuery& query);

// kUnsupported if git would write to standard error. Covers everything that is known before the
// lists are made.
Result<void> check_no_warnings(const StatusRows::Sources& sources, const StatusQuery& query);

// The share of the index that is checked out, as in git's long format. An unset value: git does not
// print it. Error kUnsupported if the answer depends on how git expands its index.
Result<std::optional<SparseCheckout>> sparse_checkout(const ModelView& view);

}  // namespace resident
