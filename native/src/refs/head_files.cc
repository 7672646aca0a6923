#include "refs/head_files.h"

#include <string_view>

#include "refs/reftable_stack.h"

namespace resident {

namespace {

// What HEAD names where refs are kept as reftables, so that no other git takes them for files.
constexpr std::string_view kNoBranch = "refs/heads/.invalid";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// The name of the ref; "": it names none.
std::string target_of_head(FileSystem& fs, const std::string& git_dir) {
  const Result<std::string> head = fs.read_file(git_dir + "/HEAD");
  const bool is_symbolic = head.ok() && head->starts_with("ref:");
  return is_symbolic ? std::string(trimmed(std::string_view(*head).substr(4))) : std::string();
}

}  // namespace

RefStorage storage_by_head(FileSystem& fs, const std::string& git_dir) {
  return target_of_head(fs, git_dir) == kNoBranch ? RefStorage::kReftable : RefStorage::kFiles;
}

std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir) {
  std::vector<std::string> files = {git_dir + "/HEAD"};
  const std::string target = target_of_head(fs, git_dir);
  if (target == kNoBranch) {
    files.push_back(ReftableStack::list_in(git_dir));
    if (git_dir != common_dir) files.push_back(ReftableStack::list_in(common_dir));
    return files;
  }
  files.push_back(common_dir + "/packed-refs");
  if (!target.empty()) files.push_back(common_dir + "/" + target);
  return files;
}

}  // namespace resident
