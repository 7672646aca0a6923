// RepoBuilder: a temporary directory with a real git repository, for tests that use git as the
// oracle.
//
// git runs without system or user config, with fixed dates and names: the same steps give the same
// ids. The destructor removes the directory. If a git command fails that must succeed, the test
// fails with git's message.
//
// Threads: one RepoBuilder belongs to one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace resident::testing {

struct CommandResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class RepoBuilder {
 public:
  using Arguments = std::vector<std::string>;

  // An empty temporary directory; no repository yet.
  RepoBuilder();
  ~RepoBuilder();
  RepoBuilder(const RepoBuilder&) = delete;
  RepoBuilder& operator=(const RepoBuilder&) = delete;

  // The temporary directory, absolute, without symbolic links.
  const std::string& root() const { return root_; }
  std::string path(std::string_view relative) const;

  // `git init -b main <options> <directory>`; git commands run there from now on.
  void init(const Arguments& options = {}, std::string_view directory = "repo");
  // The directory in which commands run, relative to root().
  void enter(std::string_view directory) { work_ = path(directory); }
  const std::string& work() const { return work_; }

  // An environment variable for all later commands.
  void set_environment(std::string_view name, std::string_view value);
  // Author and committer date of later commits, in seconds since the epoch.
  void set_date(int64_t seconds);

  // Standard output of a git command that must succeed.
  std::string git(const Arguments& arguments, std::string_view input = {});
  // The same without the final newline.
  std::string git_line(const Arguments& arguments, std::string_view input = {});
  CommandResult try_git(const Arguments& arguments, std::string_view input = {});

  // Files, relative to work(); parent directories are made.
  void write(std::string_view relative, std::string_view content);
  std::string read(std::string_view relative) const;
  // Absolute path of a loose object.
  std::string loose_object(const std::string& revision);

 private:
  std::string root_;
  std::string work_;
  std::vector<std::string> environment_;  // "NAME=value"
};

// Whole files by absolute path.
std::string read_whole_file(const std::string& path);
void write_whole_file(const std::string& path, std::string_view content);

}  // namespace resident::testing
