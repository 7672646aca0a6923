// FileTexts: the contents of a few files, which may be missing.
//
// Threads: one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repo_state/file_set.h"

namespace resident {

class FileTexts {
 public:
  using Texts = std::vector<std::optional<std::string>>;

  // All parameters must outlive this object; `gate` may be null.
  FileTexts(FileSystem& fs, MetadataGate* gate) : fs_(fs), gate_(gate) {}

  // Reads the files; "": no such file. True if a text has changed.
  bool read(const std::vector<std::string>& paths);
  // True if the files may have changed since they were read.
  bool changed() { return files_.changed(fs_, gate_); }

  // In the order of the paths; nullopt: missing or unreadable.
  const Texts& texts() const { return texts_; }
  // True if a file exists but cannot be read. Git warns about it when it needs the file.
  bool are_unreadable() const { return are_unreadable_; }
  const std::vector<std::string>& files() const { return files_.paths(); }

 private:
  FileSystem& fs_;
  MetadataGate* const gate_;
  FileSet files_;
  Texts texts_;
  bool are_unreadable_ = false;
};

}  // namespace resident
