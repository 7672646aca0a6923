// RefFiles: refs in loose files and packed-refs, reflogs in files below logs/.
//
// Source: git's Documentation/gitrepository-layout.txt and git-worktree.txt, "REFS".
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "fs/file_system.h"
#include "refs/packed_refs.h"
#include "refs/ref_backend.h"

namespace resident {

class RefFiles final : public RefBackend {
 public:
  RefFiles(std::string git_dir, std::string common_dir, HashAlgorithm algorithm, FileSystem& fs);

  Result<RawRef> read(const std::string& name) override;
  Result<Listed> below(const std::string& prefix) override;
  Result<void> visit_log_backwards(const std::string& name, const ReflogVisitor& visit) override;
  std::vector<std::string> files_of(const std::vector<std::string>& names) override;
  std::vector<std::string> files_below(const std::string& prefix) override;
  std::vector<std::string> symbolic_below(const std::string& prefix) override;
  std::vector<std::string> log_files_of(const std::string& name) override;
  std::string place_of(const std::string& name) const override { return path_of(name, ""); }

 private:
  // `below` is "" or "logs/".
  std::string path_of(std::string_view name, std::string_view below) const;
  // A directory of loose refs and its candidates for refs. An error of the visitor ends the visit.
  struct LooseDirectory;
  Result<void> list(const std::string& path, LooseDirectory& loose, DirectoryListing& listing);
  using LooseVisitor = std::function<Result<void>(const LooseDirectory&)>;
  Result<void> visit_loose(const std::string& prefix, const LooseVisitor& visit);
  Result<void> add_loose(const std::string& prefix, Listed& refs);
  std::vector<std::string> symbolic_in(const LooseDirectory& loose);
  Result<std::shared_ptr<const PackedRefs>> packed_refs() EXCLUDES(mutex_);

  const std::string git_dir_;
  const std::string common_dir_;
  const HashAlgorithm algorithm_;
  FileSystem& fs_;

  Mutex mutex_;
  std::shared_ptr<const PackedRefs> packed_ GUARDED_BY(mutex_);  // null: no file, or not read yet
  struct Symbolic {
    FileStat directory;
    std::vector<std::string> names;
  };
  // Cache of directories with many loose refs, by name.
  std::map<std::string, Symbolic> symbolic_ GUARDED_BY(mutex_);
};

}  // namespace resident
