// HistoryOverrides: replaced objects and grafts, which give the same ids other trees and another
// history; and the end of a shallow history.
//
// Threads: one owner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "refs/ref_store.h"
#include "repo_state/current_config.h"
#include "repo_state/current_git.h"
#include "repo_state/current_objects.h"
#include "repo_state/file_set.h"

namespace resident {

class HistoryOverrides {
 public:
  // The data that the overrides depend on. All of it is loaded before.
  struct Sources {
    const Repository& repository;
    const CurrentGit& git;
    const CurrentConfig& config;
    RefStore& refs;
    CurrentObjects& objects;  // gets the replacements
  };

  // All parameters must outlive this object; `gate` may be null.
  HistoryOverrides(FileSystem& fs, MetadataGate* gate, const Sources& sources)
      : fs_(fs), gate_(gate), sources_(sources) {}

  // kUnsupported: only git can answer with these overrides.
  Result<void> load();
  // True if other objects are replaced. After an error, the next call tries again.
  Result<bool> refresh();
  // The config may decide otherwise.
  void mark_stale() { is_stale_ = true; }

  std::vector<std::string> files() const { return files_.paths(); }

 private:
  using Replaced = std::map<std::string, ObjectId>;  // by ref

  Result<bool> read();
  Result<void> check_surroundings() const;
  Result<Replaced> replaced_objects() const;

  FileSystem& fs_;
  MetadataGate* const gate_;
  const Sources sources_;
  Replaced replaced_;
  bool is_stale_ = false;
  FileSet files_;
};

}  // namespace resident
