#include "history/operation_sources.h"

#include "history/message_config.h"
#include "odb/abbreviation.h"

namespace resident {

namespace {

constexpr uint64_t kLargestFile = uint64_t{64} << 20;

}  // namespace

std::string operation_file(const OperationFiles& files, std::string_view name) {
  return files.git_dir + "/" + std::string(name);
}

bool operation_file_exists(const OperationFiles& files, std::string_view name) {
  return files.fs.stat(operation_file(files, name)).ok();
}

Result<std::optional<std::string>> read_operation_file(const OperationFiles& files,
                                                       std::string_view name) {
  const std::string path = operation_file(files, name);
  Result<FileStat> stat = files.fs.stat(path);
  if (stat.ok() && stat->size > kLargestFile) {
    return Error{ErrorCode::kUnsupported, path + ": larger than any file that git writes"};
  }
  Result<std::string> content = stat.ok() ? files.fs.read_file(path) : stat.error();
  if (content.ok()) return std::optional(std::move(content).value());
  if (content.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
  return Error{ErrorCode::kUnsupported, content.error().message};
}

Result<std::string> abbreviate(const OperationSources& sources, const ObjectId& id) {
  return abbreviate(sources.objects, id,
                    configured_abbreviation(sources.config, sources.repository.algorithm));
}

}  // namespace resident
