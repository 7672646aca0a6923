#include "status/directory_at_file.h"

#include "hash/object_id.h"
#include "object/tree.h"
#include "refs/head_files.h"
#include "refs/ref_store.h"
#include "repository/nested_repository.h"

namespace resident {

EntryState directory_at_file_state(FileSystem& fs, const std::string& directory) {
  const std::string git_dir = git_directory_of(fs, directory);
  if (git_dir.empty()) {
    // git fails at a gitfile that it cannot read.
    return is_nested_repository(fs, directory) ? EntryState::unanswerable(kModeGitlink)
                                               : EntryState::absent();
  }
  const std::string common_dir = common_directory_of(fs, git_dir);
  const RefStorage storage = storage_by_head(fs, git_dir);
  bool is_damaged = false;
  // The config, which names its hash, is git's to read. Refs of the other one are malformed.
  for (const HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    const Result<Head> head = RefStore(git_dir, common_dir, algorithm, fs, storage).head();
    if (head.ok()) {
      const bool has_commit = head->id && !head->id->is_null();
      return has_commit ? EntryState::present(kModeGitlink, true) : EntryState::absent();
    }
    is_damaged |= head.error().code == ErrorCode::kUnsupported;
  }
  return is_damaged ? EntryState::unanswerable(kModeGitlink) : EntryState::absent();
}

std::vector<std::string> directory_at_file_files(FileSystem& fs, const std::string& directory) {
  const std::string git_dir = git_directory_of(fs, directory);
  if (git_dir.empty()) return {};
  return files_around_head(fs, git_dir, common_directory_of(fs, git_dir));
}

}  // namespace resident
