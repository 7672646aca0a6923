// Details of a branch: the nearest tag, the push destination, the stash. After each git operation
// they equal git's output. They cost nothing while their inputs are unchanged.
//
// A failure names its seed; RESIDENT_SEED=<n> runs that seed alone, RESIDENT_SEEDS=<n> that many.
#include <cstdlib>
#include <random>

#include "model/model_test_support.h"
#include "testing/number_from.h"

namespace resident {
namespace {

using Known = BranchDetails::Known;

class ModelDescribeTest : public ModelTest {
 protected:
  std::string out_of(const Args& arguments) {
    const auto said = repo_.try_git(arguments);
    if (said.exit_code != 0) return {};
    return said.out.substr(0, said.out.find('\n'));
  }
  // For example "v1 3", or "none".
  std::string tag_told() const {
    if (!told_.details) return "nothing was told";
    if (told_.details->tag_known == Known::kPending) return "pending";
    if (told_.details->tag_known == Known::kUnknown) return "unknown";
    if (!told_.details->tag) return "none";
    return told_.details->tag->name + " " + std::to_string(told_.details->tag->distance);
  }
  std::string tag_of_git() {
    std::string said = out_of({"describe", "--tags", "--long", "HEAD"});
    if (said.empty()) return "none";
    said.resize(said.rfind("-g"));
    said[said.rfind('-')] = ' ';
    return said;
  }
  std::string push_told() const {
    if (!told_.details || !told_.details->push) return "";
    const auto& counts = told_.details->push_counts;
    return told_.details->push->name + " " +
           (counts ? std::to_string(counts->ahead) + "\t" + std::to_string(counts->behind) : "");
  }
  std::string push_of_git() {
    const std::string branch = out_of({"symbolic-ref", "HEAD"});
    if (branch.empty()) return "";
    const std::string ref = out_of({"for-each-ref", "--format=%(push)", branch});
    if (ref.empty()) return "";
    // git prints no name for a remote that no setting names.
    const std::string remote = out_of({"for-each-ref", "--format=%(push:remotename)", branch});
    return (remote.empty() ? "origin" : remote) + " " +
           out_of({"rev-list", "--left-right", "--count", "HEAD..." + ref});
  }
  PromptStatus prompt(bool describes = true) {
    PromptQuery query;
    query.describe = query.describe_tags = describes;
    auto status = model_->prompt(query);
    EXPECT_TRUE(status.ok()) << status.error().message;
    return status.ok() ? *status : PromptStatus();
  }
  void expect_details_as_git() {
    update();
    take();
    EXPECT_EQ(tag_told(), tag_of_git());
    EXPECT_EQ(push_told(), push_of_git());
    const std::string stashes = repo_.git({"stash", "list"});
    ASSERT_TRUE(told_.details);
    EXPECT_EQ(told_.details->stashes, std::count(stashes.begin(), stashes.end(), '\n'));
    const PromptStatus shown = prompt();
    EXPECT_EQ(shown.describe, out_of({"describe", "HEAD"}));
    EXPECT_EQ(shown.describe_tags, out_of({"describe", "--tags", "HEAD"}));
    expect_told();
  }
  bool has_reftables() {
    return repo_.try_git({"init", "--ref-format=files", "probe"}).exit_code == 0;
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string name() { return "v" + std::to_string(below(12)); }
  std::string commit_or(const std::string& otherwise) {
    const std::string count = out_of({"rev-list", "--count", "--all"});
    if (count.empty() || count == "0") return otherwise;
    return out_of({"rev-list", "--all", "--max-count=1",
                   "--skip=" + std::to_string(below(std::stoi(count)))});
  }
  std::string step();

  std::mt19937 random_;
};

std::string ModelDescribeTest::step() {
  const auto git = [&](const Args& arguments) {
    std::string words;
    for (const std::string& argument : arguments) words += argument + " ";
    return words + (repo_.try_git(arguments).exit_code == 0 ? "" : "(failed)");
  };
  repo_.set_date(1'600'000'000 + below(5000));
  switch (below(20)) {
    case 0:
    case 1:
    case 2:
      return git({"commit", "-q", "--allow-empty", "-m", "c"});
    case 3:
    case 4:
      return git({"tag", "-f", name(), commit_or("HEAD")});
    case 5:
      return git({"tag", "-f", "-a", "-m", "x", name(), commit_or("HEAD")});
    case 6:
      return git({"tag", "-f", "-a", "-m", "x", "of-" + name(), name()});
    case 7:
      return git({"tag", "-f", "tree-" + name(), "HEAD^{tree}"});
    case 8:
    case 9:
      return git({"tag", "-d", name()});
    case 10:
      return git({"reset", "-q", "--hard", commit_or("HEAD")});
    case 11:
      return git({"merge", "-q", "-m", "m", commit_or("HEAD"), commit_or("HEAD")});
    case 12:
      return git({"checkout", "-q", "-B", below(2) ? "main" : "other"});
    case 13:
      return git({"fetch", "-q", "--tags", "--force", "origin"});
    case 14:
      return git({"pack-refs", "--all"});
    case 15:
      return git({"gc", "-q"});
    case 16:
      // Only one replacement at a time: git fails on circular replacements.
      if (const std::string replaced = out_of({"replace", "-l"}); !replaced.empty()) {
        return git({"replace", "-d", replaced});
      }
      return git({"replace", commit_or("HEAD"), commit_or("HEAD")});
    case 17:
      if (below(2)) return git({"fetch", "-q", "--unshallow", "origin"});
      return git({"fetch", "-q", "--depth=" + std::to_string(1 + below(4)), "origin"});
    case 18:
      repo_.write("f", std::to_string(below(1000)));
      return git({"stash", below(3) ? "push" : "drop", "-q"});
    default:
      return git({"update-ref", "refs/tags/alias-" + name(), "refs/tags/" + name()});
  }
}

TEST_F(ModelDescribeTest, AsGitAfterEachOperation) {
  const unsigned first = testing::number_from("RESIDENT_SEED", 0);
  const unsigned seeds =
      std::getenv("RESIDENT_SEED") ? 1 : testing::number_from("RESIDENT_SEEDS", 3);
  const bool reftables = has_reftables();
  for (unsigned seed = first; seed < first + seeds; ++seed) {
    SCOPED_TRACE("RESIDENT_SEED=" + std::to_string(seed));
    random_.seed(seed);
    const std::string place = "seed" + std::to_string(seed);
    repo_.init({}, place + "-origin");
    for (int i = 0; i < 12; ++i) {
      repo_.git({"commit", "-q", "--allow-empty", "-m", "o"});
      if (i % 5 == 2) repo_.git({"tag", "-a", "-m", "x", "o" + std::to_string(i)});
    }
    const std::string origin = "file://" + repo_.work();
    repo_.init(seed % 3 == 2 && reftables ? Args{"--ref-format=reftable"} : Args{}, place);
    repo_.write("f", "0");
    repo_.git({"add", "f"});
    repo_.git({"commit", "-q", "-m", "f"});
    repo_.git({"remote", "add", "origin", origin});
    repo_.git({"fetch", "-q", "origin"});
    repo_.git({"config", "branch.main.remote", "origin"});
    repo_.git({"config", "branch.main.merge", "refs/heads/main"});
    repo_.git({"config", "push.default", seed % 2 ? "current" : "simple"});
    model_.reset();
    told_ = {};
    start_gated();
    ASSERT_TRUE(model_->want_details(true));
    expect_details_as_git();
    std::string done;
    for (int i = 0; i < 25 && !HasFailure(); ++i) {
      done += step() + "\n";
      SCOPED_TRACE(done);
      expect_details_as_git();
    }
    if (HasFailure()) return;
  }
}

TEST_F(ModelDescribeTest, IsToldToWhoWantsItAlone) {
  old_file("f", "1");
  commit_all();
  repo_.git({"tag", "v1"});
  start_gated();
  EXPECT_FALSE(told_.details);
  EXPECT_TRUE(model_->want_details(true));
  EXPECT_FALSE(model_->want_details(true));
  update();
  take();
  EXPECT_EQ(tag_told(), "v1 0");
  EXPECT_EQ(model_->prompt({}).value().tag, "v1");
  EXPECT_EQ(model_->prompt({.tag = false}).value().tag, "");
  EXPECT_TRUE(model_->want_details(false));
  update();
  take();
  EXPECT_FALSE(told_.details) << "what is not kept any more is told to be gone";
  repo_.git({"tag", "v0"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  update();
  take();
  EXPECT_FALSE(told_.details);
  model_->want_details(true);
  update();
  take();
  EXPECT_EQ(tag_told(), "v0 1");
}

TEST_F(ModelDescribeTest, TagsThatLeadToOtherRefsAndTagsThatAnotherProgramWrites) {
  for (const bool is_gated : {false, true}) {
    for (const std::string storage : {"files", "reftable"}) {
      const std::string place = storage + (is_gated ? "-gated" : "");
      if (storage != "files" && !has_reftables()) continue;
      repo_.init(storage == "files" ? Args{} : Args{"--ref-format=" + storage}, place);
      SCOPED_TRACE(place);
      for (const char* message : {"one", "two", "three"}) {
        repo_.git({"commit", "-q", "--allow-empty", "-m", message});
      }
      repo_.git({"tag", "v1", "HEAD~2"});
      repo_.git({"symbolic-ref", "refs/tags/nowhere", "refs/heads/none"});
      model_.reset();
      gate_.reset();
      told_ = {};
      is_gated ? start_gated() : start_on_inotify();
      ASSERT_TRUE(model_->want_details(true));
      const auto expect = [&](const std::string& tag) {
        expect_details_as_git();
        EXPECT_EQ(tag_told(), tag);
        // From here on, files that were just written count as settled.
        fs_.run_ahead(100);
        for (int i = 0; i < 2; ++i) update();
        take();
      };
      expect("v1 2");
      repo_.git({"branch", "none", "HEAD~1"});
      expect("nowhere 1");
      repo_.git({"branch", "-f", "none", "HEAD"});
      expect("nowhere 0");
      repo_.git({"branch", "-D", "none"});
      expect("v1 2");
      repo_.git({"symbolic-ref", "refs/tags/link", "refs/heads/main"});
      expect("link 0");
      repo_.git({"commit", "-q", "--allow-empty", "-m", "four"});
      expect("link 0");
      repo_.git({"symbolic-ref", "-d", "refs/tags/link"});
      expect("v1 3");
      if (storage != "files") continue;
      repo_.write(".git/refs/tags/v1", repo_.git_line({"rev-parse", "HEAD~1"}) + "\n");
      expect("v1 1");
      repo_.write(".git/refs/tags/empty", "");
      repo_.write(".git/refs/tags/a..b", "");
      expect("v1 1");
      repo_.write("elsewhere/v9", repo_.git_line({"rev-parse", "HEAD~2"}) + "\n");
      std::filesystem::create_symlink(repo_.work() + "/elsewhere", at(".git/refs/tags/l"));
      expect("v1 1");
      repo_.write("elsewhere/v9", repo_.git_line({"rev-parse", "HEAD"}) + "\n");
      expect("l/v9 0");
      std::filesystem::remove(at(".git/refs/tags/l"));
      repo_.git({"commit", "-q", "--allow-empty", "-m", "five"});
      expect("v1 2");
      const std::string head = repo_.git_line({"rev-parse", "HEAD"});
      const std::string tagged = repo_.git_line({"rev-parse", "v1"});
      repo_.git({"replace", "HEAD", "HEAD~1"});
      expect("v1 1");
      repo_.write(".git/refs/replace/" + head, tagged + "\n");
      expect("none");
    }
  }
}

TEST_F(ModelDescribeTest, CostsNothingWhileNothingOfItChanges) {
  for (int i = 0; i < 30; ++i) old_file("d/f" + std::to_string(i), "1");
  commit_all();
  repo_.git({"tag", "-a", "-m", "x", "a/b/v1"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  start_gated();
  model_->want_details(true);
  fs_.run_ahead(100);
  for (int i = 0; i < 3; ++i) update();
  take();
  EXPECT_EQ(tag_told(), "a/b/v1 1");

  const auto calls_of = [&](const std::function<void()>& what) {
    fs_.calls().reset();
    what();
    return fs_.calls().total();
  };
  model_->want_details(false);
  for (int i = 0; i < 2; ++i) update();
  const uint64_t without = calls_of([&] { update(); });
  model_->want_details(true);
  for (int i = 0; i < 2; ++i) update();
  EXPECT_EQ(calls_of([&] { update(); }), without) << "an idle question";

  const auto save = [&](const std::string& content) {
    return calls_of([&] {
      repo_.write("d/f7", content);
      const uint64_t before = model_->freshness().tree().work.lstats;
      update();
      EXPECT_EQ(model_->freshness().tree().work.lstats - before, 1u);
    });
  };
  (void)save("2");
  (void)save("3");
  const uint64_t saved = save("4");
  model_->want_details(false);
  (void)save("5");
  (void)save("6");
  EXPECT_EQ(saved, save("7")) << "a save";
}

// A partial clone with a missing commit. The remote records every request.
TEST_F(ModelDescribeTest, NothingIsFetchedForIt) {
  old_file("f", "1");
  commit_all();
  repo_.git({"tag", "v1"});
  for (const char* message : {"hole", "near", "nearer"}) {
    repo_.git({"commit", "-q", "--allow-empty", "-m", message});
  }
  const std::string hole = repo_.git_line({"rev-parse", "HEAD~2"});
  const std::string noted = repo_.root() + "/asked";
  repo_.write(".git/upload-pack", "#!/bin/sh\ntouch '" + noted + "'\nexit 1\n");
  std::filesystem::permissions(at(".git/upload-pack"), std::filesystem::perms::owner_all);
  repo_.git({"config", "core.repositoryFormatVersion", "1"});
  repo_.git({"config", "extensions.partialClone", "origin"});
  repo_.git({"config", "remote.origin.promisor", "true"});
  repo_.git({"config", "remote.origin.url", repo_.root() + "/nowhere"});
  repo_.git({"config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"});
  repo_.git({"config", "remote.origin.uploadpack", at(".git/upload-pack")});
  repo_.git({"config", "push.default", "current"});
  repo_.git({"update-ref", "refs/remotes/origin/main", "v1"});
  std::filesystem::remove(at(".git/objects/" + hole.substr(0, 2) + "/" + hole.substr(2)));
  start_gated();
  model_->want_details(true);
  update();
  take();
  EXPECT_EQ(tag_told(), "unknown");
  EXPECT_EQ(told_.details->push_known, Known::kUnknown);
  PromptQuery asked;
  asked.describe = true;
  EXPECT_FALSE(model_->prompt(asked).ok());
  EXPECT_TRUE(model_->prompt({}).ok()) << "who does not ask for it is told the rest";
  EXPECT_NE(model_->state().kind, ModelState::Kind::kDelegated);
  EXPECT_FALSE(std::filesystem::exists(noted)) << "the remote was asked";
  repo_.git({"config", "branch.main.remote", "origin"});
  repo_.git({"config", "branch.main.merge", "refs/heads/main"});
  // The failure names the object that the status needs.
  EXPECT_FALSE(model_->update().ok());
  EXPECT_NE(model_->state().message.find(hole), std::string::npos);
  EXPECT_NE(model_->state().kind, ModelState::Kind::kDelegated);
  EXPECT_FALSE(std::filesystem::exists(noted)) << "the remote was asked";
  (void)repo_.try_git({"cat-file", "-p", hole});
  EXPECT_TRUE(std::filesystem::exists(noted)) << "who reads it asks, so that this test can fail";
}

TEST_F(ModelDescribeTest, GraftedHistoryIsGitsToDescribe) {
  old_file("f", "1");
  commit_all();
  repo_.git({"tag", "v1"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
  repo_.git({"commit", "-q", "--allow-empty", "-m", "three"});
  const std::string head = repo_.git_line({"rev-parse", "HEAD"});
  const std::string root = repo_.git_line({"rev-parse", "v1"});
  repo_.write(".git/info/grafts", head + " " + root + "\n");
  git_may_answer_ = true;
  start_on_inotify();
  ASSERT_EQ(model_->state().kind, ModelState::Kind::kDelegated);
  model_->want_details(true);
  update();
  take();
  EXPECT_EQ(tag_told(), "v1 1");
  EXPECT_EQ(tag_told(), tag_of_git());
  repo_.git({"tag", "v2"});
  repo_.write("f", "2");
  update();
  take();
  EXPECT_EQ(tag_told(), "v2 0");
}

// Work that takes several steps is pending until it ends.
class ModelDescribeStepsTest : public ModelDescribeTest {
 protected:
  ModelDescribeStepsTest() {
    git_ = runner_;
    wake_ = [this] { woken_ = true; };
    old_file("plain", "1");
    commit_all();
    repo_.git({"tag", "-a", "-m", "x", "far"});
    std::string stream;
    for (int i = 0; i < kMany; ++i) {
      stream += "commit refs/heads/main\ncommitter A <a@x> " + std::to_string(1'700'000'000 + i) +
                " +0000\ndata 0\n";
      if (i == 0) stream += "from refs/heads/main^0\n";
      stream += "\n";
    }
    repo_.git({"fast-import", "--quiet"}, stream);
    open_gated();
    while (runner_->answer_all() > 0) update();
    take();
    model_->want_details(true);
    woken_ = false;
  }
  int update_while_woken() { return update_while(woken_, *runner_); }

  static constexpr int kMany = 18'000;  // takes five steps
  bool woken_ = false;
  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

TEST_F(ModelDescribeStepsTest, IsPendingUntilItIsKnownAndNothingElseWaits) {
  update();
  take();
  EXPECT_EQ(tag_told(), "pending");
  PromptQuery asked;
  asked.describe = true;
  const auto pending = model_->prompt(asked);
  ASSERT_FALSE(pending.ok());
  EXPECT_EQ(pending.error().code, ErrorCode::kPending);
  EXPECT_TRUE(model_->prompt({}).ok()) << "who does not ask for it does not wait";
  repo_.write("new", "1");
  update();
  take();
  EXPECT_TRUE(told_.untracked.contains("new"));
  EXPECT_GE(update_while_woken(), 1);
  take();
  EXPECT_EQ(tag_told(), "far " + std::to_string(kMany));
  update();
  EXPECT_FALSE(woken_) << "nothing is looked for again while no ref moves";
}

TEST_F(ModelDescribeStepsTest, ACommitOrATagMeanwhileIsTakenInItsPlace) {
  update();
  repo_.git({"commit", "-q", "--allow-empty", "-m", "one more"});
  update();
  take();
  EXPECT_EQ(tag_told(), "pending");
  (void)update_while_woken();
  take();
  EXPECT_EQ(tag_told(), "far " + std::to_string(kMany + 1));
  repo_.git({"tag", "near", "HEAD~2"});
  update();
  (void)update_while_woken();
  take();
  EXPECT_EQ(tag_told(), "near 2");
}

TEST_F(ModelDescribeStepsTest, ThePushDestinationIsCountedInStepsToo) {
  repo_.git({"update-ref", "refs/remotes/mine/main", "far^0"});
  repo_.git({"config", "remote.mine.url", "/mine"});
  repo_.git({"config", "remote.mine.fetch", "+refs/heads/*:refs/remotes/mine/*"});
  repo_.git({"config", "remote.pushDefault", "mine"});
  repo_.git({"config", "push.default", "current"});
  update();
  while (runner_->answer_all() > 0) update();
  take();
  ASSERT_TRUE(told_.details && told_.details->push);
  EXPECT_EQ(told_.details->push->url, "/mine");
  EXPECT_EQ(told_.details->push_known, Known::kPending);
  EXPECT_FALSE(told_.details->push_counts);
  const auto pending = model_->prompt({});
  ASSERT_FALSE(pending.ok()) << "a prompt tells them";
  EXPECT_EQ(pending.error().code, ErrorCode::kPending);
  (void)update_while_woken();
  take();
  EXPECT_EQ(push_told(), push_of_git());
  // git is asked once more about a config that was written in the same clock tick as the read.
  while (!model_->prompt({}).ok() && runner_->answer_all() > 0) {
  }
  EXPECT_EQ(prompt(false).push_ahead, static_cast<uint64_t>(kMany));
}

}  // namespace
}  // namespace resident
