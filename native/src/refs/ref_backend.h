// RefBackend: one way to keep refs and reflogs. RefStore is its only user, and knows the rest:
// symbolic refs, what a name may mean, which refs git takes for broken.
//
// Nothing is remembered that a stat does not confirm: each call answers for the files as they are,
// but between begin_reading() and end_reading().
//
// Threads: all members may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "refs/reflog.h"

namespace resident {

// What a ref itself holds: an id, the name of another ref, or nothing, where there is none.
struct RawRef {
  std::optional<ObjectId> id;
  std::string target;  // of a symbolic ref; not checked
  // What the tag object `id` leads to in the end, where that is written beside it. Told by below();
  // not checked.
  std::optional<ObjectId> peeled = {};
  bool missing() const { return !id && target.empty(); }
};

class RefBackend {
 public:
  virtual ~RefBackend() = default;

  // `name` is valid. kCorrupt where it holds neither an id nor the name of a ref; kUnsupported
  // where only git knows what the damage means.
  virtual Result<RawRef> read(const std::string& name) = 0;

  // Those below `prefix`, which ends in a slash and is shared by all worktrees, in no order; of one
  // name the first counts. What is damaged or badly named, and git warns of, may be missing().
  using Listed = std::vector<std::pair<std::string, RawRef>>;
  virtual Result<Listed> below(const std::string& prefix) = 0;

  // The entries of a ref's log, the last one first, until `visit` returns false. A ref without a
  // log has none.
  virtual Result<void> visit_log_backwards(const std::string& name, const ReflogVisitor& visit) = 0;

  // The files whose stat decides what read() says of all these names, existing or not.
  virtual std::vector<std::string> files_of(const std::vector<std::string>& names) = 0;
  // The same of below(). A directory has a slash at its end: its entries count. See RefStore.
  virtual std::vector<std::string> files_below(const std::string& prefix) = 0;
  // Those of below() that are symbolic, whatever they lead to.
  virtual std::vector<std::string> symbolic_below(const std::string& prefix) = 0;
  // The same of visit_log_backwards().
  virtual std::vector<std::string> log_files_of(const std::string& name) = 0;

  // What is read from begin_reading() to end_reading(), on any thread, is as of one moment, no
  // earlier than the first; files_of() and files_below() tell the files of that moment. Nests.
  virtual void begin_reading() {}
  virtual void end_reading() {}

  // Where a ref is or would be, for messages.
  virtual std::string place_of(const std::string& name) const = 0;
};

}  // namespace resident
