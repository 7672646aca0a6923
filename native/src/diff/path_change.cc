#include "diff/path_change.h"

#include "object/tree.h"

namespace resident {

Change change_between(const Side& before, const Side& after) {
  if (before == after) return Change::kNone;
  if (before.mode == 0) return Change::kAdded;
  if (after.mode == 0) return Change::kDeleted;
  bool same_type = (before.mode & kModeTypeMask) == (after.mode & kModeTypeMask);
  return same_type ? Change::kModified : Change::kTypeChanged;
}

}  // namespace resident
