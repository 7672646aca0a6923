#include "git_fallback/prompt_by_git.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cut_text.h"
#include "config/config.h"
#include "git_fallback/prompt_rows.h"
#include "history/action_name.h"
#include "history/branch_details.h"
#include "history/commit_summary.h"
#include "history/remote_branch.h"
#include "refs/ref_name.h"

namespace resident {

namespace {

using Arguments = std::vector<std::string>;

constexpr std::string_view kTags = "refs/tags/";
constexpr const char* kRevertHead = "REVERT_HEAD";
constexpr const char* kCherryPickHead = "CHERRY_PICK_HEAD";

// Of `git config --list -z`.
Config parse_config(std::string_view listed) {
  std::vector<ConfigEntry> entries;
  while (!listed.empty()) {
    std::string_view entry = cut(listed, '\0');
    const bool has_value = entry.find('\n') != std::string_view::npos;
    const std::string_view key = cut(entry, '\n');
    entries.push_back({.key = std::string(key)});
    if (has_value) entries.back().value = std::string(entry);
  }
  return Config::from_entries(std::move(entries));
}

// The entries that `git ls-files -v -z` lists, those with skip-worktree, those with
// assume-unchanged.
std::string count_entries(std::string_view listed) {
  uint64_t entries = 0;
  uint64_t skip_worktree = 0;
  uint64_t assume_unchanged = 0;
  while (!listed.empty()) {
    const char letter = listed.front();
    ++entries;
    skip_worktree += letter == 'S' || letter == 's';
    assume_unchanged += letter >= 'a' && letter <= 'z';
    (void)cut(listed, '\0');
  }
  return std::to_string(entries) + " " + std::to_string(skip_worktree) + " " +
         std::to_string(assume_unchanged);
}

class PromptAsker {
 public:
  PromptAsker(FileSystem& fs, const PromptQuery& query, const BackgroundGit& git,
              GitDelegate& delegate)
      : fs_(fs), query_(query), git_(git), delegate_(delegate) {}

  Result<PromptStatus> fill() {
    ask_about_head();
    const std::string action = this->action();
    ask_about_index();
    if (failure_) return *failure_;
    status_.action = action;
    ask_about_commit();
    ask_about_remotes();
    ask_about_rows();
    if (failure_) return *failure_;
    return std::move(status_);
  }

 private:
  // --- What git says; what it did not say yet is "", and noted.

  GitOutput ask(const GitCommand& command, GitOutputCache::Digest digest = nullptr) {
    Result<GitOutput> said = delegate_.ask(command, {command_name(command.arguments)}, digest);
    if (said.ok()) return *std::move(said);
    note(std::move(said).error());
    GitOutput nothing;
    nothing.exit_code = 1;
    return nothing;
  }
  // Where git must not refuse.
  std::string must_say(const GitCommand& command, GitOutputCache::Digest digest = nullptr) {
    GitOutput said = ask(command, digest);
    if (said.exit_code != 0) note(Error{ErrorCode::kCorrupt, git_message(said)});
    return std::move(said.out);
  }
  // A line; "": git has none.
  std::string line(Arguments arguments) {
    const GitOutput said = ask(command(std::move(arguments)));
    return said.exit_code == 0 ? said.out.substr(0, said.out.find('\n')) : std::string();
  }
  // Nothing is fetched for a prompt.
  GitCommand command(Arguments arguments, std::optional<std::string> input = {}) const {
    GitCommand made = git_.command(std::move(arguments));
    // The second one before 2.45.
    for (const char* change : {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}) {
      made.options.environment.emplace_back(change);
    }
    made.input = std::move(input);
    return made;
  }
  // A refusal is told once nothing is pending: what is asked together is known then.
  void note(Error error) {
    if (!failure_ || error.code == ErrorCode::kPending) failure_ = std::move(error);
  }

  // --- What it is asked

  void ask_about_head() {
    const std::string listed = must_say(command({"config", "--list", "-z"}));
    const std::string head = line({"symbolic-ref", "-q", "HEAD"});
    const std::string said = must_say(command({"cat-file", "--batch"}, "HEAD^{commit}\n"));
    upstream_ref_ = line({"rev-parse", "-q", "--verify", "--symbolic-full-name", "@{upstream}"});
    has_stash_ = ask(command({"reflog", "exists", "refs/stash"})).exit_code == 0;
    if (query_.tag) {
      tags_ = must_say(command({"for-each-ref", "--format=%(refname)", std::string(kTags)}));
    }
    config_ = parse_config(listed);
    if (head.starts_with(kHeads)) status_.branch = head.substr(kHeads.size());
    std::string_view content = said;
    std::string_view first = cut(content, '\n');
    const std::string_view id = cut(first, ' ');
    if (!first.starts_with("commit ")) return;
    const CommitSummary summary = commit_summary(content.substr(0, content.rfind('\n')));
    status_.commit = id;
    status_.encoding = summary.encoding;
    status_.summary = summary.text;
  }

  std::string action() {
    const std::string git_dir = line({"rev-parse", "--absolute-git-dir"});
    const auto has_ref = [&](const char* name) {
      return line({"rev-parse", "-q", "--verify", "--symbolic-full-name", name}) == name;
    };
    // Both are asked together.
    const bool reverts = has_ref(kRevertHead);
    const bool picks = has_ref(kCherryPickHead);
    if (git_dir.empty()) return {};
    return action_name(OperationFiles{fs_, git_dir}, [&](std::string_view name) {
      return name == kRevertHead ? reverts : name == kCherryPickHead && picks;
    });
  }

