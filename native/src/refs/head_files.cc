#include "refs/head_files.h"

#include <string_view>

#include "base/cut_text.h"
#include "refs/ref_name.h"
#include "refs/reftable_stack.h"

namespace resident {

namespace {

// Target of HEAD in a repository with reftables. It stops a git that knows only ref files.
constexpr std::string_view kNoBranch = "refs/heads/.invalid";

// git's limit for chains of symbolic refs (SYMREF_MAXDEPTH).
constexpr int kMaxDepth = 5;

// The target in a file of a symbolic ref. "": no target.
std::string target_of(FileSystem& fs, const std::string& file) {
  const Result<std::string> ref = fs.read_file(file);
  const bool is_symbolic = ref.ok() && ref->starts_with("ref:");
  return is_symbolic ? std::string(trimmed(std::string_view(*ref).substr(4))) : std::string();
}

}  // namespace

RefStorage storage_by_head(FileSystem& fs, const std::string& git_dir) {
  return target_of(fs, git_dir + "/HEAD") == kNoBranch ? RefStorage::kReftable : RefStorage::kFiles;
}

std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir) {
  std::vector<std::string> files = {git_dir + "/HEAD"};
  std::string target = target_of(fs, files.front());
  if (target == kNoBranch) {
    files.push_back(ReftableStack::list_in(git_dir));
    if (git_dir != common_dir) files.push_back(ReftableStack::list_in(common_dir));
    return files;
  }
  files.push_back(common_dir + "/packed-refs");
  for (int depth = 0; depth < kMaxDepth && is_valid_ref_name(target); ++depth) {
    const bool is_own = address_of_ref(target).owner == RefOwner::kThisWorktree;
    files.push_back((is_own ? git_dir : common_dir) + "/" + target);
    target = target_of(fs, files.back());
  }
  return files;
}

}  // namespace resident
