// FileContent: compares a worktree file with a blob, as git would store the file. The file's bytes
// go through the conversions of its attributes and of the config. An external filter is run by git
// (FilterQuestions).
//
// Source: git's read-cache.c (ce_compare_data, ce_compare_link), attr.c (read_attr,
// read_attr_from_index).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "attributes/attribute_stack.h"
#include "base/thread_annotations.h"
#include "config/config.h"
#include "filter/conversion.h"
#include "filter/conversion_config.h"
#include "odb/object_database.h"
#include "pattern/attribute_demand.h"
#include "status/filter_questions.h"
#include "status/refresh.h"
#include "status/sparse_cone.h"

namespace resident {

class FileContent final : public ContentComparer {
 public:
  struct Setup {
    FileSystem& fs;
    std::string root;  // absolute path of the worktree
    HashAlgorithm algorithm;
    bool run_filters;  // false: a file with an external filter is an error (kUnsafe)
  };
  // Input of the conversions.
  struct Rules {
    std::shared_ptr<const Index> index;  // for attributes files that are not checked out
    ObjectDatabase* objects = nullptr;
    ConversionConfig config;
    std::optional<std::string> system_attributes;  // contents; unset: no such file
    std::optional<std::string> user_attributes;
    std::optional<std::string> info_attributes;
    // Attributes files outside the cone are not read from the index; null: all are.
    std::shared_ptr<const SparseCone> cone;
    PatternMatching matching;
    // True if this git tries to read a directory called .gitattributes, and warns.
    bool directory_is_read = false;
    // One of these three files exists but is unreadable. git then warns each time it needs
    // attributes.
    bool attributes_unreadable = false;
  };

  explicit FileContent(Setup setup) : setup_(std::move(setup)) {}

  // Replaces the rules and drops all cached attributes files. Do not call it while compare() runs.
  void set_rules(Rules rules);
  // Any thread.
  Result<ContentMatch> compare(const FileRef& file, const FileStat& stat,
                               const ObjectId& id) override;
  bool has_pending() const override { return !filters_.empty(); }
  void forget_pending(std::string_view path) override { filters_.drop(path); }
  // Open questions for git. The owner of this object must ask them.
  FilterQuestions& filters() { return filters_; }
  const FilterQuestions& filters() const { return filters_; }
  // The program that the driver runs, with its present version.
  FilterProgram filter_program(const std::string& driver) const;
  // Drops the cached attributes files of directories without index entries. Some of these
  // directories are ignored and have no watch. Call it before each question about untracked paths.
  void forget_outside_index() EXCLUDES(mutex_);
  // Stat of an attributes file. If its directory is missing, stat of that directory, for all files
  // below.
  struct AttributesLook {
    std::string path;  // absolute
    Result<FileStat> stat;
    Timestamp at;  // before the stat
    // True only if the file has certainly not changed since it was read.
    bool is_current(FileSystem& fs) const;
  };
  // Looks at the files that forget_outside_index() would drop.
  std::vector<AttributesLook> looks_outside_index() EXCLUDES(mutex_);
  // Whether `path` has the attributes that a pathspec demands. Usable as an AttributeCheck. Any
  // thread.
  bool has_attributes(std::string_view path, std::span<const AttributeDemand> demands);
  // The attributes files that apply to `path`. Any thread.
  std::shared_ptr<const AttributeStack> attribute_stack(std::string_view path);
  // git's conversion of a regular file at `path`. Any thread.
  Conversion conversion_of(std::string_view path);
  // Whether git warns about attributes of any known directory. Reads all directories of the index
  // and those of `further` (each ending in '/'); other directories count if they are cached.
  bool attributes_warn(std::span<const std::string> further) EXCLUDES(mutex_);
  // The same for the attributes that apply to `path`. Any thread.
  bool attributes_warn_of(std::string_view path);

  // A larger file is not held in memory. git compares it if it may run; otherwise an unconverted
  // file is hashed in pieces.
  static constexpr uint64_t kMaxHeld = 4 << 20;
  // Limit for a file that needs a conversion when git may not run. A larger file has no answer.
  static constexpr uint64_t kMaxConverted = 64 << 20;

  struct Stored {
    std::string content;
    bool converted = false;  // a conversion applied, even if it changed nothing
    bool git_warns = false;  // like ContentMatch::git_warns
  };
  // The file's content as git would store it. kUnsupported if that needs an external filter.
  Result<Stored> read(const FileRef& file, const FileStat& stat, const ObjectId& in_index);
  // True: the attribute `diff` marks the path as binary; false: as text; nullopt: its content
  // decides. Any thread.
  std::optional<bool> is_binary(std::string_view path, const Config& config);

 private:
  struct Attributes {
    std::shared_ptr<const AttributeStack> stack;
    bool git_warns = false;  // about any attributes file that applies here
    // Stat of the directory's own attributes file.
    Result<FileStat> stat = Error{};
    Timestamp at = {};
  };
  struct Decided {
    Conversion conversion;
    bool git_warns = false;
  };
  struct FoundFile {
    std::shared_ptr<const AttributeFile> file;  // null: none
    bool git_warns = false;
    Result<FileStat> stat = Error{};
  };
  Result<ContentMatch> matches_link(const FileRef& file, const ObjectId& id);
  Attributes attributes_for(std::string_view path);
  Result<Decided> decide(std::string_view path);
  Result<ContentMatch> matches_in_pieces(const Decided& decided, const FileRef& file,
                                         const FileStat& stat, const ObjectId& id);
  Result<Stored> read_as(const Decided& decided, const FileRef& file, const ObjectId& in_index);
  Attributes attributes_of(std::string_view directory) EXCLUDES(mutex_);
  bool is_outside_index(std::string_view directory) const;
  std::string attributes_path(std::string_view directory) const;
  FoundFile read_attributes(std::string_view directory) const;
  Result<std::string> read_staged(std::string_view path) const;

  const Setup setup_;
  Rules rules_;
  FilterQuestions filters_;
  Mutex mutex_;
  // Key: directory, "" or ending in '/'.
  std::map<std::string, Attributes, std::less<>> stacks_ GUARDED_BY(mutex_);
};

}  // namespace resident