  void ask_about_index() {
    if (!query_.index) return;
    // Without the setting git takes skip-worktree for unset where the file is there.
    const std::string counts = must_say(
        git_.command({"-c", "sparse.expectFilesOutsideOfPatterns=true", "ls-files", "-v", "-z"}),
        &count_entries);
    std::string_view rest = counts;
    for (uint64_t* count :
         {&status_.index_size, &status_.skip_worktree, &status_.assume_unchanged}) {
      (void)parse_number(cut(rest, ' '), *count);
    }
  }

  void ask_about_commit() {
    if (has_stash_) {
      const std::string count =
          must_say(command({"rev-list", "-g", "--count", "refs/stash", "--"}));
      if (!failure_ && !parse_number(count.substr(0, count.find('\n')), status_.stashes)) {
        note(Error{ErrorCode::kCorrupt, "git rev-list: " + count});
      }
    }
    if (status_.commit.empty()) {
      // Unborn, or not to be read.
      if (!line({"rev-parse", "-q", "--verify", "HEAD"}).empty()) {
        note(Error{ErrorCode::kCorrupt, "HEAD does not lead to a readable commit"});
      }
      return;
    }
    if (query_.tag) status_.tag = last_tag();
    if (query_.describe) status_.describe = describe(false).second;
    if (query_.describe_tags) {
      auto [tag, text] = describe(true);
      status_.describe_tags = std::move(text);
      status_.nearest_tag = std::move(tag.name);
      status_.tag_distance = static_cast<uint64_t>(tag.distance);
    }
  }

  // Those that cannot be read lead nowhere.
  std::string last_tag() {
    if (tags_.empty()) return {};
    std::string commits;
    for (std::string_view rest = tags_; !rest.empty();) {
      commits.append(cut(rest, '\n')).append("^{commit}\n");
    }
    const std::string said =
        must_say(command({"cat-file", "--batch-check=%(objectname)"}, std::move(commits)));
    std::string_view found;
    std::string_view ids = said;
    for (std::string_view rest = tags_; !rest.empty();) {
      const std::string_view name = cut(rest, '\n');
      if (cut(ids, '\n') == status_.commit) found = name.substr(kTags.size());
    }
    return std::string(found);
  }

  // The tag, and as `git describe` prints it.
  std::pair<BranchDetails::Tag, std::string> describe(bool lightweight_too) {
    Arguments arguments = {"describe", "--long", "--always", "HEAD"};
    if (lightweight_too) arguments.insert(arguments.begin() + 1, "--tags");
    std::string text = must_say(command(std::move(arguments)));
    text.resize(std::min(text.find('\n'), text.size()));
    std::optional<BranchDetails::Tag> tag = described_tag(text);
    if (!tag) return {BranchDetails::Tag{}, std::string()};
    if (tag->distance == 0) text = tag->name;
    return {*std::move(tag), std::move(text)};
  }

  void ask_about_remotes() {
    if (status_.branch.empty()) return;
    if (!upstream_ref_.empty()) {
      const auto remote = config_.get("branch." + status_.branch + ".remote");
      RemoteBranch upstream =
          remote_branch(upstream_ref_, std::string(remote.value_or("")), config_);
      status_.upstream_branch = std::move(upstream.branch);
      status_.remote = std::move(upstream.remote);
      status_.remote_url = std::move(upstream.url);
      count(upstream_ref_, status_.ahead, status_.behind);
    }
    Result<std::optional<RemoteBranch>> push = push_remote_branch(status_.branch, config_);
    if (!push.ok()) return note(std::move(push).error());
    if (!*push || line({"rev-parse", "-q", "--verify", (*push)->ref}).empty()) return;
    status_.push_remote = std::move((*push)->remote);
    status_.push_url = std::move((*push)->url);
    count((*push)->ref, status_.push_ahead, status_.push_behind);
  }

  // Commits of HEAD alone and of `ref` alone; none where one of them leads to no commit.
  void count(const std::string& ref, uint64_t& ahead, uint64_t& behind) {
    const std::string commit = ref + "^{commit}";
    if (status_.commit.empty() || line({"rev-parse", "-q", "--verify", commit}).empty()) return;
    const std::string said =
        must_say(command({"rev-list", "--count", "--left-right", "HEAD..." + ref, "--"}));
    std::string_view counts = std::string_view(said).substr(0, said.find('\n'));
    if (failure_) return;
    const std::string_view left = cut(counts, '\t');
    if (!parse_number(left, ahead) || !parse_number(counts, behind)) {
      note(Error{ErrorCode::kCorrupt, "git rev-list: " + said});
    }
  }

  void ask_about_rows() {
    if (!query_.index) return;
    auto [asked, counts_changes] = prompt_rows(query_, config_);
    asked.renames = RenameMode::kOff;
    Result<StatusResult> rows = delegate_.ask_status(asked);
    if (!rows.ok()) return note(std::move(rows).error());
    status_.untracked = rows->untracked.size();
    if (!counts_changes) return;
    for (const ChangedEntry& row : rows->changed) count_row(row, status_);
    status_.conflicted = rows->unmerged.size();
  }

  FileSystem& fs_;
  const PromptQuery& query_;
  const BackgroundGit& git_;
  GitDelegate& delegate_;
  std::optional<Error> failure_;
  PromptStatus status_;
  Config config_;
  std::string upstream_ref_;
  std::string tags_;
  bool has_stash_ = false;
};

}  // namespace

Result<PromptStatus> prompt_by_git(FileSystem& fs, const PromptQuery& query,
                                   const BackgroundGit& git, GitDelegate& delegate) {
  return PromptAsker(fs, query, git, delegate).fill();
}

}  // namespace resident
