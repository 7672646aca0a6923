#include "testing/repo_builder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "testing/fork_servers.h"

namespace resident::testing {

namespace fs = std::filesystem;

namespace {

// Returns the exit code; negative if the program could not be started.
int run(const Start& start) {
  // Never destroyed: a forked child that exits must not touch it, as it would a static object.
  static Starter& shared = *new Starter(RESIDENT_FORK_SERVER);
  static std::mutex mutex;
  const std::unique_lock lock(mutex, std::try_to_lock);
  Running running;
  const int failed = lock ? shared.start(start, running) : Starter::spawn(start, running);
  if (failed != 0) return -1;
  return exit_code(running.status());
}

// git starts maintenance in the background after these commands. Its lock file would disturb tests
// that count calls.
bool starts_maintenance(const RepoBuilder::Arguments& arguments) {
  const auto is_one = [](const std::string& word) {
    return word == "commit" || word == "merge" || word == "rebase" || word == "am" ||
           word == "fetch" || word == "pull" || word == "push";
  };
  return std::any_of(arguments.begin(), arguments.end(), is_one);
}

}  // namespace

std::string RepoBuilder::loose_object(const std::string& revision) {
  const std::string id = git_line({"rev-parse", revision});
  return work_ + "/.git/objects/" + id.substr(0, 2) + "/" + id.substr(2);
}

std::string read_whole_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_whole_file(const std::string& path, std::string_view content) {
  std::error_code ignored;
  fs::create_directories(fs::path(path).parent_path(), ignored);
  // git's object files are read-only.
  fs::permissions(path, fs::perms::owner_write, fs::perm_options::add, ignored);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.flush();
  EXPECT_TRUE(file) << path;
}

RepoBuilder::RepoBuilder() {
  std::string pattern =
      (fs::canonical(fs::temp_directory_path()) / "resident-test-XXXXXX").string();
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr) << pattern;
  root_ = pattern;
  work_ = root_;
  const char* search_path = std::getenv("PATH");
  set_environment("PATH", search_path ? search_path : "/usr/bin:/bin");
  set_environment("HOME", root_);
  set_environment("GIT_CONFIG_NOSYSTEM", "1");
  set_environment("GIT_CONFIG_GLOBAL", "/dev/null");
  set_environment("LC_ALL", "C");
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    set_environment(std::string("GIT_") + who + "_NAME", "A U Thor");
    set_environment(std::string("GIT_") + who + "_EMAIL", "author@example.com");
  }
  set_date(1700000000);
}

RepoBuilder::~RepoBuilder() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string RepoBuilder::path(std::string_view relative) const {
  return relative.empty() ? root_ : root_ + "/" + std::string(relative);
}

void RepoBuilder::init(const Arguments& options, std::string_view directory) {
  work_ = root_;
  Arguments arguments = {"init", "-q", "-b", "main"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(path(directory));
  git(arguments);
  work_ = path(directory);
}

void RepoBuilder::set_environment(std::string_view name, std::string_view value) {
  const std::string prefix = std::string(name) + "=";
  std::erase_if(environment_, [&](const std::string& entry) { return entry.starts_with(prefix); });
  environment_.push_back(prefix + std::string(value));
}

void RepoBuilder::set_date(int64_t seconds) {
  const std::string date = "@" + std::to_string(seconds) + " +0000";
  set_environment("GIT_AUTHOR_DATE", date);
  set_environment("GIT_COMMITTER_DATE", date);
}

CommandResult RepoBuilder::try_git(const Arguments& arguments, std::string_view input) {
  Start start;
  start.path = path_of("git", environment_);
  start.directory = fs::current_path();
  start.environment = environment_;
  start.words = {"git", "-C", work_};
  if (starts_maintenance(arguments)) {
    start.words.insert(start.words.end(), {"-c", "maintenance.auto=false", "-c", "gc.auto=0"});
  }
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  start.in = temporary_file();
  start.out = temporary_file();
  start.err = temporary_file();
  write_all(start.in, input);
  ::lseek(start.in, 0, SEEK_SET);

  CommandResult result;
  result.exit_code = run(start);
  ::close(start.in);
  result.out = content_of(start.out);
  result.err = content_of(start.err);
  if (result.exit_code < 0) result.err = "git could not be started";
  return result;
}

std::string RepoBuilder::git(const Arguments& arguments, std::string_view input) {
  CommandResult result = try_git(arguments, input);
  if (result.exit_code != 0) {
    std::string command = "git";
    for (const std::string& argument : arguments) command += " " + argument;
    ADD_FAILURE() << command << " in " << work_ << " exited with " << result.exit_code << "\n"
                  << result.err;
  }
  return result.out;
}

std::string RepoBuilder::git_line(const Arguments& arguments, std::string_view input) {
  std::string out = git(arguments, input);
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

void RepoBuilder::write(std::string_view relative, std::string_view content) {
  write_whole_file(work_ + "/" + std::string(relative), content);
}

std::string RepoBuilder::read(std::string_view relative) const {
  return read_whole_file(work_ + "/" + std::string(relative));
}

}  // namespace resident::testing
