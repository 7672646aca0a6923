// IndexAhead: a large index, loaded from where it probably is while git is asked where it is, for a
// process that answers one question and ends.
//
// Threads: one owner.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/beside.h"
#include "index/index.h"

namespace resident {

class IndexAhead {
 public:
  // Begins, where there is a file with many entries at `<git_dir>/index`. Whoever lets go of this
  // waits for the end.
  explicit IndexAhead(const std::string& git_dir);

  // What Index::load() would give now, once; null where that was not loaded, or is another by now.
  std::shared_ptr<Index> take(const std::string& path, const Index::LoadOptions& options);

 private:
  const std::string path_;
  const Index::LoadOptions options_;
  std::shared_ptr<Index> index_;
  std::optional<Beside> loading_;
};

}  // namespace resident
