// Asks git which renames and copies it sees, over trees made by hand and at random.
#include "worktree/renames.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "worktree/diff_test_support.h"

namespace resident {
namespace {

std::string lines(int from, int to) {
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

  // HEAD against index.
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
    // "<n>%" is 600 points a percent.
    std::string score = std::to_string(options.minimum_score / 600) + "%";
    return {(options.mode == RenameMode::kCopies ? "-C" : "-M") + score,
            "-l" + std::to_string(options.limit)};
  }
  void expect_equals_git(RenameOptions options = {}, const std::string& what = {}) {
    for (RenameMode mode : {RenameMode::kRenames, RenameMode::kCopies}) {
      options.mode = mode;
      EXPECT_EQ(raw(detect(options)), gits_merged(options))
          << what << (mode == RenameMode::kCopies ? " copies" : "") << " minimum "
          << options.minimum_score << " limit " << options.limit;
    }
  }
};

int count(const RenameResult& result, Change kind) {
  return static_cast<int>(
      std::count_if(result.changes.begin(), result.changes.end(),
                    [kind](const PathChange& change) { return change.change == kind; }));
}

TEST(Renames, Off) {
  RenameRepository repo;
  repo.write("a", "1\n");
  repo.commit();
  repo.rename("a", "b");
  repo.add_all();
  RenameOptions options;
  options.mode = RenameMode::kOff;
  EXPECT_EQ(repo.raw(repo.detect(options)), repo.gits({"--no-renames"}));
}

TEST(Renames, IdenticalContentReadsNothing) {
  for (HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    RenameRepository repo(algorithm);
    repo.write("a", lines(0, 10));
    repo.write("empty", "");
    repo.commit();
    repo.rename("a", "dir/b");
    repo.rename("empty", "hollow");
    repo.add_all();
    repo.expect_equals_git();
    RenameResult result = repo.detect({});
    EXPECT_EQ(count(result, Change::kRenamed), 2);
    EXPECT_EQ(result.changes[0].from, "a");
    EXPECT_EQ(result.changes[0].percent(), 100);
    EXPECT_EQ(result.work.contents_read, 0u);
  }
}

TEST(Renames, BasenameDecidesAmongIdenticalSources) {
  RenameRepository repo;
  for (const char* path : {"x/one", "x/two", "y/one", "y/three"}) repo.write(path, lines(0, 5));
  repo.commit();
  for (const char* path : {"x/one", "x/two", "y/one", "y/three"}) repo.remove(path);
  for (const char* path : {"z/three", "z/two", "z/new", "z/a"}) repo.write(path, lines(0, 5));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, OneSourceForSeveralDestinations) {
  RenameRepository repo;
  repo.write("a", lines(0, 50));
  repo.commit();
  repo.remove("a");
  for (const char* path : {"b", "c", "d"}) repo.write(path, lines(0, 50));
  repo.write("e", lines(0, 48));
  repo.write("f", lines(0, 40));
  repo.add_all();
  repo.expect_equals_git();
  RenameOptions options;
  options.mode = RenameMode::kCopies;
  EXPECT_EQ(count(repo.detect(options), Change::kCopied), 4);
}

TEST(Renames, CopiesComeFromChangedFilesOnly) {
  RenameRepository repo;
  repo.write("changed", lines(0, 50));
  repo.write("unchanged", lines(100, 150));
  repo.write("mode", lines(200, 250));
  repo.commit();
  repo.write("changed", lines(0, 49));
  repo.git({"update-index", "--chmod=+x", "mode"});
  ::chmod((repo.work() + "/mode").c_str(), 0755);
  repo.write("changed-copy", lines(0, 50));
  repo.write("changed-inexact", lines(0, 45));
  repo.write("mode-copy", lines(200, 250));
  repo.write("unchanged-copy", lines(100, 150));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, UniqueBasenamesGoFirst) {
  RenameRepository repo;
  repo.write("old/Makefile", lines(0, 100));
  repo.write("old/other", lines(0, 98));
  repo.commit();
  repo.remove("old/Makefile");
  repo.remove("old/other");
  repo.write("new/Makefile", lines(0, 80));  // 80%: above halfway to identity
  repo.write("new/better", lines(0, 99));
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, OfManyIdenticalSourcesOnlySomeAreWeighed) {
  RenameRepository repo;
  std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, lines(0, 3));
  std::string before;
  std::string after;
  for (int i = 100; i < 400; ++i) {
    before += "100644 " + blob + "\told/f" + std::to_string(i) + "\n";
    // The first finds no source of its name among the first hundred.
    after += "100644 " + blob + "\tnew/f" + std::to_string(499 - i) + "\n";
    if (i % 3 == 0) after += "100644 " + blob + "\tnew/g" + std::to_string(i) + "\n";
  }
  repo.set_index(before);
  repo.commit_index();
  repo.set_index(after);
  repo.expect_equals_git();
}

