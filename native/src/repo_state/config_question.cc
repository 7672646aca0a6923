#include "repo_state/config_question.h"

#include <utility>

#include "config/config_files.h"

namespace resident {

void ConfigQuestion::read_answer() {
  std::optional<Answer> answer = std::exchange(answer_, std::nullopt);
  if (!answer) return;
  Result<Config> config = answer->output.ok()
                              ? Config::from_git(fs_, place_, *answer->output, answer->asked_at)
                              : Result<Config>(answer->output.error());
  error_.reset();
  kept_.reset();
  if (config.ok()) {
    kept_ = *std::move(config);
  } else {
    error_ = std::move(config).error();
  }
}

// True if the kept config is valid for the caller.
bool ConfigQuestion::holds_for_now() const {
  if (!kept_ || is_too_old()) return false;
  const std::optional<RequestId>& question = git_.question();
  const bool is_of_now =
      question ? asked_.heard >= *question : asked_.task == 0 && !git_.is_to_be_asked_again(asked_);
  return kept_->is_as_read(fs_) && (is_of_now || kept_->is_settled());
}

Result<Config> ConfigQuestion::ask(const Config* known) {
  read_answer();
  if (holds_for_now()) return *kept_;
  const std::optional<RequestId>& question = git_.question();
  const bool is_wanted = is_too_old() || (question && asked_.heard < *question);
  if (error_ && !is_wanted && !error_files_.differs(fs_, gate_) &&
      !git_.is_to_be_asked_again(asked_, error_files_)) {
    return *error_;
  }
  if (asked_.task == 0) {
    std::vector<std::string> files = standard_config_files(place_);
    if (known) append_files(files, known->files());
    error_files_ = FileSet::record(fs_, std::move(files));
    const Timestamp asked_at = fs_.now();
    GitCommand command = Config::command(place_);
    command.options.time_limit = BackgroundGit::kTimeLimit;
    git_.record_request(asked_);
    asked_.task = git_.tasks().start(std::move(command), {"git config"},
                                     [this, asked_at](Result<GitOutput> output) {
                                       git_.record_answer(asked_);
                                       answer_ = Answer{std::move(output), asked_at};
                                     });
  }
  return BackgroundGit::pending("git config");
}

void ConfigQuestion::mark_applied() {
  kept_.reset();
  wanted_ = 0;
}

BackgroundGit::DueTime ConfigQuestion::due() const {
  return error_ ? git_.due_again(asked_, error_files_) : std::nullopt;
}

BackgroundGit::DueTime ConfigQuestion::due(const Config& known) const {
  return known.is_settled() ? std::nullopt : git_.due_again(asked_);
}

std::vector<std::string> ConfigQuestion::files() const {
  return error_ ? error_files_.paths() : std::vector<std::string>();
}

}  // namespace resident
