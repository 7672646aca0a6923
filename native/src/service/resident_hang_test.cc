// Programs that hang below a Resident: other Residents go on, and the destructor ends soon.
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "service/resident_test_support.h"

namespace resident::testing {
namespace {

class ResidentHangTest : public ResidentTest {
 protected:
  // A repository with a file that only a filter can compare. The filter never answers. It writes
  // its process id to `<name>.pid`.
  std::unique_ptr<RepoBuilder> make_hanging() {
    auto repo = std::make_unique<RepoBuilder>();
    repo->init();
    repo->write(".gitattributes", "hung filter=hang\n");
    repo->write("hung", "1");
    repo->git({"add", "-A"});
    repo->git({"commit", "-q", "-m", "1"});
    const std::string pid_file = repo->path("filter.pid");
    repo->git({"config", "filter.hang.clean",
               "echo $$ >" + pid_file + ".new; mv " + pid_file + ".new " + pid_file +
                   "; trap '' TERM; while :; do sleep 1000; done"});
    // The same size: only a content comparison shows the change.
    repo->write("hung", "2");
    return repo;
  }

  // The filter's process id, once the filter runs.
  static pid_t filter_of(const RepoBuilder& repo) {
    for (;;) {
      Result<std::string> text = posix_file_system().read_file(repo.path("filter.pid"));
      if (text.ok()) return static_cast<pid_t>(std::atoi(text->c_str()));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  static bool is_running(pid_t process) {
    if (::kill(process, 0) != 0) return false;
    // A zombie that init has not reaped yet counts as ended.
    Result<std::string> stat =
        posix_file_system().read_file("/proc/" + std::to_string(process) + "/stat");
    return stat.ok() && stat->find(") Z ") == std::string::npos;
  }

  static void await_end(pid_t process) {
    while (is_running(process)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  std::unique_ptr<Resident> open_hanging(const RepoBuilder& repo, Recorder& recorder) {
    Resident::Options options;
    options.listen = false;
    return value_of(Resident::open(repo.work(), options, recorder));
  }
};

TEST_F(ResidentHangTest, OthersGoOnAndTheEndComesSoon) {
  // More than the cores, and more than the concurrent scan turns.
  const unsigned count = std::thread::hardware_concurrency() + 4;
  std::vector<std::unique_ptr<RepoBuilder>> repos;
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::vector<std::unique_ptr<Resident>> hanging;
  std::vector<pid_t> filters;
  for (unsigned i = 0; i < count; ++i) {
    repos.push_back(make_hanging());
    recorders.push_back(std::make_unique<Recorder>());
    hanging.push_back(open_hanging(*repos.back(), *recorders.back()));
    filters.push_back(filter_of(*repos.back()));
  }

  repo_.write("new", "1");
  auto resident = open();
  recorder_.await("the other one answers",
                  [](const Seen& seen) { return seen.untracked.contains("new"); });

  for (auto& each : hanging) each->stop();
  hanging.clear();
  for (const pid_t filter : filters) await_end(filter);
}

TEST_F(ResidentHangTest, ItsOwnOtherRowsGoOnAndItSaysWhatItWaitsFor) {
  auto repo = make_hanging();
  Recorder recorder;
  Resident::Options options;
  options.listen = false;
  options.question_limit = std::chrono::milliseconds(50);
  auto resident = value_of(Resident::open(repo->work(), options, recorder));
  const pid_t filter = filter_of(*repo);
  recorder.await_watching();
  repo->write("new", "1");
  recorder.await("a row beside it",
                 [](const Seen& seen) { return seen.untracked.contains("new"); });
  const Seen seen =
      recorder.await("waiting", [](const Seen& now) { return now.state.waiting.has_value(); });
  EXPECT_EQ(seen.state.waiting->name, "filter hang");
  EXPECT_EQ(seen.state.waiting->files, 1u);
  EXPECT_TRUE(seen.tracked.empty());

  const Result<StatusResult> all = status(*resident);
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code, ErrorCode::kPending);
  EXPECT_NE(all.error().message.find("waiting for filter hang, 1 file, "), std::string::npos)
      << all.error().message;
  // A question that does not need the filter is answered.
  StatusQuery other;
  const std::vector<std::string> paths = {"new"};
  other.pathspec = std::make_shared<const Pathspec>(*Pathspec::parse(paths, {}));
  const Result<StatusResult> some = status(*resident, other);
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_EQ(some->untracked, std::vector<std::string>{"new"});
  EXPECT_EQ(content(*resident, "hung", Resident::Source::kIndex).value_or(""), "1");

  // A rescan does not wait either.
  EXPECT_TRUE(rescan(*resident).ok());
  resident.reset();
  await_end(filter);
}

TEST_F(ResidentHangTest, ANewConfigTakesTheFilterAway) {
  auto repo = make_hanging();
  Recorder recorder;
  Resident::Options options;
  options.listen = false;
  options.watch_metadata = true;
  auto resident = value_of(Resident::open(repo->work(), options, recorder));
  const pid_t filter = filter_of(*repo);
  repo->git({"config", "filter.hang.clean", "cat"});
  recorder.await("its row", [](const Seen& seen) { return seen.tracked.contains("hung"); });
  await_end(filter);
  EXPECT_FALSE(recorder
                   .await("nothing is waited for",
                          [](const Seen& seen) { return !seen.state.waiting.has_value(); })
                   .state.waiting);
}

TEST_F(ResidentHangTest, WhoWaitsForAnAnswerIsToldOfTheEnd) {
  auto repo = make_hanging();
  Recorder recorder;
  auto resident = open_hanging(*repo, recorder);
  const pid_t filter = filter_of(*repo);
  const auto answer = await_answer<StatusResult>([&](auto done) {
    resident->status(StatusQuery{}, done);
    resident->stop();
  });
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kCancelled);
  resident.reset();
  await_end(filter);
}

}  // namespace
}  // namespace resident::testing
