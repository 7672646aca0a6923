#include "history/tags_of_commits.h"

#include <utility>

#include "history/tag_names.h"

namespace resident {

namespace {

// Those below `directory`, which ends in '/', are added after it. Symbolic links lead nowhere new.
void add_directories(FileSystem& fs, const std::string& directory,
                     std::vector<std::string>& found) {
  // No git makes a name with so many slashes.
  constexpr size_t kMostBytes = 4096;
  if (directory.size() > kMostBytes) return;
  DirectoryListing listing;
  const Result<Directory> opened = fs.open_directory(directory);
  if (!opened.ok() || !fs.list(*opened, listing).ok()) return;
  std::vector<std::string> below;
  for (size_t i = 0; i < listing.size(); ++i) {
    if (listing[i].kind != FileKind::kDirectory && listing[i].kind != FileKind::kUnknown) continue;
    below.push_back(directory + std::string(listing[i].name) + "/");
  }
  for (const std::string& child : below) {
    const Result<FileStat> stat = fs.lstat(child.substr(0, child.size() - 1));
    if (!stat.ok() || stat->kind != FileKind::kDirectory) continue;
    found.push_back(child);
    add_directories(fs, child, found);
  }
}

}  // namespace

std::vector<std::string> tag_files(RefStore& refs, FileSystem& fs) {
  std::vector<std::string> files = refs.files_below(std::string(kTags));
  std::vector<std::string> directories;
  for (const std::string& file : files) {
    if (file.ends_with(kTags)) add_directories(fs, file, directories);
  }
  files.insert(files.end(), directories.begin(), directories.end());
  return files;
}

Result<TagsOfCommits> tags_of_commits(RefStore& refs, ObjectDatabase& objects) {
  RESIDENT_TRY(const auto tags, refs.refs_below(std::string(kTags)));
  TagsOfCommits found;
  for (const auto& [ref, id] : tags) {
    // A commit's type is known without reading it.
    const Result<ObjectInfo> info = objects.read_info(id);
    if (!info.ok()) continue;
    ObjectId commit = id;
    if (info->type != ObjectType::kCommit) {
      Result<ObjectId> peeled = objects.peel_to_commit(id);
      if (!peeled.ok()) continue;
      commit = *peeled;
    }
    found[commit] = ref.substr(kTags.size());
  }
  return found;
}

}  // namespace resident
