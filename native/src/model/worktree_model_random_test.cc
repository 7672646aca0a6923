// Hundreds of random operations, by hand and by git, on a live model over inotify. After each
// operation the answer equals git's, and the folded deltas equal the whole state. Other runs have
// no events, and use the sweep instead.
//
// A failure names its seed; RESIDENT_SEED=<n> runs that seed alone, RESIDENT_SEEDS=<n> that many.
#include <random>

#include "model/model_test_support.h"
#include "testing/lossy_watcher.h"
#include "testing/number_from.h"
#include "testing/value_of.h"

namespace resident {
namespace {

namespace stdfs = std::filesystem;

class ModelRandomTest : public ModelTest {
 protected:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  template <typename T>
  const T& one_of(const std::vector<T>& from) {
    return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
  }

  // Every path in the worktree outside .git. `directories`: only directories.
  std::vector<std::string> paths(bool directories) {
    std::vector<std::string> found;
    for (auto it = stdfs::recursive_directory_iterator(at(""));
         it != stdfs::recursive_directory_iterator(); ++it) {
      const std::string relative = it->path().string().substr(at("").size() + 1);
      if (relative == ".git") {
        it.disable_recursion_pending();
        continue;
      }
      if (it->is_symlink() || !it->is_directory() ? !directories : true) found.push_back(relative);
    }
    std::sort(found.begin(), found.end());
    if (directories) {
      std::erase_if(found, [this](const std::string& path) {
        return !stdfs::is_directory(stdfs::symlink_status(at(path)));
      });
      found.push_back("");
    }
    return found;
  }
  std::string in(const std::string& directory, const std::string& name) {
    return directory.empty() ? name : directory + "/" + name;
  }
  std::string random_name() {
    static const std::vector<std::string> kNames = {"a", "b",   "c", "d",  "e.o",
                                                    "f", "out", "A", "a-", "a.b"};
    return one_of(kNames);
  }
  // The parent of a new file. Its path has no symbolic link, so nothing is written outside the
  // worktree.
  std::string random_directory() { return one_of(paths(true)); }

  std::string step() {
    std::error_code failed;
    const auto files = paths(false);
    switch (below(16)) {
      case 0:
      case 1:
      case 2: {
        const std::string path = in(random_directory(), random_name());
        if (stdfs::is_directory(stdfs::symlink_status(at(path)))) return "nothing";
        stdfs::remove(at(path), failed);
        repo_.write(path,
                    std::string(static_cast<size_t>(below(3)), 'x') + std::to_string(below(3)));
        return "write " + path;
      }
      case 3: {
        const std::string path = in(random_directory(), random_name());
        stdfs::create_directories(at(path), failed);
        return "mkdir " + path;
      }
      case 4: {
        if (files.empty()) return "nothing";
        const std::string path = one_of(files);
        stdfs::remove_all(at(path), failed);
        return "remove " + path;
      }
      case 5:
      case 6: {
        const std::string from = one_of(paths(true));
        const std::string to = in(random_directory(), random_name());
        if (from.empty() || stdfs::exists(stdfs::symlink_status(at(to)))) return "nothing";
        stdfs::rename(at(from), at(to), failed);
        return "rename " + from + " to " + to;
      }
      case 7: {
        if (files.empty()) return "nothing";
        const std::string from = one_of(files);
        const std::string to = in(random_directory(), random_name());
        stdfs::rename(at(from), at(to), failed);
        return "rename " + from + " to " + to;
      }
      case 8: {
        const std::string path = in(random_directory(), ".gitignore");
        static const std::vector<std::string> kRules = {"*.o\n",     "out/\n", "a\n!a/b\n",
                                                        "*\n!*.o\n", "",       "/b\n"};
        if (below(3) == 0) {
          stdfs::remove(at(path), failed);
        } else {
          repo_.write(path, one_of(kRules));
        }
        return "ignore rules " + path;
      }
      case 9: {
        const std::string path = in(random_directory(), random_name());
        stdfs::create_symlink(random_name(), at(path), failed);
        return "link " + path;
      }
      case 10: {
        if (files.empty()) return "nothing";
        const std::string path = one_of(files);
        if (stdfs::is_symlink(at(path))) return "nothing";
        ::chmod(at(path).c_str(), below(2) || stdfs::is_directory(at(path)) ? 0755 : 0644);
        return "chmod " + path;
      }
      case 11:
        (void)repo_.try_git({"add", "-A"});
        return "add -A";
      case 12: {
        if (files.empty()) return "nothing";
        const std::string path = one_of(files);
        static const std::vector<Args> kCommands = {{"add", "-f", "--"},
                                                    {"rm", "-r", "-q", "--cached", "--"},
                                                    {"rm", "-r", "-q", "-f", "--"},
                                                    {"add", "-N", "--"},
                                                    {"reset", "-q", "--"},
                                                    {"checkout", "-q", "--"}};
        Args command = one_of(kCommands);
        const std::string text = command[0] + " " + path;
        command.push_back(path);
        (void)repo_.try_git(command);
        return text;
      }
      case 13:
        (void)repo_.try_git({"commit", "-q", "-m", "c"});
        return "commit";
      case 14: {
        static const std::vector<Args> kCommands = {
            {"reset", "-q", "--hard"},        {"stash", "-q"},
            {"stash", "pop", "-q"},           {"checkout", "-q", "-B", "other", "HEAD~1"},
            {"checkout", "-q", "-f", "main"}, {"clean", "-qfd"}};
        const Args& command = one_of(kCommands);
        (void)repo_.try_git(command);
        return command[0] + " " + command.back();
      }
      default: {
        const std::string path = in(random_directory(), "nested");
        if (stdfs::exists(at(path))) {
          stdfs::remove_all(at(path), failed);
        } else {
          (void)repo_.try_git({"init", "-q", path});
          if (below(2)) repo_.write(path + "/f", "1");
        }
        return "nested repository " + path;
      }
    }
  }

