#include "repo_state/current_objects.h"

#include <cstdlib>

namespace resident {

Result<void> CurrentObjects::load() {
  ObjectDatabase::Options options;
  options.algorithm = repository_.algorithm;
  if (const char* alternates = std::getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES")) {
    options.alternate_directories = alternates;
  }
  RESIDENT_TRY(objects_, ObjectDatabase::open(fs_, repository_.objects_dir, options));
  files_ = {};
  return {};
}

void CurrentObjects::refresh() {
  if (!files_.paths().empty() && !files_.changed(fs_, gate_)) return;
  changed_ |= objects_->refresh();
  files_ = FileSet::record(fs_, objects_->listed_files());
  // Finds changes between the first refresh and the record.
  changed_ |= objects_->refresh();
}

void CurrentObjects::use(const ObjectAids& aids) {
  objects_->use(aids);
  changed_ |= objects_->refresh();
}

}  // namespace resident
