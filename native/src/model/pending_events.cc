#include "model/pending_events.h"

namespace resident {

void PendingEvents::drain() {
  if (options_.gate) options_.gate->drain();
  Watcher* const watcher = options_.watcher;
  if (!watcher) return;
  if (const Result<void> synced = barrier_.advance(asked_at_); !synced.ok()) {
    mark_desynced(synced.error().message);
  }
  Batch batch = watcher->drain();
  if (batch.empty()) return;
  ++activity_;
  deltas_.record_event_time(batch.since());
  watches_lost_ |= batch.watches_lost();
  if (!batch.desynced().empty()) return mark_desynced(batch.desynced());
  put_back(std::move(batch));
}

void PendingEvents::mark_desynced(const std::string& reason) {
  ++activity_;
  if (desynced_.empty()) desynced_ = reason;
  (void)batch_.take();
  journal_.restart();
}

void PendingEvents::put_back(Batch batch) {
  // If desynced, a scan is due, and it covers these marks.
  if (desynced_.empty()) batch_.merge(std::move(batch));
  if (const std::string reason = batch_.desynced(); !reason.empty()) mark_desynced(reason);
}

}  // namespace resident
