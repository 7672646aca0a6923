// Test support: a repository in which we and git detect renames.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "diff/diff_test_support.h"
#include "diff/renames.h"
#include "git/git_rules.h"

namespace resident {

inline std::string lines(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += "this is line number " + std::to_string(i) + "\n";
  return text;
}

class RenameRepository : public DiffRepository {
 public:
  using DiffRepository::DiffRepository;

  ContentSource contents() {
    ContentSource source;
    source.read = [this](const ObjectId& id, const std::string& path) -> Result<std::string> {
      if (!id.is_null()) return odb().read_blob(id);
      std::string file = work() + "/" + path;
      if (std::filesystem::is_symlink(file)) return std::filesystem::read_symlink(file).string();
      if (!std::filesystem::exists(file)) return Error{ErrorCode::kNotFound, path};
      return testing::read_whole_file(file);
    };
    source.size = [this](const ObjectId& id, const std::string&) -> Result<uint64_t> {
      RESIDENT_TRY(ObjectInfo info, odb().read_info(id));
      return info.size;
    };
    return source;
  }
  void commit() {
    git({"add", "-A"});
    git({"commit", "-qm", "1", "--allow-empty"});
  }
  void remove(std::string_view path) { std::filesystem::remove(work() + "/" + std::string(path)); }
  void rename(const std::string& from, const std::string& to) {
    write(to, read(from));
    remove(from);
  }
  void add_all() { git({"add", "-A"}); }

  // Detects renames between HEAD and index.
  RenameResult detect(const RenameOptions& options) {
    auto diff = diff_tree_index(id("HEAD^{tree}"), *index(), tree_reader());
    EXPECT_TRUE(diff.ok());
    auto result = detect_renames(std::move(diff->changes), diff->unmerged, options, contents());
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    return result.ok() ? *std::move(result) : RenameResult();
  }
  static RawDiff raw(const RenameResult& result) {
    RawDiff raw;
    for (const PathChange& change : result.changes) raw.push_back(raw_line(change));
    return raw;
  }
  RawDiff gits_merged(const RenameOptions& options) {
    RawDiff all = gits(arguments(options));
    std::erase_if(all, [](const std::string& line) { return line.find(" U ") != line.npos; });
    return all;
  }
  static Arguments arguments(const RenameOptions& options) {
    // One percent is 600 points.
    std::string score = std::to_string(options.minimum_score / 600) + "%";
    return {(options.mode == RenameMode::kCopies ? "-C" : "-M") + score,
            "-l" + std::to_string(options.limit)};
  }
  void expect_equals_git(RenameOptions options = {}, const std::string& what = {}) {
    const Result<GitRules> rules = current_git_rules();
    ASSERT_TRUE(rules.ok()) << rules.error().message;
    options.counts_incomplete_chunk = rules->counts_incomplete_chunk;
    options.prefers_unique_basenames = rules->prefers_unique_basenames;
    for (RenameMode mode : {RenameMode::kRenames, RenameMode::kCopies}) {
      options.mode = mode;
      EXPECT_EQ(raw(detect(options)), gits_merged(options))
          << what << (mode == RenameMode::kCopies ? " copies" : "") << " minimum "
          << options.minimum_score << " limit " << options.limit;
    }
  }
};

}  // namespace resident