TEST(Renames, TypesDoNotMix) {
  RenameRepository repo;
  repo.write("file", "target");
  std::filesystem::create_symlink("target", repo.work() + "/link");
  std::filesystem::create_symlink("target-that-is-long-enough", repo.work() + "/link2");
  repo.commit();
  repo.remove("file");
  repo.remove("link");
  repo.remove("link2");
  std::filesystem::create_symlink("target", repo.work() + "/new-link");
  std::filesystem::create_symlink("target-that-is-long-enougH", repo.work() + "/new-link2");
  repo.write("run", "target");
  ::chmod((repo.work() + "/run").c_str(), 0755);
  repo.add_all();
  repo.expect_equals_git();
}

TEST(Renames, Submodules) {
  RenameRepository repo;
  repo.set_index(repo.made_up("160000", '1') + "\told\n" + repo.made_up("160000", '2') + "\tx\n");
  repo.commit_index();
  repo.set_index(repo.made_up("160000", '1') + "\tnew\n" + repo.made_up("160000", '3') + "\ty\n");
  repo.expect_equals_git();
  EXPECT_EQ(count(repo.detect({}), Change::kRenamed), 1);
}

TEST(Renames, UnmergedPathsCanBeCopiedFrom) {
  RenameRepository repo;
  repo.write("conflict", lines(0, 50));
  repo.write("gone", lines(0, 49));
  repo.commit();
  std::string blob = repo.git_line({"rev-parse", "HEAD:conflict"});
  repo.remove("gone");
  repo.write("new", lines(0, 50));
  repo.write("new2", lines(0, 48));
  repo.add_all();
  repo.git({"update-index", "--force-remove", "conflict"});
  repo.git({"update-index", "--index-info"}, "100644 " + blob + " 1\tconflict\n100644 " + blob +
                                                 " 2\tconflict\n100644 " + blob + " 3\tadded\n");
  repo.expect_equals_git();
}

TEST(Renames, PastTheLimitOnlyTheCheapStepsRemain) {
  RenameRepository repo;
  for (int i = 0; i < 4; ++i) repo.write("old" + std::to_string(i), lines(10 * i, 10 * i + 30));
  repo.write("dir/same-name", lines(500, 530));
  repo.write("exact", lines(600, 630));
  repo.commit();
  for (int i = 0; i < 4; ++i) {
    repo.rename("old" + std::to_string(i), "new" + std::to_string(i));
    repo.write("new" + std::to_string(i), lines(10 * i, 10 * i + 28));
  }
  repo.remove("dir/same-name");
  repo.write("other/same-name", lines(500, 529));
  repo.rename("exact", "moved");
  repo.add_all();
  for (int limit : {0, 1, 3, 4, 5, 1000}) {
    RenameOptions options;
    options.limit = limit;
    repo.expect_equals_git(options);
    EXPECT_EQ(repo.detect(options).limited, limit == 1 || limit == 3) << limit;
  }
}

TEST(Renames, MinimumScore) {
  RenameRepository repo;
  repo.write("a", lines(0, 100));
  repo.commit();
  repo.remove("a");
  repo.write("b", lines(30, 100));
  repo.add_all();
  for (int percent : {0, 1, 50, 69, 70, 71, 99, 100}) {
    RenameOptions options;
    options.minimum_score = percent * 600;
    repo.expect_equals_git(options);
  }
}

TEST(Renames, MissingObjectIsAnError) {
  RenameRepository repo;
  repo.set_index(repo.made_up("100644", '1') + "\told\n");
  repo.commit_index();
  repo.set_index(repo.made_up("100644", '2') + "\tnew\n");
  auto diff = diff_tree_index(repo.id("HEAD^{tree}"), *repo.index(), repo.tree_reader());
  ASSERT_TRUE(diff.ok());
  auto result = detect_renames(diff->changes, diff->unmerged, {}, repo.contents());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
}

