// What the state of an operation is read from: the files that git keeps beside the worktree while
// it merges, rebases, picks or bisects. The files are never trusted: each is read whole up to a
// limit, and what cannot be read is git's to tell.
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

// All must outlive the calls that they are given to.
struct OperationFiles {
  FileSystem& fs;
  const std::string& git_dir;  // the worktree's
};
struct OperationSources {
  FileSystem& fs;
  RefStore& refs;
  ObjectDatabase& objects;
  const Config& config;
  const GitRules& rules;
  const Repository& repository;

  // NOLINTNEXTLINE(google-explicit-constructor): they are a part of it.
  operator OperationFiles() const { return {fs, repository.git_dir}; }
};

// `name` is a path below the worktree's git directory.
std::string operation_file(const OperationFiles& files, std::string_view name);

// Whatever it is; symbolic links are followed.
bool operation_file_exists(const OperationFiles& files, std::string_view name);

// The content; nullopt where there is no such file. kUnsupported where it cannot be read and where
// it is larger than any of git's own.
Result<std::optional<std::string>> read_operation_file(const OperationFiles& files,
                                                       std::string_view name);

// An id as git abbreviates it here.
Result<std::string> abbreviate(const OperationSources& sources, const ObjectId& id);

}  // namespace resident
