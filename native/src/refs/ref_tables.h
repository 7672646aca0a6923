// RefTables: refs and reflogs in reftables. One stack has the shared refs and the main worktree's
// own refs. Each linked worktree has a stack for its own refs.
//
// Only git can interpret a damaged table: kUnsupported, with the damage in the message.
//
// Source: git's Documentation/technical/reftable and refs/reftable-backend.c.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "refs/ref_backend.h"
#include "refs/ref_name.h"
#include "refs/reftable_stack.h"

namespace resident {

class RefTables final : public RefBackend {
 public:
  RefTables(std::string git_dir, std::string common_dir, HashAlgorithm algorithm, FileSystem& fs);

  Result<RawRef> read(const std::string& name) override;
  Result<Listed> below(const std::string& prefix) override;
  Result<void> visit_log_backwards(const std::string& name, const ReflogVisitor& visit) override;
  std::vector<std::string> files_of(const std::vector<std::string>& names) override;
  std::vector<std::string> files_below(const std::string& prefix) override;
  std::vector<std::string> symbolic_below(const std::string& prefix) override;
  std::vector<std::string> log_files_of(const std::string& name) override;
  void begin_reading() override EXCLUDES(mutex_);
  void end_reading() override EXCLUDES(mutex_);
  std::string place_of(const std::string& name) const override;

 private:
  std::string directory_of(const RefAddress& address) const;
  ReftableStack& stack_of(const RefAddress& address) EXCLUDES(mutex_);

  const std::string git_dir_;
  const std::string common_dir_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;

  Mutex mutex_;
  int readings_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::unique_ptr<ReftableStack>> stacks_ GUARDED_BY(mutex_);  // by git_dir
};

}  // namespace resident
