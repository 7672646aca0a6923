// CurrentObjects: the repository's object database.
//
// Threads: one owner.
#pragma once

#include <memory>
#include <utility>

#include "odb/object_database.h"
#include "repo_state/file_set.h"
#include "repository/repository.h"

namespace resident {

class CurrentObjects {
 public:
  // All parameters must outlive this object; `gate` may be null.
  CurrentObjects(FileSystem& fs, const Repository& repository, MetadataGate* gate)
      : fs_(fs), repository_(repository), gate_(gate) {}

  Result<void> load();
  // Rescans packs and alternates if their directories changed.
  void refresh();
  // Sets the auxiliary files that git uses.
  void use(const ObjectAids& aids);
  // True if git can read objects differently since the last call.
  bool consume_changed() { return std::exchange(changed_, false); }

  // Needs a load() without an error.
  ObjectDatabase& get() const { return *objects_; }

 private:
  FileSystem& fs_;
  const Repository& repository_;
  MetadataGate* const gate_;
  std::unique_ptr<ObjectDatabase> objects_;
  FileSet files_;
  bool changed_ = false;
};

}  // namespace resident
