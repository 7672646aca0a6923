#include "history/describe.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "history/divergence.h"
#include "odb/abbreviation.h"

namespace resident {

namespace {

constexpr uint32_t kSeen = 1;
constexpr size_t kMaxCandidates = 26;  // as flags have room for

}  // namespace

Describe::Describe(ObjectDatabase& objects, std::unordered_set<ObjectId> shallow,
                   const TagNames& tags, const DescribeOptions& options)
    : objects_(objects),
      reader_(objects, std::move(shallow)),
      commits_(reader_),
      tags_(tags),
      options_(options) {
}

Result<std::unique_ptr<Describe>> Describe::begin(const ObjectId& commit, const TagNames& tags,
                                                  const DescribeOptions& options,
                                                  ObjectDatabase& objects, FileSystem& fs,
                                                  const std::string& common_dir) {
  RESIDENT_TRY(auto shallow, read_shallow_if_plain(objects, fs, common_dir));
  std::unique_ptr<Describe> describe(new Describe(objects, std::move(shallow), tags, options));
  RESIDENT_CHECK(describe->start(commit));
  return describe;
}

Result<void> Describe::start(const ObjectId& commit) {
  const auto& names = tags_.by_commit();
  const auto exact = names.find(commit);
  if (exact != names.end() && counts(exact->second)) return find(exact->second, 0);
  if (options_.candidates == 0 || names.empty()) {
    found_ = Description{};
    return {};
  }
  RESIDENT_TRY(const Index index, commits_.add(commit));
  RESIDENT_CHECK(commits_.parse(index));
  flags_.resize(commits_.size());
  flags_[index] = kSeen;
  queue_.push(index, {0, commits_.date(index)});
  return {};
}

Result<void> Describe::find(const TagName& name, int depth) {
  RESIDENT_TRY(std::string printed, printed_name(name, objects_));
  const bool misnamed = printed != name.ref;
  found_ = Description{std::move(printed), depth, misnamed};
  return {};
}

const TagName* Describe::name_of(Index index) const {
  const auto found = tags_.by_commit().find(commits_.id(index));
  return found == tags_.by_commit().end() ? nullptr : &found->second;
}

Result<std::optional<Description>> Describe::step(const Budget& budget) {
  const size_t read = commits_.objects_read();
  for (size_t visits = 0; !found_; ++visits) {
    if (visits >= budget.visits || commits_.objects_read() - read >= budget.reads) {
      return std::optional<Description>();
    }
    RESIDENT_CHECK(searching_ ? search() : count_depth());
  }
  return found_;
}

// Queues what was not met, and hands the flags on.
Result<void> Describe::queue_parents(Index index) {
  const uint32_t flags = flags_[index];
  for (size_t i = 0; i < commits_.parent_count(index); ++i) {
    const Index parent = commits_.parent(index, i);
    RESIDENT_CHECK(commits_.parse(parent));
    flags_.resize(commits_.size());
    const bool is_new = !(flags_[parent] & kSeen);
    if (is_new) queue_.push(parent, {0, commits_.date(parent)});
    if (!searching_) {
      const uint32_t within = candidates_.front().within;
      const bool was_queued_outside = commits_.queued(parent) && !(flags_[parent] & within);
      const bool is_outside = !((flags_[parent] | flags) & within);
      if (is_new && is_outside) ++queued_outside_;
      if (!is_new && was_queued_outside && !is_outside) --queued_outside_;
    }
    if (is_new) commits_.queued(parent) = 1;
    flags_[parent] |= flags;
  }
  return {};
}

Result<void> Describe::search() {
  if (queue_.empty()) {
    end_search();
    return {};
  }
  const Index index = queue_.pop();
  commits_.queued(index) = 0;
  ++seen_;
  const size_t most = std::min(options_.candidates, kMaxCandidates);
  const bool has_all = candidates_.size() == most || candidates_.size() == tags_.by_commit().size();
  if (options_.stops_at_last_candidate && has_all) {
    give_up(index);
    return {};
  }
  if (const TagName* name = name_of(index); name && counts(*name)) {
    if (candidates_.size() == most) {
      give_up(index);
      return {};
    }
    const uint32_t within = kSeen << (candidates_.size() + 1);
    candidates_.push_back({name, seen_ - 1, within});
    flags_[index] |= within;
  }
  for (Candidate& candidate : candidates_) {
    if (!(flags_[index] & candidate.within)) ++candidate.depth;
  }
  if (queue_.empty() && is_covered(index)) {
    end_search();
    return {};
  }
  return queue_parents(index);
}

// Whether the last path that is left is that of the best candidates, of which one is annotated.
bool Describe::is_covered(Index index) const {
  const bool any_annotated = std::any_of(candidates_.begin(), candidates_.end(),
                                         [](const Candidate& c) { return c.name->annotated; });
  if (!any_annotated) return false;
  int best = std::numeric_limits<int>::max();
  uint32_t within = 0;
  for (const Candidate& candidate : candidates_) {
    if (candidate.depth > best) continue;
    within = candidate.depth < best ? candidate.within : within | candidate.within;
    best = candidate.depth;
  }
  return (flags_[index] & within) == within;
}

void Describe::give_up(Index index) {
  queue_.push(index, {0, commits_.date(index)});
  commits_.queued(index) = 1;
  end_search();
}

// The best candidate is settled; how far it is, is known once everything is met that it does not
// reach.
void Describe::end_search() {
  searching_ = false;
  if (candidates_.empty()) {
    found_ = Description{};
    return;
  }
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.depth < b.depth; });
  const uint32_t within = candidates_.front().within;
  queued_outside_ = 0;
  for (Index index = 0; index < flags_.size(); ++index) {
    queued_outside_ += commits_.queued(index) && !(flags_[index] & within);
  }
}

Result<void> Describe::count_depth() {
  Candidate& best = candidates_.front();
  if (!queue_.empty()) {
    const Index index = queue_.pop();
    commits_.queued(index) = 0;
    const bool is_within = flags_[index] & best.within;
    if (!is_within) {
      --queued_outside_;
      ++best.depth;
    }
    if (!is_within || queued_outside_ > 0) return queue_parents(index);
  }
  return find(*best.name, best.depth);
}

Result<std::string> describe_text(const Description& description, const ObjectId& commit,
                                  ObjectDatabase& objects, std::optional<int> length) {
  const bool is_exact = description.depth == 0 && !description.misnamed;
  if (!description.tag.empty() && (is_exact || length == 0)) return description.tag;
  RESIDENT_TRY(const std::string id, abbreviate(objects, commit, length));
  if (description.tag.empty()) return id;
  return description.tag + "-" + std::to_string(description.depth) + "-g" + id;
}

}  // namespace resident
