#include "odb/ahead_behind.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "fs/linux/posix_file_system.h"
#include "testing/number_from.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;

struct RandomCommit {
  std::vector<size_t> parents;
  uint64_t date;
};

enum class Dates { kGrowing, kEqual, kSkewed, kRandom, kStretches };

// A mostly linear history with side branches, merges (also octopus and criss-cross) and a few new
// roots.
std::vector<RandomCommit> random_history(std::mt19937& random, size_t size, Dates dates) {
  std::vector<RandomCommit> history;
  for (size_t i = 0; i < size; ++i) {
    RandomCommit commit;
    const size_t wanted = random() % 12 == 0 ? 0 : random() % 4 == 0 ? 2 + random() % 2 : 1;
    for (size_t p = 0; p < wanted && i > 0; ++p) {
      const size_t reach = std::min<size_t>(i, random() % 3 ? 4 : 15);
      const size_t parent = i - 1 - random() % reach;
      if (std::find(commit.parents.begin(), commit.parents.end(), parent) == commit.parents.end()) {
        commit.parents.push_back(parent);
      }
    }
    const uint64_t regular = 1700000000 + 10 * i;
    commit.date = dates == Dates::kGrowing  ? regular
                  : dates == Dates::kEqual  ? 1700000000
                  : dates == Dates::kSkewed ? regular - 150 + random() % 300
                  // Longer than git's slack.
                  : dates == Dates::kStretches ? (i / 9 % 3 == 1 ? 1000 + i : regular)
                                               : 1 + random() % 2000000000;
    history.push_back(std::move(commit));
  }
  return history;
}

std::vector<ObjectId> import(RepoBuilder& repo, const std::vector<RandomCommit>& history) {
  std::string stream;
  for (size_t i = 0; i < history.size(); ++i) {
    stream += "commit refs/c/" + std::to_string(i) + "\nmark :" + std::to_string(i + 1) +
              "\ncommitter A <a@x> " + std::to_string(history[i].date) + " +0000\ndata 0\n";
    const char* keyword = "from";
    for (size_t parent : history[i].parents) {
      stream += std::string(keyword) + " :" + std::to_string(parent + 1) + "\n";
      keyword = "merge";
    }
    // Makes each commit unique, also without parents and with equal dates.
    stream += "M 100644 inline f\ndata 8\n" + std::to_string(10000000 + i) + "\n";
  }
  repo.git({"fast-import", "--quiet", "--export-marks=" + repo.path("marks")}, stream);
  std::vector<ObjectId> ids(history.size());
  const std::string marks = testing::read_whole_file(repo.path("marks"));
  for (size_t at = 0; at < marks.size();) {
    const size_t space = marks.find(' ', at), end = marks.find('\n', at);
    ids[std::stoul(marks.substr(at + 1)) - 1] =
        *ObjectId::from_hex(marks.substr(space + 1, end - space - 1));
    at = end + 1;
  }
  return ids;
}

Result<AheadBehind> count(CommitReader& reader, const ObjectId& ours, const ObjectId& theirs) {
  RESIDENT_TRY(const auto counted, AheadBehindWalk(reader, ours, theirs).step({}));
  return *counted;
}

AheadBehind gits_count(RepoBuilder& repo, const ObjectId& ours, const ObjectId& theirs) {
  const std::string counts =
      repo.git_line({"rev-list", "--left-right", "--count", ours.hex() + "..." + theirs.hex()});
  return {std::stoi(counts), std::stoi(counts.substr(counts.find('\t')))};
}

// Counts the commits that only one side reaches, by definition.
AheadBehind true_count(const std::vector<RandomCommit>& history, size_t ours, size_t theirs) {
  auto reach = [&](size_t from) {
    std::vector<bool> reached(history.size());
    std::vector<size_t> pending = {from};
    while (!pending.empty()) {
      const size_t commit = pending.back();
      pending.pop_back();
      if (reached[commit]) continue;
      reached[commit] = true;
      pending.insert(pending.end(), history[commit].parents.begin(), history[commit].parents.end());
    }
    return reached;
  };
  const auto a = reach(ours), b = reach(theirs);
  AheadBehind result;
  for (size_t i = 0; i < history.size(); ++i) {
    result.ahead += a[i] && !b[i];
    result.behind += b[i] && !a[i];
  }
  return result;
}