// Index against worktree, where additions are intent-to-add entries. The changes themselves are
// git's.
class WorktreeRenames : public ::testing::Test {
 protected:
  static Side side(const std::string& mode, const std::string& id) {
    return {static_cast<uint32_t>(std::stoul(mode, nullptr, 8)), *ObjectId::from_hex(id)};
  }
  RawDiff gits(const testing::RepoBuilder::Arguments& more) {
    testing::RepoBuilder::Arguments arguments = {"diff-files", "--raw", "-z", "--no-abbrev",
                                                 "--ita-invisible-in-index"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return parse_raw(repo_.git(arguments));
  }
  // "<status> <path>" without modes and ids: git prints ids that it computed on the way.
  static RawDiff without_ids(const RawDiff& lines) {
    RawDiff out;
    for (const std::string& line : lines) {
      std::string rest = line.substr(14);
      rest = rest.substr(rest.find(' ') + 1);
      out.push_back(rest.substr(rest.find(' ') + 1));
    }
    return out;
  }
  void expect_equals_git() {
    std::vector<PathChange> changes;
    std::vector<UnmergedPath> unmerged;
    for (const std::string& line : gits({"--no-renames"})) {
      std::string before_id = line.substr(14, 40);
      std::string after_id = line.substr(55, 40);
      Side before = side(line.substr(0, 6), before_id);
      Side after = side(line.substr(7, 6), after_id);
      std::string path = line.substr(98);
      if (line[96] == 'U') {
        unmerged.push_back({path, before, after});
      } else {
        changes.push_back({path, static_cast<Change>(line[96]), before, after, {}, 0});
      }
    }
    for (RenameMode mode : {RenameMode::kRenames, RenameMode::kCopies}) {
      RenameOptions options;
      options.mode = mode;
      auto result = detect_renames(changes, unmerged, options, repo_.contents());
      ASSERT_TRUE(result.ok());
      RawDiff ours = without_ids(repo_.raw(*result));
      RawDiff theirs = without_ids(gits(repo_.arguments(options)));
      std::erase_if(theirs, [](const std::string& line) { return line[0] == 'U'; });
      std::sort(ours.begin(), ours.end());
      std::sort(theirs.begin(), theirs.end());
      EXPECT_EQ(ours, theirs);
    }
  }
  RenameRepository repo_;
};

TEST_F(WorktreeRenames, IntentToAdd) {
  repo_.write("exact", lines(0, 30));
  repo_.write("edited", lines(100, 130));
  repo_.write("changed", lines(200, 230));
  repo_.write("stays-deleted", lines(300, 330));
  repo_.commit();
  repo_.rename("exact", "exact-moved");
  repo_.rename("edited", "edited-moved");
  repo_.write("edited-moved", lines(100, 128));
  repo_.write("changed", lines(200, 229));
  repo_.write("changed-copy", lines(200, 230));
  repo_.remove("stays-deleted");
  repo_.git({"add", "-N", "exact-moved", "edited-moved", "changed-copy"});
  expect_equals_git();
  repo_.remove("exact-moved");
  expect_equals_git();
}

TEST_F(WorktreeRenames, UnmergedFilesUseUpSources) {
  repo_.write("gone", lines(0, 30));
  repo_.write("gone2", lines(50, 80));
  repo_.commit();
  std::string blob = repo_.git_line({"hash-object", "-w", "--stdin"}, lines(0, 20));
  repo_.git({"update-index", "--index-info"},
            "100644 " + blob + " 2\tconflict\n100644 " + blob + " 3\tconflict\n100644 " + blob +
                " 2\tlost\n100644 " + blob + " 3\tlost\n100644 " + blob + " 1\tonly-base\n");
  repo_.remove("gone");
  repo_.remove("gone2");
  repo_.write("conflict", lines(0, 30));
  repo_.write("new", lines(0, 20));
  repo_.write("new2", lines(50, 80));
  repo_.git({"add", "-N", "new", "new2"});
  expect_equals_git();
}

// Contents of many kinds and small edits of them.
class RandomContents {
 public:
  explicit RandomContents(uint32_t seed) : random_(seed) {}

  size_t pick(size_t bound) { return random_() % bound; }

  std::string make() {
    std::string content;
    size_t kind = pick(8);
    size_t pieces = kind == 0 ? pick(2) : 5 + pick(40);
    for (size_t i = 0; i < pieces; ++i) content += piece(kind);
    if (pick(4) == 0 && !content.empty()) content.pop_back();
    if (pick(6) == 0) content += "no newline at the end";
    return content;
  }

  std::string edit(std::string content) {
    size_t edits = pick(8) == 0 ? 0 : 1 + pick(3);
    for (size_t i = 0; i < edits && !content.empty(); ++i) {
      size_t at = pick(content.size());
      switch (pick(5)) {
        case 0:
          content.erase(at, 1 + pick(1 + content.size() / 6));
          break;
        case 1:
          content.insert(at, piece(pick(8)));
          break;
        case 2:
          content[at] = static_cast<char>(pick(256));
          break;
        case 3:
          content = content.substr(at) + content.substr(0, at);
          break;
        default:
          content = recode(content);
      }
    }
    return content;
  }

