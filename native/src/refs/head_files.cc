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

}  // namespace

std::vector<std::string> files_around_head(FileSystem& fs, const std::string& git_dir,
                                           const std::string& common_dir) {
  std::vector<std::string> files = {git_dir + "/HEAD"};
  const Result<std::string> head = fs.read_file(files[0]);
  const bool is_symbolic = head.ok() && head->starts_with("ref:");
  const std::string_view target =
      is_symbolic ? trimmed(std::string_view(*head).substr(4)) : std::string_view();
  if (target == kNoBranch) {
    files.push_back(ReftableStack::list_in(git_dir));
    if (git_dir != common_dir) files.push_back(ReftableStack::list_in(common_dir));
    return files;
  }
  files.push_back(common_dir + "/packed-refs");
  if (!target.empty()) files.push_back(common_dir + "/" + std::string(target));
  return files;
}

}  // namespace resident