// The commit-graph that the repository has.
enum class Graph { kNone, kDates, kLevels, kOfSome, kChain, kMixedChain };

void write_graph(RepoBuilder& repo, const std::vector<ObjectId>& ids, Graph graph) {
  const std::string levels = "commitGraph.generationVersion=1",
                    dates = "commitGraph.generationVersion=2";
  const auto write = [&](const std::string& version, const std::string& split, size_t commits) {
    std::string input;
    for (size_t i = 0; i < commits; ++i) input += ids[i].hex() + "\n";
    RepoBuilder::Arguments arguments = {"-c", version, "commit-graph", "write", "--stdin-commits"};
    if (!split.empty()) arguments.push_back(split);
    repo.git(arguments, input);
  };
  const size_t some = ids.size() * 2 / 3;
  if (graph == Graph::kDates) write(dates, "", ids.size());
  if (graph == Graph::kLevels) write(levels, "", ids.size());
  if (graph == Graph::kOfSome) write(dates, "", some);
  if (graph == Graph::kChain || graph == Graph::kMixedChain) {
    write(graph == Graph::kChain ? dates : levels, "--split=no-merge", some / 2);
    write(dates, "--split=no-merge", some);
    write(dates, "--split=no-merge", ids.size());
  }
}

TEST(AheadBehind, CountsAsGitDoesInRandomHistories) {
  // To run more seeds: RESIDENT_HISTORY_SEEDS=500.
  const bool wanted = std::getenv("RESIDENT_HISTORY_SEEDS");
  const unsigned seeds = testing::number_from("RESIDENT_HISTORY_SEEDS", 30);
  int left_to_git = 0, counted_ourselves = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto dates = static_cast<Dates>(seed % 5);
    const auto graph = static_cast<Graph>(seed / 5 % 6);
    const auto history = random_history(random, 20 + random() % 60, dates);
    RepoBuilder repo;
    repo.init();
    const auto ids = import(repo, history);
    write_graph(repo, ids, graph);
    auto objects = ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {});
    ASSERT_TRUE(objects.ok());
    ASSERT_EQ((*objects)->commit_graph() != nullptr, graph != Graph::kNone);
    StoredCommitReader reader(**objects, {});
    for (int pair = 0; pair < 12; ++pair) {
      const size_t ours = history.size() - 1 - random() % std::min<size_t>(20, history.size());
      const size_t theirs = random() % history.size();
      auto counted = count(reader, ids[ours], ids[theirs]);
      const bool dates_lie = dates >= Dates::kSkewed;
      if (!counted.ok() && dates_lie && graph != Graph::kNone) {
        ASSERT_EQ(counted.error().code, ErrorCode::kUnsupported) << counted.error().message;
        ++left_to_git;
        continue;
      }
      ASSERT_TRUE(counted.ok()) << counted.error().message;
      ++counted_ourselves;
      const AheadBehind git = gits_count(repo, ids[ours], ids[theirs]);
      EXPECT_TRUE(*counted == git)
          << ids[ours].hex() << "..." << ids[theirs].hex() << ": " << counted->ahead << " "
          << counted->behind << ", git " << git.ahead << " " << git.behind;
      const AheadBehind truth = true_count(history, ours, theirs);
      if (dates < Dates::kRandom) {
        EXPECT_EQ(*counted, truth);
      }
      // Steps of any size give the same result.
      AheadBehindWalk walk(reader, ids[ours], ids[theirs]);
      std::optional<AheadBehind> in_steps;
      for (int steps = 0; !in_steps && steps < 1000; ++steps) {
        auto stepped = walk.step({.visits = 1 + random() % 5});
        ASSERT_TRUE(stepped.ok());
        in_steps = *stepped;
      }
      EXPECT_EQ(in_steps, *counted);
      if (wanted && git != truth) printf("git is wrong: seed %u, dates %d\n", seed, int(dates));
    }
  }
  EXPECT_GT(counted_ourselves, 3 * left_to_git);
  if (wanted) printf("counted %d, left to git %d\n", counted_ourselves, left_to_git);
}

