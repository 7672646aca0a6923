#include "odb/commit_reader.h"

#include <algorithm>
#include <string_view>

namespace resident {

Result<std::unordered_set<ObjectId>> read_shallow_file(FileSystem& fs, const std::string& path,
                                                       HashAlgorithm algorithm) {
  std::unordered_set<ObjectId> shallow;
  auto content = fs.read_file(path);
  if (!content.ok()) {
    if (content.error().code == ErrorCode::kNotFound) return shallow;
    return content.error();
  }
  for (std::string_view rest = *content; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    auto id = ObjectId::from_hex(line.substr(0, 2 * hash_size(algorithm)));
    if (!id || id->algorithm() != algorithm) {
      return Error{ErrorCode::kCorrupt, path + ": bad shallow line: " + std::string(line)};
    }
    shallow.insert(*id);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return shallow;
}

Result<CommitInfo> StoredCommitReader::read(const ObjectId& id) {
  RESIDENT_TRY(CommitHeader header, objects_.read_commit_header(id));
  CommitInfo info;
  info.date = header.committer_time;
  if (!shallow_.contains(id)) info.parents = std::move(header.parents);
  return info;
}

std::shared_ptr<const CommitGraph> StoredCommitReader::graph() {
  if (!shallow_.empty() || objects_.has_replacements()) return nullptr;
  return objects_.commit_graph();
}

std::shared_ptr<const ReachabilityBitmaps> StoredCommitReader::bitmaps() {
  if (!shallow_.empty() || objects_.has_replacements()) return nullptr;
  return objects_.bitmaps();
}

}  // namespace resident