  // The initial state of every run.
  void begin() {
    repo_.write("a/b/c", "0");
    repo_.write("d/e.o", "0");
    repo_.git({"add", "-A"});
    repo_.git({"commit", "-q", "-m", "0"});
  }

  void run(unsigned seed, int steps) {
    random_.seed(seed);
    std::string history;
    for (int i = 0; i < steps; ++i) {
      history += "\n" + std::to_string(i) + ": ";
      for (int together = 1 + below(piles_up_ ? 10 : 3); together > 0; --together) {
        history += step() + "; ";
        if (piles_up_ && below(2)) model_->freshness().events().drain();
        if (recursive_ && below(2)) recursive_->tick();
      }
      if (lossy_ && below(2)) {
        history += "lost";
        lossy_->lose();
      }
      apply_changes();
      expect_as_git();
      if (HasFailure()) {
        ADD_FAILURE() << "RESIDENT_SEED=" << seed << history;
        return;
      }
    }
  }

  // Called before the answers are compared.
  virtual void apply_changes() {}

  std::mt19937 random_;
  std::unique_ptr<testing::LossyWatcher> lossy_;
  bool piles_up_ = false;  // events are drained, and applied only later
};

class ModelRandomSeedTest : public ModelRandomTest,
                            public ::testing::WithParamInterface<unsigned> {};

TEST_P(ModelRandomSeedTest, EqualsGitAfterEachStep) {
  begin();
  start_on_inotify();
  run(GetParam(), 40);
}

TEST_P(ModelRandomSeedTest, EqualsGitOnFanotify) {
  begin();
  if (!start_on_fanotify()) GTEST_SKIP() << "fanotify does not watch here";
  run(GetParam(), 40);
}

// One recursive watch, which is late, coalesces and uses other names. Half of the runs overflow.
TEST_P(ModelRandomSeedTest, EqualsGitOnARecursiveWatch) {
  begin();
  testing::WatchHabits habits = testing::kAllHabits;
  if (GetParam() % 2 == 0) habits.capacity = 100'000;
  start_on_recursive(habits, GetParam());
  run(GetParam(), 40);
}

// Marks pile up, as while git holds its lock. The limits are small.
TEST_P(ModelRandomSeedTest, EqualsGitWhereMarksPileUp) {
  begin();
  piles_up_ = true;
  pending_ = {GetParam() % 3, GetParam() % 2 ? size_t{1} << 20 : 2000};
  start_on_inotify();
  run(GetParam(), 25);
}

// Half of all events are lost, including those of removed and replaced directories.
TEST_P(ModelRandomSeedTest, EqualsGitAfterEachLoss) {
  begin();
  auto watcher = make_inotify_watcher([] {});
  lossy_ = std::make_unique<testing::LossyWatcher>(std::move(watcher));
  open_model(lossy_.get());
  ASSERT_TRUE(model_->scan().ok());
  take();
  run(GetParam(), 40);
}

// No event reports a change. A round of the sweep finds every change.
class ModelUntoldRandomTest : public ModelRandomTest,
                              public ::testing::WithParamInterface<unsigned> {
  void apply_changes() override {
    const uint64_t rounds = model_->freshness().sweep_progress().rounds;
    while (model_->freshness().sweep_progress().rounds == rounds) {
      const bool found = model_->sweep(static_cast<uint64_t>(1 + below(20)));
      if (found || below(4) == 0) update();
    }
    update();
  }
};

TEST_P(ModelUntoldRandomTest, ARoundFindsWhatNoEventTold) {
  begin();
  start();
  run(GetParam(), 25);
}

std::vector<unsigned> seeds(unsigned otherwise) {
  if (const unsigned one = testing::number_from("RESIDENT_SEED", 0)) return {one};
  std::vector<unsigned> all(testing::number_from("RESIDENT_SEEDS", otherwise));
  for (unsigned i = 0; i < all.size(); ++i) all[i] = i + 1;
  return all;
}
INSTANTIATE_TEST_SUITE_P(Seeds, ModelRandomSeedTest, ::testing::ValuesIn(seeds(8)));
INSTANTIATE_TEST_SUITE_P(Seeds, ModelUntoldRandomTest, ::testing::ValuesIn(seeds(3)));

}  // namespace
}  // namespace resident
