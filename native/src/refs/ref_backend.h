// RefBackend: one storage of refs and reflogs. Only RefStore uses it. RefStore handles symbolic
// refs, abbreviated names and refs that git treats as broken.
//
// Caches are used only if a stat confirms them. Each call returns the current state, except between
// begin_reading() and end_reading().
//
// Threads: any thread may call all members.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hash/object_id.h"
#include "refs/reflog.h"

namespace resident {

// The content of a ref: an id, the name of another ref, or nothing if the ref does not exist.
struct RawRef {
  std::optional<ObjectId> id;
  std::string target;  // target of a symbolic ref; not checked
  // The object that the tag object `id` finally points to, if it is stored beside the id. Set only
  // by below(); not checked.
  std::optional<ObjectId> peeled = {};
  bool missing() const { return !id && target.empty(); }
};

class RefBackend {
 public:
  virtual ~RefBackend() = default;

  // `name` must be valid. kCorrupt: the ref has neither an id nor a ref name. kUnsupported: only
  // git can interpret the damage.
  virtual Result<RawRef> read(const std::string& name) = 0;

  // The refs below `prefix`, in no order. The prefix ends in a slash and is shared by all
  // worktrees. If a name occurs twice, the first entry counts. Damaged or badly named refs that git
  // warns of may be listed as missing().
  using Listed = std::vector<std::pair<std::string, RawRef>>;
  virtual Result<Listed> below(const std::string& prefix) = 0;

  // Visits the entries of a ref's log, newest first, until `visit` returns false. A missing log has
  // no entries.
  virtual Result<void> visit_log_backwards(const std::string& name, const ReflogVisitor& visit) = 0;

  // The files whose stat decides the results of read() for all these names. Some may be missing.
  virtual std::vector<std::string> files_of(const std::vector<std::string>& names) = 0;
  // The same for below(). A path that ends in a slash is a directory whose entries count. See
  // RefStore.
  virtual std::vector<std::string> files_below(const std::string& prefix) = 0;
  // The names of the symbolic refs in below(), with any target.
  virtual std::vector<std::string> symbolic_below(const std::string& prefix) = 0;
  // The same as files_of() for visit_log_backwards().
  virtual std::vector<std::string> log_files_of(const std::string& name) = 0;

  // Between these calls, all reads on any thread see the state of one moment. It is not before
  // begin_reading(). The results of files_of() and files_below() belong to the same moment. Calls
  // nest.
  virtual void begin_reading() {}
  virtual void end_reading() {}

  // Place of a ref, for messages. The ref may be missing.
  virtual std::string place_of(const std::string& name) const = 0;
};

}  // namespace resident