TEST(AheadBehind, CountsTheTruthByBitmapsThatCoverSomeTips) {
  const unsigned seeds = testing::number_from("RESIDENT_HISTORY_SEEDS", 20);
  int by_bitmaps = 0, pairs = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto dates = static_cast<Dates>(seed % 5);
    const auto history = random_history(random, 20 + random() % 60, dates);
    RepoBuilder repo;
    repo.init();
    // Old commits are in packs with bitmaps, new commits are not.
    const size_t old = history.size() / 3 + random() % (history.size() * 2 / 3);
    const auto write = [&] {
      const std::string table =
          std::string("pack.writeBitmapLookupTable=") + (random() % 2 ? "true" : "false");
      if (random() % 2) {
        repo.git({"-c", table, "repack", "-qadb"});
      } else {
        repo.git({"repack", "-qd"});
        repo.git({"-c", table, "multi-pack-index", "write", "--bitmap"});
      }
    };
    import(repo, {history.begin(), history.begin() + static_cast<std::ptrdiff_t>(old)});
    write();
    const auto ids = import(repo, history);
    auto objects = ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {});
    ASSERT_TRUE(objects.ok());
    ASSERT_NE((*objects)->bitmaps(), nullptr);
    StoredCommitReader reader(**objects, {});
    for (int pair = 0; pair < 12; ++pair) {
      const size_t ours = history.size() - 1 - random() % std::min<size_t>(20, history.size());
      const size_t theirs = random() % history.size();
      AheadBehindWalk walk(reader, ids[ours], ids[theirs], random() % 8);
      std::optional<AheadBehind> counted;
      for (int steps = 0; !counted && steps < 2000; ++steps) {
        auto stepped = walk.step({.visits = 1 + random() % 5});
        ASSERT_TRUE(stepped.ok());
        counted = *stepped;
      }
      ++pairs;
      const AheadBehind truth = true_count(history, ours, theirs);
      if (walk.counted_by_bitmaps()) {
        ++by_bitmaps;
        EXPECT_EQ(counted, truth);
      }
      if (dates < Dates::kRandom || !walk.counted_by_bitmaps()) {
        EXPECT_EQ(counted, gits_count(repo, ids[ours], ids[theirs]));
      }
    }
  }
  EXPECT_GT(by_bitmaps, pairs / 3);
}

// Bitmaps and commit-graphs do not know replaced commits or cut-off history.
TEST(AheadBehind, CountsAsGitDoesInHistoriesThatAreReplacedOrCutOff) {
  const unsigned seeds = testing::number_from("RESIDENT_HISTORY_SEEDS", 20);
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const auto history =
        random_history(random, 20 + random() % 60, static_cast<Dates>(random() % 3));
    RepoBuilder repo;
    repo.init();
    const auto ids = import(repo, history);
    write_graph(repo, ids, static_cast<Graph>(random() % 6));
    if (random() % 2) repo.git({"repack", "-qadb"});
    ObjectDatabase::Replacements replaced;
    std::unordered_set<ObjectId> shallow;
    for (size_t left = 1 + random() % 3; left > 0; --left) {
      const size_t commit = history.size() / 2 + random() % (history.size() / 2);
      if (seed % 2) {
        shallow.insert(ids[commit]);
      } else if (const size_t other = random() % commit; !replaced.contains(ids[commit])) {
        repo.git({"replace", ids[commit].hex(), ids[other].hex()});
        replaced.emplace(ids[commit], ids[other]);
      }
    }
    std::string cut_off;
    for (const ObjectId& id : shallow) cut_off += id.hex() + "\n";
    if (!shallow.empty()) testing::write_whole_file(repo.work() + "/.git/shallow", cut_off);
    auto objects = ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {});
    ASSERT_TRUE(objects.ok());
    (*objects)->use({.commit_graph = false});
    (*objects)->set_replacements(std::move(replaced));
    StoredCommitReader reader(**objects, shallow);
    for (int pair = 0; pair < 12; ++pair) {
      const size_t ours = history.size() - 1 - random() % 10, theirs = random() % history.size();
      AheadBehindWalk walk(reader, ids[ours], ids[theirs], 0);
      const auto counted = walk.step({});
      ASSERT_TRUE(counted.ok()) << counted.error().message;
      EXPECT_EQ(**counted, gits_count(repo, ids[ours], ids[theirs]))
          << ids[ours].hex() << "..." << ids[theirs].hex();
      EXPECT_FALSE(walk.counted_by_bitmaps());
    }
  }
}

