#include "worktree/content.h"

#include <algorithm>

#include "filter/to_git.h"
#include "git/git_command.h"
#include "hash/hasher.h"

namespace resident {

namespace {

std::shared_ptr<const AttributeFile> parse_file(const std::optional<std::string>& content) {
  return content ? AttributeFile::parse(*content, "", AttributeSource::kFile) : nullptr;
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

}  // namespace

void FileContent::set_rules(Rules rules) {
  rules_ = std::move(rules);
  MutexLock lock(mutex_);
  stacks_.clear();
}

Result<bool> FileContent::holds(const FileRef& file, const FileStat& stat, const ObjectId& id) {
  if (stat.kind != FileKind::kSymlink) {
    RESIDENT_TRY(Conversion conversion, conversion_of(file.path));
    if (conversion.kind == ConversionKind::kExternal) return ask_git_about(file.path);
  }
  RESIDENT_TRY(std::string content, read(file, stat, id));
  return hash_object(setup_.algorithm, "blob", as_bytes(content)) == id;
}

Result<std::string> FileContent::read(const FileRef& file, const FileStat& stat,
                                      const ObjectId& in_index) {
  if (stat.kind == FileKind::kSymlink) return setup_.fs.read_link_at(file.directory, file.name);
  RESIDENT_TRY(std::string content, setup_.fs.read_file_at(file.directory, file.name));
  RESIDENT_TRY(Conversion conversion, conversion_of(file.path));
  if (conversion.kind == ConversionKind::kExternal) {
    return Error{ErrorCode::kUnsupported, std::string(file.path) + ": what its filter makes of it"};
  }
  if (conversion.kind == ConversionKind::kNone) return content;
  auto index_blob = [&]() -> std::optional<std::string> {
    if (in_index.is_null() || !rules_.objects) return std::nullopt;
    Result<std::string> blob = rules_.objects->read_blob(in_index);
    return blob.ok() ? std::optional(std::move(blob).value()) : std::nullopt;
  };
  std::optional<std::string> converted = to_git(content, conversion, index_blob);
  return converted ? std::move(*converted) : std::move(content);
}

bool FileContent::has_attributes(std::string_view path, std::span<const AttributeDemand> demands) {
  const std::shared_ptr<const AttributeStack> stack = stack_for(path);
  const PathAttributes attributes = stack->lookup(path, rules_.ignore_case);
  return std::all_of(demands.begin(), demands.end(), [&](const AttributeDemand& demand) {
    return meets(attributes.get(demand.name), demand);
  });
}

std::optional<bool> FileContent::is_binary(std::string_view path, const Config& config) {
  const std::shared_ptr<const AttributeStack> stack = stack_for(path);
  if (!stack->mentions("diff")) return std::nullopt;
  const AttributeValue diff = stack->lookup(path, rules_.ignore_case).get("diff");
  if (diff.is_set()) return false;
  if (diff.is_unset()) return true;
  if (diff.is_unspecified()) return std::nullopt;
  return config.get_bool("diff." + std::string(diff.value) + ".binary");
}

std::shared_ptr<const AttributeStack> FileContent::stack_for(std::string_view path) {
  return stack_of(directory_of(path));
}

Result<Conversion> FileContent::conversion_of(std::string_view path) {
  const std::shared_ptr<const AttributeStack> stack = stack_for(path);
  if (!may_convert(*stack, rules_.config)) return Conversion{};
  Conversion conversion = decide_conversion(stack->lookup(path, rules_.ignore_case), rules_.config);
  if (conversion.kind == ConversionKind::kExternal && !setup_.run_filters) {
    return Error{ErrorCode::kUnsafe,
                 std::string(path) +
                     ": only the filter that the repository's config names can tell its content, "
                     "and it is not run in an untrusted workspace"};
  }
  return conversion;
}

std::shared_ptr<const AttributeStack> FileContent::stack_of(std::string_view directory) {
  {
    MutexLock lock(mutex_);
    if (auto known = stacks_.find(directory); known != stacks_.end()) return known->second;
  }
  std::shared_ptr<const AttributeStack> stack;
  if (directory.empty()) {
    stack = AttributeStack::create({.system = parse_file(rules_.system_attributes),
                                    .user = parse_file(rules_.user_attributes),
                                    .root = read_attributes(""),
                                    .info = parse_file(rules_.info_attributes)});
  } else {
    stack = stack_of(directory_of(directory));
    if (auto file = read_attributes(directory)) stack = stack->with_directory(std::move(file));
  }
  MutexLock lock(mutex_);
  return stacks_.emplace(directory, std::move(stack)).first->second;
}

// A directory's .gitattributes: the worktree's, never through a symbolic link, else the index's.
std::shared_ptr<const AttributeFile> FileContent::read_attributes(
    std::string_view directory) const {
  const std::string path = std::string(directory) + ".gitattributes";
  Result<FileStat> stat = setup_.fs.lstat(setup_.root + "/" + path);
  if (stat.ok() && stat->kind == FileKind::kRegular) {
    Result<std::string> content = setup_.fs.read_file(setup_.root + "/" + path);
    if (content.ok()) {
      return AttributeFile::parse(std::move(content).value(), std::string(directory),
                                  AttributeSource::kFile);
    }
  }
  if (!rules_.index || !rules_.objects) return nullptr;
  if (rules_.cone && !rules_.cone->contains(path)) return nullptr;
  auto position = rules_.index->find_path(path);
  if (!position || rules_.index->entries()[*position].stage() != 0) return nullptr;
  Result<std::string> blob = rules_.objects->read_blob(rules_.index->id(*position));
  if (!blob.ok()) return nullptr;
  return AttributeFile::parse(std::move(blob).value(), std::string(directory),
                              AttributeSource::kIndex);
}

Result<bool> FileContent::ask_git_about(std::string_view path) const {
  GitRunOptions options;
  options.cwd = setup_.root;
  RESIDENT_TRY(GitOutput output, run_git({"--literal-pathspecs", "status", "--porcelain=v2", "-z",
                                          "--untracked-files=no", "--no-renames",
                                          "--ignore-submodules=all", "--", std::string(path)},
                                         options));
  if (output.exit_code != 0) {
    return Error{ErrorCode::kUnsupported, std::string(path) + ": " + git_message(output)};
  }
  // "1 XY ...": Y is the worktree's letter.
  return output.out.size() < 4 || output.out[0] != '1' || output.out[3] == '.';
}

}  // namespace resident
