#include "service/scan.h"

#include <thread>

namespace resident {

namespace {

// For a scan that is limited to the query's pathspec.
UntrackedNeed untracked_need(const StatusQuery& query) {
  if (query.untracked == UntrackedMode::kNo) return UntrackedNeed::kNone;
  const bool is_first_enough = query.untracked == UntrackedMode::kNormal &&
                               query.ignored == IgnoredMode::kNo &&
                               !(query.pathspec && query.pathspec->asks_attributes());
  return is_first_enough ? UntrackedNeed::kFirst : UntrackedNeed::kAll;
}

}  // namespace

Result<StatusResult> scan_status(FileSystem& fs, const Repository& repository, const Config& config,
                                 const StatusQuery& query, std::unique_ptr<WorktreeModel>& model) {
  WorktreeModel::Options options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.config = config;
  // The sparse checkout percentage covers all files, whatever the pathspec. With core.ignoreCase a
  // file can belong to an index entry with a different name.
  const bool ignores_case = config.get_bool("core.ignorecase", false);
  const bool looks_at_all =
      (query.operation && config.get_bool("core.sparsecheckout", false)) || ignores_case;
  if (!looks_at_all) options.pathspec = query.pathspec;
  if (!ignores_case && options.pathspec == query.pathspec) {
    options.untracked = untracked_need(query);
  }
  options.once = true;
  options.asks_git = false;
  // Do not ask git about files outside the query: git could fail because of them.
  if (options.pathspec == query.pathspec) {
    options.filters_told_as_git = query.pathspec ? FilterQuestions::kMaxNamed : SIZE_MAX;
  }
  model = std::make_unique<WorktreeModel>(fs, repository, options);
  RESIDENT_CHECK(model->scan());
  return model->answer_if_no_warnings(query);
}

Result<void> scan_to_explain(FileSystem& fs, const Repository& repository,
                             std::unique_ptr<WorktreeModel>& model) {
  WorktreeModel::Options options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  options.once = true;
  options.asks_git = false;
  model = std::make_unique<WorktreeModel>(fs, repository, options);
  return model->scan();
}

}  // namespace resident
