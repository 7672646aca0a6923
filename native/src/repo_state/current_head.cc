#include "repo_state/current_head.h"

#include <utility>

namespace resident {

namespace {

// Other refs that the name "HEAD" may mean in git.
constexpr const char* kNamesakesOfHead[] = {"refs/HEAD", "refs/tags/HEAD", "refs/heads/HEAD",
                                            "refs/remotes/HEAD", "refs/remotes/HEAD/HEAD"};

}  // namespace

Result<void> CurrentHead::read() {
  FileSet recorded = FileSet::record_found(fs_, [this] {
    const RefStore::Reading reading(refs_);
    std::vector<std::string> files = refs_.files_of("HEAD");
    for (const char* name : kNamesakesOfHead) append_files(files, refs_.files_of(name));
    return files;
  });
  const RefStore::Reading reading(refs_);
  Result<Head> found = refs_.head();
  // git treats a broken HEAD in its own way.
  if (!found.ok()) return Error{ErrorCode::kUnsupported, std::move(found).error().message};
  Head head = std::move(found).value();
  if (is_stale_ || head.id != head_.id) {
    std::optional<ObjectId> tree;
    if (head.id) {
      RESIDENT_TRY(tree, objects_.get().tree_of_commit(*head.id));
    }
    tree_ = tree;
  }
  head_ = std::move(head);
  is_ambiguous_ = false;
  // git warns about a broken ref too.
  for (const char* name : kNamesakesOfHead) is_ambiguous_ |= refs_.is_there(name);
  files_ = std::move(recorded);
  is_stale_ = false;
  return {};
}

Result<void> CurrentHead::load() {
  (void)objects_.consume_changed();
  is_stale_ = true;
  return read();
}

Result<bool> CurrentHead::refresh() {
  is_stale_ |= objects_.consume_changed();
  if (!is_stale_ && !files_.changed(fs_, gate_)) return false;
  const bool was_stale = is_stale_;
  const Head before = head_;
  RESIDENT_CHECK(read());
  return was_stale || !(before == head_);
}

}  // namespace resident
