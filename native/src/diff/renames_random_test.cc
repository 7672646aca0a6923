// Compares our renames and copies with git's, in random trees.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "diff/rename_test_support.h"
#include "testing/number_from.h"

namespace resident {
namespace {

// Makes contents of many kinds, and small edits of them.
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
    // Only a few different lines, so that unrelated files share some.
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
  // Converts LF to CRLF or back.
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

// Makes a commit and an index: files are kept, edited, moved, copied, removed and added.
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
  // One fast-import creates the blobs and a commit for each side.
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
  // To run more seeds: RESIDENT_SEEDS=<count>. To run one seed: RESIDENT_SEED=<seed>.
  const uint32_t first = testing::number_from("RESIDENT_SEED", 1);
  const bool one = std::getenv("RESIDENT_SEED");
  const uint32_t count = one ? 1 : testing::number_from("RESIDENT_SEEDS", 150);
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
  // Enough cases must have inexact renames.
  EXPECT_TRUE(one || inexact > static_cast<int>(count / 2)) << inexact;
}

}  // namespace
}  // namespace resident
