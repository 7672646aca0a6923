// The attributes files that apply in one directory, from the lowest precedence to the highest:
// - built-in rules,
// - the system's file,
// - core.attributesFile,
// - .gitattributes of the root of the worktree and of each directory below it,
// - info/attributes.
//
// A directory without a file shares the stack of its parent.
//
// Threads: immutable, so safe from any thread.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "attributes/attribute_file.h"
#include "attributes/path_attributes.h"

namespace resident {

// The files that belong to no subdirectory. Each may be null. All have base "".
struct BaseAttributeFiles {
  std::shared_ptr<const AttributeFile> system = nullptr;  // not with GIT_ATTR_NOSYSTEM
  std::shared_ptr<const AttributeFile> user = nullptr;    // core.attributesFile
  std::shared_ptr<const AttributeFile> root = nullptr;    // .gitattributes of the worktree's root
  std::shared_ptr<const AttributeFile> info = nullptr;    // $GIT_DIR/info/attributes
};

class AttributeStack {
 public:
  static std::shared_ptr<const AttributeStack> create(const BaseAttributeFiles& files);

  // The stack of a subdirectory that has its own .gitattributes.
  std::shared_ptr<const AttributeStack> with_directory(
      std::shared_ptr<const AttributeFile> file) const;

  // The attributes of `path`, relative to the root of the worktree. `path` must be in the directory
  // of this stack. The path of a directory may end in '/'.
  PathAttributes lookup(std::string_view path, const PatternMatching& matching) const;

  // An attribute that a rule decides, and that rule. Points into the files of the stack.
  struct Decision {
    std::string_view name;
    AttributeValue value;
    const AttributeFile* file = nullptr;
    const AttributeFile::Rule* rule = nullptr;
    std::string_view macro = {};  // the rule assigns through this macro; empty: directly
  };
  // The result of lookup(), sorted by name, with the rule that decides each attribute.
  std::vector<Decision> decisions(std::string_view path, const PatternMatching& matching) const;

  // Whether any rule of the stack can decide the attribute `name`, directly or through a macro.
  // False means that lookup() leaves it unspecified for every path.
  bool mentions(std::string_view name) const { return mentioned_.contains(name); }

 private:
  // Macros come only from the files that belong to no subdirectory. A whole tree of stacks shares
  // them.
  using Macros = std::unordered_map<std::string_view, std::span<const AttributeFile::Assignment>>;

  AttributeStack() = default;
  void add_mentioned(const AttributeFile& file);
  template <typename Take>
  void decide(std::span<const AttributeFile::Assignment> assignments, const Take& take) const;
  template <typename Visit>
  void for_each_rule(std::string_view path, const PatternMatching& matching,
                     const Visit& visit) const;

  std::vector<std::shared_ptr<const AttributeFile>>
      files_;                                  // the last one has the highest precedence
  std::shared_ptr<const AttributeFile> info_;  // wins over all of files_; may be null
  std::shared_ptr<const Macros> macros_;
  std::unordered_set<std::string_view> mentioned_;
};

}  // namespace resident