 private:
  std::string piece(size_t kind) {
    // Few different ones, so that unrelated files share some.
    std::string text = "line " + std::to_string(pick(200)) + " of kind " + std::to_string(pick(3));
    switch (kind) {
      case 1:
        return text + "\r\n";
      case 2:
        return std::string(1 + pick(200), static_cast<char>('a' + pick(26)));
      case 3: {
        std::string bytes;
        for (size_t i = 0, n = pick(100); i < n; ++i) bytes += static_cast<char>(pick(256));
        return bytes;
      }
      case 4:
        return pick(2) ? "\n" : "}\n";
      case 5:
        return text + (pick(3) ? "\r\n" : pick(2) ? "\r" : "\n");
      case 6:
        return text + '\0' + "\r\n";
      default:
        return text + "\n";
    }
  }
  // LF to CRLF or back.
  std::string recode(const std::string& content) {
    std::string out;
    bool to_dos = pick(2) == 0;
    for (char c : content) {
      if (c == '\r' && !to_dos) continue;
      if (c == '\n' && to_dos) out += '\r';
      out += c;
    }
    return out;
  }

  std::mt19937 random_;
};

// One commit and one index of files that were kept, edited, moved, copied, removed and added.
void random_case(RenameRepository& repo, uint32_t seed) {
  RandomContents random(seed);
  static const std::vector<std::string> kDirectories = {"", "a/", "b/", "a/b/"};
  auto new_path = [&] {
    return kDirectories[random.pick(kDirectories.size())] + "f" + std::to_string(random.pick(30));
  };
  std::map<std::string, std::string> before;
  for (size_t i = 0, n = 2 + random.pick(12); i < n; ++i) {
    before[new_path()] =
        random.pick(4) == 0 && !before.empty() ? before.begin()->second : random.make();
  }
  std::map<std::string, std::string> after;
  for (auto& [path, content] : before) {
    switch (random.pick(6)) {
      case 0:
        after[path] = content;
        break;
      case 1:
        after[path] = random.edit(content);
        break;
      case 2:
        break;
      case 3:
        after[new_path()] = content;
        break;
      default:
        for (size_t i = 0, n = 1 + random.pick(3); i < n; ++i)
          after[new_path()] = random.edit(content);
    }
    if (random.pick(5) == 0) after[new_path()] = random.make();
  }
  // One fast-import makes the blobs of both sides, and a commit each.
  std::string stream;
  auto commit = [&](const char* branch, const std::map<std::string, std::string>& files) {
    stream += "commit refs/heads/" + std::string(branch) +
              "\ncommitter A <a@b> 1700000000 +0000\ndata 0\ndeleteall\n";
    for (auto& [path, content] : files) {
      stream += std::string("M ") + (random.pick(10) ? "100644" : "100755") + " inline " + path +
                "\ndata " + std::to_string(content.size()) + "\n" + content + "\n";
    }
  };
  commit("before", before);
  commit("after", after);
  repo.git({"fast-import", "--quiet", "--force"}, stream);
  repo.git({"update-ref", "HEAD", "refs/heads/before"});
  repo.git({"read-tree", "refs/heads/after"});
}

TEST(Renames, RandomTreesEqualGit) {
  // More by hand: RESIDENT_SEEDS=<count>, or one alone by RESIDENT_SEED=<seed>.
  const char* one = std::getenv("RESIDENT_SEED");
  const char* many = std::getenv("RESIDENT_SEEDS");
  const uint32_t first = one ? static_cast<uint32_t>(std::atoi(one)) : 1;
  const uint32_t count = one ? 1 : many ? static_cast<uint32_t>(std::atoi(many)) : 150;
  RenameRepository repo;
  int inexact = 0;
  static constexpr int kPercents[] = {50, 50, 1, 30, 60, 75, 90, 99};
  for (uint32_t seed = first; seed < first + count; ++seed) {
    random_case(repo, seed);
    RenameOptions options;
    options.minimum_score = 600 * kPercents[seed % 8];
    options.limit = seed % 5 == 0 ? 2 : 1000;
    repo.expect_equals_git(options, "seed " + std::to_string(seed));
    if (::testing::Test::HasFailure()) break;
    for (const PathChange& change : repo.detect(options).changes) {
      if (!change.from.empty() && change.score < kMaxScore) ++inexact;
    }
  }
  // The cases are worth their time.
  EXPECT_TRUE(one || inexact > static_cast<int>(count / 2)) << inexact;
}

}  // namespace
}  // namespace resident
