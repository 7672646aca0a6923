#include "model/nearest_tags.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

std::vector<std::string> history_files(const ModelView& view) {
  const std::string& directory = view.repository.common_dir;
  std::vector<std::string> files = view.state.refs().files_below("refs/replace/");
  files.insert(files.end(), {directory + "/shallow", directory + "/info/grafts"});
  return files;
}

}  // namespace

Result<std::optional<Description>> NearestTags::describe(const ModelView& view,
                                                         const Causes& causes, Which which,
                                                         const Describe::Budget& budget) {
  update(view, causes);
  if (tags_failure_) return *tags_failure_;
  if (loading_) {
    Result<bool> loaded = tags_.step(view.state.objects(), budget.reads);
    if (loaded.ok() && !*loaded) return std::optional<Description>();
    loading_ = false;
    if (!loaded.ok()) {
      tags_failure_ = std::move(loaded).error();
      return *tags_failure_;
    }
    if (tags_version_ != tags_.version()) searches_ = {};
    tags_version_ = tags_.version();
  }
  Search& search = searches_[static_cast<size_t>(which)];
  if (!search.found) {
    Result<std::optional<Description>> found = step(view, which, budget);
    if (found.ok() && !*found) return found;
    search.found = found.ok() ? Result<Description>(**std::move(found)) : found.error();
    search.walk.reset();
  }
  if (!search.found->ok()) return search.found->error();
  return std::optional(**search.found);
}

std::vector<std::string> NearestTags::files() const {
  std::vector<std::string> files = tag_files_.paths();
  files.insert(files.end(), history_files_.paths().begin(), history_files_.paths().end());
  return files;
}

void NearestTags::update(const ModelView& view, const Causes& causes) {
  // Objects of another repository can stand in for tags and commits.
  const bool replaces = view.state.objects().has_replacements();
  const Counts replaced = {replaces ? causes.head : 0, replaces};
  update_tags(view, causes, replaced);
  // A search that failed may have missed what is there by now.
  const bool tries_again = head_ != causes.head &&
                           std::any_of(searches_.begin(), searches_.end(),
                                       [](const Search& s) { return s.found && !s.found->ok(); });
  const std::optional<ObjectId>& commit = view.state.head().id;
  if (commit == commit_ && history_made_from_ == replaced && !tries_again &&
      !history_files_.changed(view.fs, gate_)) {
    return;
  }
  searches_ = {};
  history_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return history_files(view);
  });
  history_made_from_ = replaced;
  commit_ = commit;
  head_ = causes.head;
}

void NearestTags::update_tags(const ModelView& view, const Causes& causes, const Counts& replaced) {
  const bool tries_again = tags_failure_ && tags_head_ != causes.head;
  if (tags_made_from_ == replaced && !tries_again && !tag_files_.changed(view.fs, gate_)) return;
  // Other objects can be read under the ids that are known.
  if (tags_made_from_ != replaced) {
    searches_ = {};
    tags_ = {};
    tags_version_ = 0;
  }
  tags_head_ = causes.head;
  tag_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return TagNames::files(view.state.refs());
  });
  const RefStore::Reading reading(view.state.refs());
  const Result<void> begun = tags_.begin(view.state.refs());
  tags_failure_ = begun.ok() ? std::nullopt : std::optional(begun.error());
  loading_ = begun.ok();
  tags_made_from_ = replaced;
}

Result<std::unique_ptr<Describe>> NearestTags::begin(const ModelView& view, Which which) const {
  RESIDENT_TRY(const ObjectId commit, view.state.objects().peel_to_commit(*commit_));
  DescribeOptions options;
  options.tags = which == Which::kAll;
  options.stops_at_last_candidate = view.state.git_rules().describe_stops_at_last_candidate;
  return Describe::begin(commit, tags_, options, view.state.objects(), view.fs,
                         view.repository.common_dir);
}

Result<std::optional<Description>> NearestTags::step(const ModelView& view, Which which,
                                                     const Describe::Budget& budget) {
  if (!commit_) return std::optional(Description{});
  Search& search = searches_[static_cast<size_t>(which)];
  if (!search.walk) {
    RESIDENT_TRY(search.walk, begin(view, which));
  }
  return search.walk->step(budget);
}

}  // namespace resident
