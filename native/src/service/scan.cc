#include "service/scan.h"

#include <thread>

#include "fs/linux/posix_file_system.h"

namespace resident {

namespace {

// Of a scan that is limited to the query's pathspec.
UntrackedNeed untracked_need(const StatusQuery& query) {
  if (query.untracked == UntrackedMode::kNo) return UntrackedNeed::kNone;
  const bool is_first_enough = query.untracked == UntrackedMode::kNormal &&
                               query.ignored == IgnoredMode::kNo &&
                               !(query.pathspec && query.pathspec->asks_attributes());
  return is_first_enough ? UntrackedNeed::kFirst : UntrackedNeed::kAll;
}

}  // namespace

Result<StatusResult> scan_status(const Repository& repository, const Config& config,
                                 const StatusQuery& query, std::unique_ptr<WorktreeModel>& model,
                                 IndexAhead* index) {
  WorktreeModel::Options options;
  options.index_ahead = index;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.config = config;
  // How much of a sparse checkout is there is told of all of it, wherever the pathspec leads; and
  // with core.ignoreCase what is on disk under one name can be an entry's of another.
  const bool ignores_case = config.get_bool("core.ignorecase", false);
  const bool looks_at_all =
      (query.operation && config.get_bool("core.sparsecheckout", false)) || ignores_case;
  if (!looks_at_all) options.pathspec = query.pathspec;
  if (!ignores_case && options.pathspec == query.pathspec) {
    options.untracked = untracked_need(query);
  }
  options.once = true;
  options.asks_git = false;
  // git must not be asked about files that the query leaves out: it could fail because of them.
  if (options.pathspec == query.pathspec) {
    options.filters_told_as_git = query.pathspec ? FilterQuestions::kMaxNamed : SIZE_MAX;
  }
  model = std::make_unique<WorktreeModel>(posix_file_system(), repository, options);
  RESIDENT_CHECK(model->scan());
  return model->answer_if_no_warnings(query);
}

Result<void> scan_to_explain(const Repository& repository, std::unique_ptr<WorktreeModel>& model) {
  WorktreeModel::Options options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.once = true;
  options.asks_git = false;
  model = std::make_unique<WorktreeModel>(posix_file_system(), repository, options);
  return model->scan();
}

}  // namespace resident
