#include "history/detached_from.h"

#include "history/object_name.h"

namespace resident {

namespace {

struct Switch {
  std::string target;  // argument of git checkout
  ObjectId commit;
};

// The last checkout in HEAD's log.
Result<std::optional<Switch>> last_switch(RefStore& refs) {
  constexpr std::string_view kCheckout = "checkout: moving from ";
  constexpr std::string_view kTo = " to ";
  std::optional<Switch> found;
  const Result<void> visited = refs.visit_log_backwards("HEAD", [&](const ReflogEntry& entry) {
    if (!entry.message.starts_with(kCheckout)) return true;
    const std::string_view places = entry.message.substr(kCheckout.size());
    const size_t to = places.find(kTo);
    if (to == std::string_view::npos) return true;
    found = Switch{std::string(places.substr(to + kTo.size())), entry.new_id};
    return false;
  });
  if (!visited.ok()) return Error{ErrorCode::kUnsupported, visited.error().message};
  return found;
}

// Whether the ref still leads to the commit, directly or through a tag.
Result<bool> leads_to(const NamedRef& ref, const ObjectId& commit,
                      const OperationSources& sources) {
  if (ref.id == commit) return true;
  Result<ObjectId> peeled = sources.objects.peel_to_commit(ref.id);
  if (peeled.ok()) return *peeled == commit;
  if (peeled.error().code == ErrorCode::kUnsupported) return peeled.error();
  return false;
}

std::string without_prefix(const std::string& ref) {
  for (std::string_view prefix : {"refs/tags/", "refs/remotes/"}) {
    if (ref.starts_with(prefix)) return ref.substr(prefix.size());
  }
  return ref;
}

}  // namespace

Result<void> check_detached_from(const OperationSources& sources) {
  RESIDENT_TRY(std::optional<Switch> last, last_switch(sources.refs));
  if (!last) return {};
  const std::string target = std::move(last->target);
  if (target == "HEAD") return {};
  Result<std::vector<NamedRef>> refs = refs_named(sources, target);
  if (!refs.ok()) return std::move(refs).error();
  return {};
}

Result<std::optional<DetachedFrom>> read_detached_from(const Head& head,
                                                       const OperationSources& sources) {
  RESIDENT_TRY(std::optional<Switch> last, last_switch(sources.refs));
  if (!last) return std::optional<DetachedFrom>();

  DetachedFrom from;
  from.moved = head.id != last->commit;
  RESIDENT_TRY(const std::string abbreviated, abbreviate(sources, last->commit));
  // "HEAD" meant another commit at the time of the checkout.
  if (last->target == "HEAD") last->target = abbreviated;
  RESIDENT_TRY(const std::vector<NamedRef> refs, refs_named(sources, last->target));
  bool still_there = false;
  if (refs.size() == 1) {
    RESIDENT_TRY(still_there, leads_to(refs[0], last->commit, sources));
  }
  from.name = still_there ? without_prefix(refs[0].name) : abbreviated;
  return std::optional(std::move(from));
}

}  // namespace resident
