// Inputs for the state of an operation. git keeps these files in the git directory during a merge,
// rebase, cherry-pick or bisect.
//
// The files are never trusted. Each is read as a whole up to a size limit. If a file cannot be
// read, only git can tell.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "config/config.h"
#include "fs/file_system.h"
#include "git/git_rules.h"
#include "odb/object_database.h"
#include "refs/ref_store.h"
#include "repository/repository.h"

namespace resident {

// All must outlive the calls that get them.
struct OperationFiles {
  FileSystem& fs;
  const std::string& git_dir;  // the worktree's own
};
struct OperationSources {
  FileSystem& fs;
  RefStore& refs;
  ObjectDatabase& objects;
  const Config& config;
  const GitRules& rules;
  const Repository& repository;

  // NOLINTNEXTLINE(google-explicit-constructor): the files are a part of the sources.
  operator OperationFiles() const { return {fs, repository.git_dir}; }
};

// `name` is a path below the worktree's git directory.
std::string operation_file(const OperationFiles& files, std::string_view name);

// True for any kind of file. Symbolic links are followed.
bool operation_file_exists(const OperationFiles& files, std::string_view name);

// Returns the content, or nullopt if the file does not exist. Fails with kUnsupported if the file
// cannot be read, or is larger than any file that git writes.
Result<std::optional<std::string>> read_operation_file(const OperationFiles& files,
                                                       std::string_view name);

// The id in the abbreviated form that git prints in this repository.
Result<std::string> abbreviate(const OperationSources& sources, const ObjectId& id);

}  // namespace resident