TEST(AheadBehind, StopsEarlyInALongHistory) {
  class Counting final : public CommitReader {
   public:
    explicit Counting(CommitReader& reader) : reader_(reader) {}
    Result<CommitInfo> read(const ObjectId& id) override {
      ++reads;
      return reader_.read(id);
    }
    int reads = 0;

   private:
    CommitReader& reader_;
  };
  std::vector<RandomCommit> history;
  for (size_t i = 0; i < 300; ++i) {
    history.push_back(
        {i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1}, 1700000000 + i});
  }
  history.push_back({{295}, 1700000400});
  RepoBuilder repo;
  repo.init();
  const auto ids = import(repo, history);
  auto objects = ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {});
  StoredCommitReader stored(**objects, {});
  Counting reader(stored);
  EXPECT_EQ(*count(reader, ids[300], ids[299]), (AheadBehind{1, 4}));
  EXPECT_LT(reader.reads, 20);
}

TEST(AheadBehind, AMissingCommitIsAnError) {
  RepoBuilder repo;
  repo.init();
  const auto ids =
      import(repo, {{{}, 1700000000}, {{0}, 1700000001}, {{0}, 1700000002}, {{1}, 1700000003}});
  auto objects = ObjectDatabase::open(posix_file_system(), repo.work() + "/.git/objects", {});
  StoredCommitReader reader(**objects, {});
  const std::string hex = ids[1].hex();
  std::remove((repo.work() + "/.git/objects/" + hex.substr(0, 2) + "/" + hex.substr(2)).c_str());
  auto counted = count(reader, ids[3], ids[2]);
  ASSERT_FALSE(counted.ok());
  EXPECT_NE(counted.error().message.find(hex), std::string::npos);
}

TEST(AheadBehind, RespectsShallowClones) {
  RepoBuilder repo;
  repo.init();
  std::vector<RandomCommit> history;
  for (size_t i = 0; i < 10; ++i) {
    history.push_back(
        {i == 0 ? std::vector<size_t>{} : std::vector<size_t>{i - 1}, 1700000000 + i});
  }
  history.push_back({{7}, 1700000020});
  const auto ids = import(repo, history);
  repo.git({"branch", "a", ids[9].hex()});
  repo.git({"branch", "b", ids[10].hex()});
  repo.git({"clone", "-q", "--bare", "--no-single-branch", "--depth=2", "file://" + repo.work(),
            repo.path("shallow.git")});
  repo.enter("shallow.git");
  auto shallow = read_shallow_file(posix_file_system(), repo.path("shallow.git/shallow"),
                                   HashAlgorithm::kSha1);
  ASSERT_TRUE(shallow.ok());
  EXPECT_EQ(shallow->size(), 2u);
  auto objects = ObjectDatabase::open(posix_file_system(), repo.path("shallow.git/objects"), {});
  StoredCommitReader reader(**objects, *shallow);
  EXPECT_EQ(*count(reader, ids[9], ids[10]), gits_count(repo, ids[9], ids[10]));

  testing::write_whole_file(repo.path("bad"), ids[0].hex() + "\nrubbish\n");
  auto bad = read_shallow_file(posix_file_system(), repo.path("bad"), HashAlgorithm::kSha1);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, repo.path("bad") + ": bad shallow line: rubbish");
  EXPECT_TRUE(
      read_shallow_file(posix_file_system(), repo.path("none"), HashAlgorithm::kSha1)->empty());
}

}  // namespace
}  // namespace resident
