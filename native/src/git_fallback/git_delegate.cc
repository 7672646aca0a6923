#include "git_fallback/git_delegate.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "repo_state/metadata_gate.h"
#include "status/ask_git.h"

namespace resident {

namespace {

// An id in hexadecimal digits, as git names an object that it cannot read.
bool names_object(std::string_view words, HashAlgorithm algorithm) {
  const size_t length = 2 * hash_size(algorithm);
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (size_t at = 0; (at = words.find_first_of(kDigits, at)) != words.npos;) {
    const size_t end = std::min(words.find_first_not_of(kDigits, at), words.size());
    if (end - at == length) return true;
    at = end;
  }
  return false;
}

}  // namespace

void GitDelegate::end() {
  reason_.clear();
  is_refuted_ = false;
  outputs_.forget();
  answer_files_ = {};
}

void GitDelegate::set_files(FileSet files) {
  files_ = std::move(files);
  if (gate_) gate_->drain();
}

GitDelegate::RequestId GitDelegate::record_files() {
  set_files(FileSet::record(fs_, files_.paths()));
  if (git_.runs_in_place()) return 0;
  git_.record_request(followed_);
  return followed_.moment;
}

bool GitDelegate::files_changed() {
  return git_.runs_in_place() ? files_.changed(fs_) : files_.differs(fs_);
}

bool GitDelegate::may_be_over() {
  const bool other_files = files_.differs(fs_, gate_);
  const bool may_be_over = other_files || git_.is_to_be_asked_again(followed_, files_);
  if (other_files) followed_.for_unsettled = 0;
  return may_be_over;
}

Result<StatusResult> GitDelegate::ask_status(const StatusQuery& query) {
  return ask_git(query, [this](const std::vector<std::string>& arguments) {
    return ask(git_.command(arguments), {"git status"});
  });
}

void GitDelegate::forget() {
  outputs_.forget();
  outputs_hold_ = false;
}

bool GitDelegate::are_rows_outdated(bool happened) {
  const bool differs = happened || (outputs_hold_ && answer_files_.differs(fs_, gate_));
  const bool again = outputs_hold_ ? git_.is_to_be_asked_again(followed_, answer_files_)
                                   : git_.is_to_be_asked_again(followed_);
  if (differs) followed_.for_unsettled = 0;
  return differs || again;
}

void GitDelegate::ask_for_rows(const FindFiles& find) {
  outputs_.forget();
  // As they are before git reads them.
  answer_files_ = FileSet::record_found(fs_, [&] {
    std::optional<std::vector<std::string>> files = find();
    outputs_hold_ = files.has_value();
    return std::move(files).value_or(std::vector<std::string>());
  });
  git_.record_request(followed_);
}

Result<std::optional<StatusResult>> GitDelegate::refusal() const {
  if (refusal_) return *refusal_;
  return std::optional<StatusResult>();
}

Result<std::optional<StatusResult>> GitDelegate::consume_rows() {
  if (told_ >= followed_.moment) return refusal();
  StatusQuery query;
  query.untracked = UntrackedMode::kAll;
  query.branch = true;
  GitCommand command;
  Result<StatusResult> status =
      ask_git(query, [&](const std::vector<std::string>& arguments) -> Result<GitOutput> {
        command = git_.command(arguments);
        return outputs_.ask(command, {"git status"}, followed_.moment);
      });
  const bool is_final = status.ok() || status.error().code != ErrorCode::kPending;
  if (!is_final) {
    const Result<GitOutput>* before = outputs_.last_said(command, told_);
    if (!before) return refusal();
    status = ask_git(query, [before](const std::vector<std::string>&) { return *before; });
  }
  told_ = is_final ? followed_.moment : followed_.moment - 1;
  followed_.at = git_.now();
  refusal_.reset();
  if (status.ok()) return std::optional(*std::move(status));
  refusal_ = Error{status.error().code, reason_ + "; git: " + status.error().message};
  // What ended before it had an answer is asked again, and so is what an object is to blame for:
  // that may be mended in place, which nothing tells.
  outputs_hold_ &= status.error().code == ErrorCode::kCorrupt &&
                   !names_object(status.error().message, algorithm_);
  return *refusal_;
}

BackgroundGit::DueTime GitDelegate::due() const {
  const BackgroundGit::DueTime due = git_.due_again(followed_, files_);
  if (!outputs_hold_) return due;
  return BackgroundGit::earlier(due, git_.due_again(followed_, answer_files_));
}

void GitDelegate::add_files(std::vector<std::string>& files) const {
  for (const FileSet* more : {&files_, &answer_files_}) {
    files.insert(files.end(), more->paths().begin(), more->paths().end());
  }
}

}  // namespace resident
