#include "model/untrusted_submodule.h"

#include <utility>

namespace resident {

UntrustedSubmodule::UntrustedSubmodule(FileSystem& fs, std::string path,
                                       WorktreeModel::Options options, BackgroundGit& git)
    : fs_(fs), path_(std::move(path)), options_(std::move(options)), git_(git) {
  task_ = git_.tasks().start(discovery_command(path_), {"git rev-parse in " + path_},
                             [this](const Result<GitOutput>& said) {
                               task_ = 0;
                               found_ = said.ok() ? discovered(path_, *said)
                                                  : Result<Repository>(said.error());
                             });
  if (git_.runs_in_place()) (void)git_.tasks().deliver();
}

UntrustedSubmodule::~UntrustedSubmodule() {
  git_.tasks().cancel(task_);
}

Result<void> UntrustedSubmodule::find() {
  if (!found_) return BackgroundGit::pending("git rev-parse in " + path_);
  if (model_) return {};
  if (!found_->ok()) return found_->error();
  model_ = std::make_unique<WorktreeModel>(fs_, **found_, options_);
  asked_ = model_->next_request();
  return {};
}

Result<StatusResult> UntrustedSubmodule::go_on() {
  RESIDENT_CHECK(find());
  const WorktreeModel::Asking asking(*model_, asked_);
  RESIDENT_CHECK(std::exchange(begun_, true) ? model_->update() : model_->scan());
  StatusQuery query;
  query.branch = true;
  const auto untracked =
      model_->repository_state()->config().get("status.showuntrackedfiles").value_or("normal");
  if (untracked == "no") query.untracked = UntrackedMode::kNo;
  Result<StatusResult> silent = model_->answer_if_no_warnings(query);
  if (silent.ok() || silent.error().code == ErrorCode::kPending) return silent;
  RESIDENT_TRY(StatusResult status, model_->answer(query));
  status.git_warned = true;
  return status;
}

std::optional<GitTasks::Awaited> UntrustedSubmodule::awaited() const {
  // Before that, the outer model's own task asks for the place, and the outer model reports it.
  if (!model_) return std::nullopt;
  std::optional<GitTasks::Awaited> awaited = model_->awaited();
  if (awaited) awaited->subject.name += " in " + path_;
  return awaited;
}

}  // namespace resident
