#include "status/content.h"

#include <algorithm>

#include "filter/to_git.h"
#include "hash/hasher.h"
#include "odb/find_in_tree.h"

namespace resident {

namespace {

std::shared_ptr<const AttributeFile> parse_file(const std::optional<std::string>& content,
                                                AttributeSource source) {
  return content ? AttributeFile::parse(*content, "", source) : nullptr;
}

// The directory that `path` lies in, "" or ending in '/'; `path` may end in one itself.
std::string_view directory_of(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  return path.substr(0, path.rfind('/') + 1);
}

bool meets(const AttributeValue& value, const AttributeDemand& demand) {
  switch (demand.state) {
    case AttributeDemand::State::kUnspecified:
      return value.is_unspecified();
    case AttributeDemand::State::kSet:
      return value.is_set();
    case AttributeDemand::State::kUnset:
      return value.is_unset();
    case AttributeDemand::State::kValue:
      return value.is(demand.value);
  }
  return false;
}

// The entry of that path; of one with conflicts, ours.
std::optional<uint32_t> find_own_entry(const Index& index, std::string_view path) {
  const auto first = index.find_path(path);
  if (!first) return std::nullopt;
  for (uint32_t i = *first; i < index.end_of_path(*first); ++i) {
    const int stage = index.entries()[i].stage();
    if (stage == 0 || stage == 2) return i;
  }
  return std::nullopt;
}

bool is_not_found(const Result<FileStat>& stat) {
  return !stat.ok() && stat.error().code == ErrorCode::kNotFound;
}

}  // namespace

void FileContent::set_rules(Rules rules) {
  rules_ = std::move(rules);
  MutexLock lock(mutex_);
  stacks_.clear();
}

Result<ContentMatch> FileContent::compare(const FileRef& file, const FileStat& stat,
                                          const ObjectId& id) {
  if (stat.kind == FileKind::kSymlink) return matches_link(file, id);
  const std::string path = file.path();
  RESIDENT_TRY(const Decided decided, decide(path));
  const bool is_large = stat.size > kMaxHeld;
  // git has a process of its own for it, so that nothing else waits.
  if (decided.conversion.kind == ConversionKind::kExternal || (is_large && setup_.run_filters)) {
    const FilterQuestions::File now{stat, id};
    if (auto known = filters_.find(path, now)) return *std::move(known);
    filters_.ask(path, now, setup_.fs.now(), decided.conversion.filter_driver);
    return Error{ErrorCode::kPending, path + ": the result of the content filter is needed"};
  }
  if (is_large && decided.conversion.kind == ConversionKind::kNone) {
    return matches_in_pieces(decided, file, stat, id);
  }
  if (stat.size > kMaxConverted) {
    return Error{ErrorCode::kUnsafe,
                 path +
                     ": too large to convert without git, and git does not run in an untrusted "
                     "workspace"};
  }
  RESIDENT_TRY(const Stored stored, read_as(decided, file, id));
  return ContentMatch{hash_object(setup_.algorithm, "blob", as_bytes(stored.content)) == id,
                      stored.git_warns};
}

// Where another size is read than lstat told, the file is being written, and looked at again.
Result<ContentMatch> FileContent::matches_in_pieces(const Decided& decided, const FileRef& file,
                                                    const FileStat& stat, const ObjectId& id) {
  Hasher hasher = object_hasher(setup_.algorithm, "blob", stat.size);
  RESIDENT_CHECK(setup_.fs.read_pieces_at(file.directory, file.name,
                                          [&](std::string_view piece) { hasher.update(piece); }));
  return ContentMatch{hasher.finish() == id, decided.git_warns};
}

// git compares with the object itself, and thus with what stands in for it, where it goes by the id
// of a file.
Result<ContentMatch> FileContent::matches_link(const FileRef& file, const ObjectId& id) {
  RESIDENT_TRY(const std::string link, setup_.fs.read_link_at(file.directory, file.name));
  if (!rules_.objects) {
    return ContentMatch{hash_object(setup_.algorithm, "blob", as_bytes(link)) == id, false};
  }
  Result<std::string> blob = rules_.objects->read_blob(id);
  if (blob.ok()) return ContentMatch{*blob == link, false};
  return Error{ErrorCode::kUnsupported, file.path() + ": " + blob.error().message};
}

Result<FileContent::Stored> FileContent::read(const FileRef& file, const FileStat& stat,
                                              const ObjectId& in_index) {
  if (stat.kind == FileKind::kSymlink) {
    RESIDENT_TRY(std::string link, setup_.fs.read_link_at(file.directory, file.name));
    return Stored{std::move(link), false, false};
  }
  RESIDENT_TRY(const Decided decided, decide(file.path()));
  if (decided.conversion.kind == ConversionKind::kExternal) {
    return Error{ErrorCode::kUnsupported,
                 file.path() + ": the result of the content filter is needed"};
  }
  return read_as(decided, file, in_index);
}

Result<FileContent::Stored> FileContent::read_as(const Decided& decided, const FileRef& file,
                                                 const ObjectId& in_index) {
  Stored stored;
  stored.git_warns = decided.git_warns;
  RESIDENT_TRY(stored.content, setup_.fs.read_file_at(file.directory, file.name));
  if (decided.conversion.kind != ConversionKind::kBuiltin) return stored;
  auto index_blob = [&]() -> std::optional<std::string> {
    if (in_index.is_null() || !rules_.objects) return std::nullopt;
    Result<std::string> blob = rules_.objects->read_blob(in_index);
    return blob.ok() ? std::optional(std::move(blob).value()) : std::nullopt;
  };
  stored.converted = true;
  std::optional<std::string> converted =
      to_git(stored.content, decided.conversion, index_blob, &stored.git_warns);
  if (converted) stored.content = std::move(*converted);
  return stored;
}

Result<FileContent::Decided> FileContent::decide(std::string_view path) {
  const Attributes attributes = attributes_for(path);
  Decided decided;
  decided.git_warns = attributes.git_warns;
  if (!may_convert(*attributes.stack, rules_.config)) return decided;
  decided.conversion =
      decide_conversion(attributes.stack->lookup(path, rules_.matching), rules_.config);
  if (decided.conversion.kind == ConversionKind::kExternal && !setup_.run_filters) {
    return Error{ErrorCode::kUnsafe,
                 std::string(path) +
                     ": the content depends on a filter from the repository's config, which does "
                     "not run in an untrusted workspace"};
  }
  return decided;
}

FilterProgram FileContent::filter_program(const std::string& driver) const {
  const auto found = rules_.config.drivers.find(driver);
  const bool is_known = found != rules_.config.drivers.end();
  return FilterProgram::find(setup_.fs, is_known ? rules_.config.plain_command(found->second) : "");
}

std::shared_ptr<const AttributeStack> FileContent::attribute_stack(std::string_view path) {
  return attributes_for(path).stack;
}

Conversion FileContent::conversion_of(std::string_view path) {
  return decide_conversion(attribute_stack(path)->lookup(path, rules_.matching), rules_.config);
}

void FileContent::forget_outside_index() {
  MutexLock lock(mutex_);
  std::erase_if(stacks_, [&](const auto& known) { return is_outside_index(known.first); });
}

std::vector<FileContent::AttributesLook> FileContent::looks_outside_index() {
  MutexLock lock(mutex_);
  std::vector<AttributesLook> looks;
  std::string_view gone;
  // Those above come first.
  for (const auto& [directory, attributes] : stacks_) {
    if (!is_outside_index(directory)) continue;
    std::string path = attributes_path(directory);
    if (is_not_found(attributes.stat)) {
      if (!gone.empty() && directory.starts_with(gone)) continue;
      std::string itself = path.substr(0, path.size() - kGitattributes.size() - 1);
      if (is_not_found(setup_.fs.lstat(itself))) {
        gone = directory;
        path = std::move(itself);
      }
    }
    looks.push_back({std::move(path), attributes.stat, attributes.at});
  }
  return looks;
}

bool FileContent::AttributesLook::is_current(FileSystem& fs) const {
  const Result<FileStat> now = fs.lstat(path);
  if (!stat.ok() || !now.ok()) {
    return !stat.ok() && !now.ok() && stat.error().code == now.error().code;
  }
  return *stat == *now && stat->mtime < at && stat->ctime < at;
}

// As stacks_ has it.
bool FileContent::is_outside_index(std::string_view directory) const {
  if (directory.empty()) return false;
  directory.remove_suffix(1);
  return !rules_.index->find_directory(directory);
}

std::string FileContent::attributes_path(std::string_view directory) const {
  return (setup_.root + "/").append(directory).append(kGitattributes);
}

bool FileContent::has_attributes(std::string_view path, std::span<const AttributeDemand> demands) {
  const std::shared_ptr<const AttributeStack> stack = attributes_for(path).stack;
  const PathAttributes attributes = stack->lookup(path, rules_.matching);
  return std::all_of(demands.begin(), demands.end(), [&](const AttributeDemand& demand) {
    return meets(attributes.get(demand.name), demand);
  });
}

bool FileContent::attributes_warn(std::span<const std::string> further) {
  for (uint32_t i = 0; i < rules_.index->directories().size(); ++i) {
    const std::string directory = rules_.index->directory_path(i);
    (void)attributes_of(directory.empty() ? directory : directory + "/");
  }
  for (const std::string& directory : further) (void)attributes_of(directory);
  MutexLock lock(mutex_);
  return std::any_of(stacks_.begin(), stacks_.end(),
                     [](const auto& known) { return known.second.git_warns; });
}

bool FileContent::attributes_warn_of(std::string_view path) {
  return attributes_for(path).git_warns;
}

std::optional<bool> FileContent::is_binary(std::string_view path, const Config& config) {
  const std::shared_ptr<const AttributeStack> stack = attributes_for(path).stack;
  if (!stack->mentions("diff")) return std::nullopt;
  const AttributeValue diff = stack->lookup(path, rules_.matching).get("diff");
  if (diff.is_set()) return false;
  if (diff.is_unset()) return true;
  if (diff.is_unspecified()) return std::nullopt;
  return config.get_bool("diff." + std::string(diff.value) + ".binary");
}

FileContent::Attributes FileContent::attributes_for(std::string_view path) {
  return attributes_of(directory_of(path));
}

FileContent::Attributes FileContent::attributes_of(std::string_view directory) {
  {
    MutexLock lock(mutex_);
    if (auto known = stacks_.find(directory); known != stacks_.end()) return known->second;
  }
  Attributes attributes;
  const Timestamp at = setup_.fs.now();
  const FoundFile own = read_attributes(directory);
  if (directory.empty()) {
    const BaseAttributeFiles files = {
        .system = parse_file(rules_.system_attributes, AttributeSource::kSystem),
        .user = parse_file(rules_.user_attributes, AttributeSource::kUser),
        .root = own.file,
        .info = parse_file(rules_.info_attributes, AttributeSource::kInfo)};
    attributes.stack = AttributeStack::create(files);
    attributes.git_warns = rules_.attributes_unreadable;
    for (const auto& file : {files.system, files.user, files.info}) {
      attributes.git_warns |= file && file->git_complains();
    }
  } else {
    attributes = attributes_of(directory_of(directory));
    if (own.file) attributes.stack = attributes.stack->with_directory(own.file);
  }
  attributes.git_warns |= own.git_warns;
  attributes.stat = own.stat;
  attributes.at = at;
  MutexLock lock(mutex_);
  return stacks_.emplace(directory, std::move(attributes)).first->second;
}

// A directory's .gitattributes: the worktree's, never through a symbolic link, else the index's.
FileContent::FoundFile FileContent::read_attributes(std::string_view directory) const {
  const std::string path = std::string(directory).append(kGitattributes);
  FoundFile found;
  const std::string absolute = attributes_path(directory);
  found.stat = setup_.fs.lstat(absolute);
  const Result<FileStat>& stat = found.stat;
  found.git_warns = stat.ok() ? stat->kind == FileKind::kSymlink ||
                                    (rules_.directory_is_read && stat->kind == FileKind::kDirectory)
                              : stat.error().code != ErrorCode::kNotFound;
  if (stat.ok() && stat->kind == FileKind::kRegular) {
    Result<std::string> content = setup_.fs.read_file(absolute);
    if (content.ok()) {
      found.file = AttributeFile::parse(std::move(content).value(), std::string(directory),
                                        AttributeSource::kFile);
      found.git_warns = found.file->git_complains();
      return found;
    }
    found.git_warns = content.error().code != ErrorCode::kNotFound;
  }
  if (stat.ok() && stat->kind == FileKind::kDirectory) {
    const Result<Directory> opened = setup_.fs.open_directory(absolute);
    // git can open it too, hence does not look further.
    if (opened.ok()) return found;
    found.git_warns |= opened.error().code != ErrorCode::kNotFound;
  }
  if (!rules_.index || !rules_.objects) return found;
  if (rules_.cone && !rules_.cone->contains(path)) return found;
  Result<std::string> blob = read_staged(path);
  if (!blob.ok()) return found;
  found.file = AttributeFile::parse(std::move(blob).value(), std::string(directory),
                                    AttributeSource::kIndex);
  found.git_warns |= found.file->git_complains();
  return found;
}

Result<std::string> FileContent::read_staged(std::string_view path) const {
  if (const auto position = find_own_entry(*rules_.index, path)) {
    return rules_.objects->read_blob(rules_.index->id(*position));
  }
  if (const auto place = rules_.index->in_sparse_tree(path)) {
    RESIDENT_TRY(const auto entry, find_in_tree(*rules_.objects, place->tree, place->path));
    if (entry) return rules_.objects->read_blob(entry->id);
  }
  return Error{ErrorCode::kNotFound, std::string(path) + ": not in the index"};
}

}  // namespace resident
