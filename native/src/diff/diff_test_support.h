// Test support for tree_index_diff and renames: a repository for us and for git, and git's raw diff
// format. Our own results are converted to the same format.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diff/path_change.h"
#include "diff/tree_index_diff.h"
#include "fs/linux/posix_file_system.h"
#include "index/index.h"
#include "odb/object_database.h"
#include "testing/repo_builder.h"

namespace resident {

// "<mode> <mode> <id> <id> <letter><score> [<source> -> ]<path>", one string for each change.
using RawDiff = std::vector<std::string>;

inline std::string raw_line(const Side& before, const Side& after, const std::string& status,
                            const std::string& path) {
  char modes[32];
  std::snprintf(modes, sizeof modes, "%06o %06o ", before.mode, after.mode);
  return modes + before.id.hex() + " " + after.id.hex() + " " + status + " " + path;
}

inline std::string raw_line(const PathChange& change) {
  std::string status(1, static_cast<char>(change.change));
  if (change.from.empty()) return raw_line(change.before, change.after, status, change.path);
  char score[16];
  std::snprintf(score, sizeof score, "%03d", change.percent());
  return raw_line(change.before, change.after, status + score, change.from + " -> " + change.path);
}

inline std::string raw_line(const UnmergedPath& path) {
  return raw_line(path.before, path.after, "U", path.path);
}

// Parses the output of `git diff-index --raw --no-abbrev -z`.
inline RawDiff parse_raw(const std::string& out) {
  RawDiff result;
  size_t at = 0;
  auto field = [&] {
    size_t end = out.find('\0', at);
    std::string text = out.substr(at, end - at);
    at = end == std::string::npos ? out.size() : end + 1;
    return text;
  };
  while (at < out.size()) {
    std::string line = field().substr(1);
    char status = line[line.rfind(' ') + 1];
    std::string path = field();
    if (status == 'R' || status == 'C') path += " -> " + field();
    result.push_back(line + " " + path);
  }
  return result;
}

// A repository for git, with our readers of it.
class DiffRepository : public testing::RepoBuilder {
 public:
  explicit DiffRepository(HashAlgorithm algorithm = HashAlgorithm::kSha1) : algorithm_(algorithm) {
    init({algorithm == HashAlgorithm::kSha1 ? "--object-format=sha1" : "--object-format=sha256"});
    ObjectDatabase::Options options;
    options.algorithm = algorithm;
    auto odb = ObjectDatabase::open(posix_file_system(), work() + "/.git/objects", options);
    EXPECT_TRUE(odb.ok());
    odb_ = std::move(*odb);
  }

  ObjectDatabase& odb() { return *odb_; }
  std::shared_ptr<const Index> index() {
    auto index = Index::load(work() + "/.git/index", {algorithm_, true});
    EXPECT_TRUE(index.ok()) << (index.ok() ? "" : index.error().message);
    return *index;
  }
  ObjectId id(const std::string& revision) {
    return *ObjectId::from_hex(git_line({"rev-parse", revision}));
  }
  TreeReader tree_reader() {
    return [this](const ObjectId& tree) { return odb_->read_tree(tree); };
  }
  // "<mode> <id>"; the object need not exist.
  std::string made_up(std::string_view mode, char fill) {
    return std::string(mode) + " " + std::string(2 * hash_size(algorithm_), fill);
  }
  // Replaces the index with these lines of `git update-index --index-info`.
  void set_index(const std::string& info) {
    git({"read-tree", "--empty"});
    git({"update-index", "--add", "--index-info"}, info);
  }
  void commit_index() {
    std::string tree = git_line({"write-tree", "--missing-ok"});
    git({"update-ref", "HEAD", git_line({"commit-tree", "-m", "1", tree})});
  }

  // Our diff of HEAD and index. Unmerged paths have lines too, as in git's output.
  RawDiff ours(TreeIndexDiff* out = nullptr) {
    auto diff = diff_tree_index(id("HEAD^{tree}"), *index(), tree_reader());
    EXPECT_TRUE(diff.ok()) << (diff.ok() ? "" : diff.error().message);
    if (!diff.ok()) return {};
    RawDiff lines;
    size_t next = 0;
    for (const PathChange& change : diff->changes) {
      for (; next < diff->unmerged.size() && diff->unmerged[next].path < change.path; ++next) {
        lines.push_back(raw_line(diff->unmerged[next]));
      }
      lines.push_back(raw_line(change));
    }
    for (; next < diff->unmerged.size(); ++next) lines.push_back(raw_line(diff->unmerged[next]));
    if (out) *out = *std::move(diff);
    return lines;
  }
  RawDiff gits(Arguments more = {"--no-renames"}) {
    Arguments arguments = {"diff-index", "--cached",    "--raw",
                           "-z",         "--no-abbrev", "--ita-invisible-in-index"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back("HEAD");
    return parse_raw(git(arguments));
  }

 private:
  HashAlgorithm algorithm_;
  std::unique_ptr<ObjectDatabase> odb_;
};

}  // namespace resident
