#include "repo_state/config_source.h"

#include <utility>

#include "config/config_files.h"
#include "repo_state/repository_state.h"

namespace resident {

void ConfigSource::read_what_was_said(const ConfigPlace& place) {
  std::optional<Said> said = std::exchange(said_, std::nullopt);
  if (!said) return;
  Result<Config> config = said->output.ok()
                              ? Config::from_git(fs_, place, *said->output, said->asked_at)
                              : Result<Config>(said->output.error());
  error_.reset();
  kept_.reset();
  if (config.ok()) {
    kept_ = *std::move(config);
  } else {
    error_ = std::move(config).error();
  }
}

// What is kept.
bool ConfigSource::holds_for_now() const {
  if (!kept_ || is_too_old()) return false;
  const std::optional<RequestId>& question = git_.question();
  const bool is_of_now =
      question ? asked_.heard >= *question : asked_.task == 0 && !git_.is_to_be_asked_again(asked_);
  return kept_->is_as_read(fs_) && (is_of_now || kept_->is_settled());
}

Result<Config> ConfigSource::config(const Config* known) {
  const ConfigPlace place = RepositoryState::config_place(repository_);
  read_what_was_said(place);
  if (holds_for_now()) return *kept_;
  const std::optional<RequestId>& question = git_.question();
  const bool is_wanted = is_too_old() || (question && asked_.heard < *question);
  if (error_ && !is_wanted && !error_files_.differs(fs_, gate_) &&
      !git_.is_to_be_asked_again(asked_, error_files_)) {
    return *error_;
  }
  if (asked_.task == 0) {
    std::vector<std::string> files = standard_config_files(place);
    if (known) {
      for (std::string& file : known->files()) files.push_back(std::move(file));
    }
    error_files_ = FileSet::record(fs_, std::move(files));
    const Timestamp asked_at = fs_.now();
    GitCommand command = Config::command(place);
    command.options.time_limit = BackgroundGit::kTimeLimit;
    git_.record_request(asked_);
    asked_.task = git_.tasks().start(std::move(command), {"git config"},
                                     [this, asked_at](Result<GitOutput> output) {
                                       git_.record_answer(asked_);
                                       said_ = Said{std::move(output), asked_at};
                                     });
  }
  return BackgroundGit::pending("git config");
}

void ConfigSource::mark_applied() {
  kept_.reset();
  wanted_ = 0;
}

BackgroundGit::DueTime ConfigSource::due() const {
  return error_ ? git_.due_again(asked_, error_files_) : std::nullopt;
}

BackgroundGit::DueTime ConfigSource::due(const Config& known) const {
  return known.is_settled() ? std::nullopt : git_.due_again(asked_);
}

std::vector<std::string> ConfigSource::files() const {
  return error_ ? error_files_.paths() : std::vector<std::string>();
}

Result<GitVersion> ConfigSource::version(const GitProgram& program) {
  if (const auto version = known_git_version(program)) return *version;
  const bool is_wanted = git_.question() && version_asked_ < *git_.question();
  if (version_error_ && version_program_ == program && !is_wanted) return *version_error_;
  if (version_task_ == 0) {
    GitCommand command{.arguments = {"version"}, .options = {.program = program.path}};
    command.options.time_limit = BackgroundGit::kTimeLimit;
    const auto take = [this, program](const Result<GitOutput>& output) {
      version_task_ = 0;
      version_error_.reset();
      const auto version = output.ok() ? parse_git_version(output->out) : std::nullopt;
      if (version) return cache_git_version(program, *version);
      version_error_ = output.ok() ? Error{ErrorCode::kUnsupported,
                                           program.path + ": this git does not report its version"}
                                   : output.error();
    };
    version_program_ = program;
    version_error_.reset();
    version_task_ = version_asked_ = git_.tasks().start(std::move(command), {"git version"}, take);
  }
  return BackgroundGit::pending("git version");
}

}  // namespace resident
