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

// Of a partial clone.
bool fetches_missing(const Config& config) {
  return std::any_of(config.entries().begin(), config.entries().end(), [](const auto& entry) {
    return entry.key == "extensions.partialclone" || entry.key.ends_with(".promisor");
  });
}

// Objects of another repository can stand in for tags and commits.
std::array<uint64_t, 2> replacements(const ModelView& view, const InputVersions& versions) {
  const bool replaces = view.state.objects().has_replacements();
  return {replaces ? versions.head : 0, replaces};
}

}  // namespace

Result<std::optional<Description>> NearestTags::describe(const ModelView& view,
                                                         const InputVersions& versions, Which which,
                                                         const Describe::Budget& budget) {
  const Counts replaced = replacements(view, versions);
  update_tags(view, versions, replaced);
  update_search(view, versions, replaced);
  if (!load_tags(view, budget)) return std::optional<Description>();
  if (listing_failure_) return *listing_failure_;
  if (tags_.failure()) return *tags_.failure();
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

std::optional<std::string> NearestTags::last_tag(const ModelView& view,
                                                 const InputVersions& versions,
                                                 const ObjectId& commit,
                                                 const Describe::Budget& budget) {
  update_tags(view, versions, replacements(view, versions));
  if (!load_tags(view, budget)) return std::nullopt;
  if (listing_failure_) return std::string();
  const auto found = tags_.by_commit().find(commit);
  return found == tags_.by_commit().end() ? std::string() : found->second.last;
}

bool NearestTags::load_tags(const ModelView& view, const Describe::Budget& budget) {
  if (!loading_) return true;
  if (!tags_.step(view.state.objects(), budget.reads)) return false;
  loading_ = false;
  if (tags_version_ != tags_.version()) searches_ = {};
  tags_version_ = tags_.version();
  return true;
}

std::vector<std::string> NearestTags::files() const {
  std::vector<std::string> files = tag_files_.paths();
  files.insert(files.end(), history_files_.paths().begin(), history_files_.paths().end());
  return files;
}

void NearestTags::update_search(const ModelView& view, const InputVersions& versions,
                                const Counts& replaced) {
  // A search that failed may have missed what is there by now.
  const bool tries_again = head_ != versions.head &&
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
  head_ = versions.head;
}

void NearestTags::update_tags(const ModelView& view, const InputVersions& versions,
                              const Counts& replaced) {
  const bool tries_again = (listing_failure_ || tags_.lacks_any()) && tags_head_ != versions.head;
  if (tags_made_from_ == replaced && !tries_again && !tag_files_.changed(view.fs, gate_)) return;
  // Other objects can be read under the ids that are known.
  if (tags_made_from_ != replaced) {
    searches_ = {};
    tags_ = {};
    tags_version_ = 0;
  }
  tags_head_ = versions.head;
  tag_files_ = FileSet::record_found(view.fs, [&] {
    const RefStore::Reading reading(view.state.refs());
    return TagNames::files(view.state.refs());
  });
  const RefStore::Reading reading(view.state.refs());
  const Result<void> begun = tags_.begin(view.state.refs(), fetches_missing(view.state.config()));
  listing_failure_ = begun.ok() ? std::nullopt : std::optional(begun.error());
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
