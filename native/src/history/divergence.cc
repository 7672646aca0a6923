#include "history/divergence.h"

#include <utility>

namespace resident {

Result<std::unordered_set<ObjectId>> read_shallow_if_plain(const ObjectDatabase& objects,
                                                           FileSystem& fs,
                                                           const std::string& common_dir) {
  const std::string grafts = common_dir + "/info/grafts";
  if (fs.lstat(grafts).ok()) {
    return Error{ErrorCode::kUnsupported, grafts + ": the history has grafts"};
  }
  return read_shallow_file(fs, common_dir + "/shallow", objects.algorithm());
}

Result<std::unique_ptr<Divergence>> Divergence::begin(const ObjectId& ours, const ObjectId& theirs,
                                                      ObjectDatabase& objects, FileSystem& fs,
                                                      const std::string& common_dir) {
  RESIDENT_TRY(auto shallow, read_shallow_if_plain(objects, fs, common_dir));
  return std::unique_ptr<Divergence>(new Divergence(objects, std::move(shallow), ours, theirs));
}

}  // namespace resident
