#include "watch/layered_watcher.h"

#include <utility>

#include "watch/linux/dnotify/directory_hints.h"
#include "watch/linux/fanotify/fanotify_watcher.h"
#include "watch/linux/inotify/inotify_watcher.h"
#include "watch/linux/queue_user.h"
#include "watch/watch_ids.h"

namespace resident {

namespace {

class LayeredWatcher final : public Watcher {
 public:
  explicit LayeredWatcher(const std::function<void()>& wake)
      : inotify_(make_inotify_watcher(wake)), fanotify_(wake), hints_(wake) {}

  using Watcher::add;
  Result<Added> add(const Directory& directory, Scope scope) override {
    if (fanotify_.has(directory)) {
      Result<Added> known = fanotify_.add(directory, scope);
      if (!known.ok() || !known->at_limit) return known;
    }
    Result<Added> added = inotify_->add(directory, scope);
    if (!added.ok() || !added->at_limit) return added;
    return fanotify_.add(directory, scope);
  }

  Result<Added> add_file(const std::string& path) override { return inotify_->add_file(path); }

  std::vector<WatchId> add_hints(std::span<const std::string> directories) override {
    DirectoryHints* const hints = hints_.queue();
    if (!hints) return {};
    return hints->add(hints_.number(), directories);
  }

  void remove(WatchId id) override {
    if (is_hint(id)) {
      hints_.remove(id);
    } else if (is_of_fanotify(id)) {
      fanotify_.remove(id);
    } else {
      inotify_->remove(id);
    }
  }

  Batch drain() override {
    Batch batch = inotify_->drain();
    batch.merge(fanotify_.drain());
    batch.merge(hints_.drain());
    return batch;
  }

  bool tells_everything(const Directory& directory) const override {
    return inotify_->tells_everything(directory);
  }
  bool tells_of_subdirectories() const override { return !fanotify_.is_used(); }

  // The limit to raise if both backends together do not suffice.
  std::optional<WatchShortage> shortage(uint64_t watched, uint64_t missing) const override {
    if (!why_nothing().empty()) return std::nullopt;
    return inotify_shortage(watched, missing);
  }

  std::string why_nothing() const override {
    std::string why = inotify_->why_nothing();
    return why.empty() || fanotify_.can_watch() ? std::string() : why;
  }

 private:
  const std::unique_ptr<Watcher> inotify_;
  mutable FanotifyWatcher fanotify_;
  QueueUser<DirectoryHints> hints_;
};

}  // namespace

std::unique_ptr<Watcher> make_layered_watcher(std::function<void()> wake) {
  return std::make_unique<LayeredWatcher>(wake);
}

}  // namespace resident
