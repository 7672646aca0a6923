// FileContent: does a worktree file hold what git would store as a given blob? The file's bytes go
// through the conversions that its attributes and the config ask for; what an external filter would
// make of them is a question to git (FilterQuestions).
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
  // What conversions depend on.
  struct Rules {
    std::shared_ptr<const Index> index;  // for attributes files that are not checked out
    ObjectDatabase* objects = nullptr;
    ConversionConfig config;
    std::optional<std::string> system_attributes;  // contents; unset: no such file
    std::optional<std::string> user_attributes;
    std::optional<std::string> info_attributes;
    // Attributes files outside of it are not read from the index; null: all are.
    std::shared_ptr<const SparseCone> cone;
    PatternMatching matching;
    // git tries to read a directory called .gitattributes, and complains.
    bool directory_is_read = false;
    // One of these three is there and cannot be read, which git says whenever it wants them.
    bool attributes_unreadable = false;
  };

  explicit FileContent(Setup setup) : setup_(std::move(setup)) {}

  // Replaces the rules and forgets every attributes file read. Not while compare() runs.
  void set_rules(Rules rules);
  // Any thread.
  Result<ContentMatch> compare(const FileRef& file, const FileStat& stat,
                               const ObjectId& id) override;
  bool has_pending() const override { return !filters_.empty(); }
  void forget_pending(std::string_view path) override { filters_.drop(path); }
  // What is to be asked of git, by whoever owns this.
  FilterQuestions& filters() { return filters_; }
  const FilterQuestions& filters() const { return filters_; }
  // The program that the driver of that name runs, as it is now.
  FilterProgram filter_program(const std::string& driver) const;
  // Forgets the attributes files of directories without entries in the index. Some of them are
  // ignored, and what changes there is told by nobody: before each question about untracked paths.
  void forget_outside_index() EXCLUDES(mutex_);
  // A look at an attributes file, or at a directory that is not there, for all that would be below.
  struct AttributesLook {
    std::string path;  // absolute
    Result<FileStat> stat;
    Timestamp at;  // before it
    // The file is for certain as it was when it was read.
    bool is_current(FileSystem& fs) const;
  };
  // At those that forget_outside_index() would forget.
  std::vector<AttributesLook> looks_outside_index() EXCLUDES(mutex_);
  // Whether `path` has the attributes that a pathspec demands; an AttributeCheck. Any thread.
  bool has_attributes(std::string_view path, std::span<const AttributeDemand> demands);
  // The attributes files that decide about `path`. Any thread.
  std::shared_ptr<const AttributeStack> attribute_stack(std::string_view path);
  // What git does to the bytes of a regular file at `path`. Any thread.
  Conversion conversion_of(std::string_view path);
  // Whether git has something to say of the attributes in a directory of the index, in one of
  // `further` (each ending in '/'), or in another one whose attributes were asked for.
  bool attributes_warn(std::span<const std::string> further) EXCLUDES(mutex_);
  // Of the attributes that decide about `path`. Any thread.
  bool attributes_warn_of(std::string_view path);

  // A file that is larger is not held in memory to be compared: git is asked, or, where nothing of
  // the repository's own is run, it is hashed piece by piece.
  static constexpr uint64_t kMaxHeld = 4 << 20;
  // Nor is one that goes through a conversion, where git is not asked; of a larger one nothing can
  // be said then.
  static constexpr uint64_t kMaxConverted = 64 << 20;

  struct Stored {
    std::string content;
    bool converted = false;  // it went through a conversion, whether that changed it or not
    bool git_warns = false;  // as in ContentMatch
  };
  // The file's content as git would store it; kUnsupported where only an external filter can tell.
  Result<Stored> read(const FileRef& file, const FileStat& stat, const ObjectId& in_index);
  // Whether the attribute `diff` declares the path binary or text; nullopt where its content
  // decides. Any thread.
  std::optional<bool> is_binary(std::string_view path, const Config& config);

 private:
  struct Attributes {
    std::shared_ptr<const AttributeStack> stack;
    bool git_warns = false;  // of reading them
    // At the directory's own one.
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
  // By directory: "" or ending in '/'.
  std::map<std::string, Attributes, std::less<>> stacks_ GUARDED_BY(mutex_);
};

}  // namespace resident
