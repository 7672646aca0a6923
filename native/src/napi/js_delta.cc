#include "napi/js_delta.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <string>

#include "napi/js_path.h"

namespace resident {
namespace {

// Caches property names and letters for a delta, because it can have thousands of entries.
class EntryWriter {
 public:
  explicit EntryWriter(Napi::Env env) : env_(env) {}

  napi_value changed(const ChangedEntry& entry) {
    napi_value object = make(changed_, entry.path);
    set(object, index_, letter(entry.index));
    set(object, worktree_, letter(entry.worktree));
    if (!entry.from.empty()) {
      set(object, from_, path_to_js(env_, entry.from));
      set(object, score_, Napi::Number::New(env_, entry.score));
    }
    if (entry.is_submodule) set(object, submodule_, submodule(entry.submodule));
    return object;
  }

  napi_value unmerged(const UnmergedEntry& entry) {
    // In the order of UnmergedEntry::stage_mask().
    static constexpr std::array kConflicts = {"DD", "DD", "AU", "UD", "UA", "DU", "AA", "UU"};
    napi_value object = make(unmerged_, entry.path);
    set(object, text("conflict"), text(kConflicts[static_cast<size_t>(entry.stage_mask())]));
    if (entry.is_submodule) set(object, submodule_, submodule(entry.submodule));
    return object;
  }

  napi_value untracked(const std::string& path) { return make(untracked_, path); }

  napi_value staged(const ChangedEntry& entry) {
    std::array<char, 16> mode{};
    std::snprintf(mode.data(), mode.size(), "%06o", entry.head.mode);
    napi_value object = nullptr;
    napi_create_object(env_, &object);
    set(object, path_, path_to_js(env_, entry.path));
    set(object, index_, letter(entry.index));
    set(object, text("headMode"), text(mode.data()));
    const ObjectId none = ObjectId::null(entry.in_index.id.algorithm());
    const ObjectId& id = entry.head.id.is_null() ? none : entry.head.id;
    set(object, text("headOid"), text(id.hex().c_str()));
    if (!entry.from.empty()) set(object, from_, path_to_js(env_, entry.from));
    return object;
  }

 private:
  napi_value text(const char* value) { return Napi::String::New(env_, value); }

  napi_value make(napi_value kind, const std::string& path) {
    napi_value object = nullptr;
    napi_create_object(env_, &object);
    set(object, kind_, kind);
    set(object, path_, path_to_js(env_, path));
    return object;
  }

  void set(napi_value object, napi_value key, napi_value value) {
    napi_set_property(env_, object, key, value);
  }

  napi_value letter(Change change) {
    napi_value& cached = letters_[static_cast<uint8_t>(change) & 0x7F];
    const char character = static_cast<char>(change);
    if (cached == nullptr) napi_create_string_latin1(env_, &character, 1, &cached);
    return cached;
  }

  napi_value submodule(const SubmoduleState& state) {
    const std::string value = {'S', state.new_commits ? 'C' : '.',
                               state.modified_content ? 'M' : '.',
                               state.untracked_content ? 'U' : '.'};
    return text(value.c_str());
  }

  const Napi::Env env_;
  const napi_value kind_ = text("kind");
  const napi_value path_ = text("path");
  const napi_value index_ = text("index");
  const napi_value worktree_ = text("worktree");
  const napi_value from_ = text("from");
  const napi_value score_ = text("score");
  const napi_value submodule_ = text("submodule");
  const napi_value changed_ = text("changed");
  const napi_value unmerged_ = text("unmerged");
  const napi_value untracked_ = text("untracked");
  std::array<napi_value, 128> letters_{};
};

Napi::Value branch_to_js(Napi::Env env, const BranchStatus& branch) {
  Napi::Object result = Napi::Object::New(env);
  if (!branch.detached) result.Set("name", path_to_js(env, branch.name));
  if (!branch.initial) result.Set("oid", branch.head.hex());
  if (branch.has_upstream) result.Set("upstream", path_to_js(env, branch.upstream));
  if (!branch.has_upstream || branch.upstream_gone) return result;
  if (branch.counted) {
    result.Set("ahead", branch.ahead);
    result.Set("behind", branch.behind);
  } else {
    result.Set("counting", true);
  }
  return result;
}

Napi::Object remote_to_js(Napi::Env env, const BranchDetails::Remote& remote) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("remote", path_to_js(env, remote.name));
  result.Set("branch", path_to_js(env, remote.branch));
  if (!remote.url.empty()) result.Set("url", path_to_js(env, remote.url));
  return result;
}

Napi::Value details_to_js(Napi::Env env, const std::optional<BranchDetails>& details) {
  using Known = BranchDetails::Known;
  if (!details) return env.Null();
  Napi::Object result = Napi::Object::New(env);
  if (details->tag) {
    Napi::Object tag = Napi::Object::New(env);
    tag.Set("name", path_to_js(env, details->tag->name));
    tag.Set("distance", details->tag->distance);
    result.Set("tag", tag);
  } else if (details->tag_known == Known::kKnown) {
    result.Set("tag", env.Null());
  }
  if (details->tag_known == Known::kPending) result.Set("describing", true);
  if (details->stashes) result.Set("stashes", *details->stashes);
  if (!details->action.empty()) result.Set("action", path_to_js(env, details->action));
  if (details->upstream) result.Set("upstream", remote_to_js(env, *details->upstream));
  if (!details->push) return result;
  Napi::Object push = remote_to_js(env, *details->push);
  if (details->push_is_upstream) push.Set("isUpstream", true);
  if (details->push_known == Known::kPending) push.Set("counting", true);
  if (details->push_counts) {
    push.Set("ahead", details->push_counts->ahead);
    push.Set("behind", details->push_counts->behind);
  }
  result.Set("push", push);
  return result;
}

Napi::Value operation_to_js(Napi::Env env, Operation operation) {
  switch (operation) {
    case Operation::kNone:
      return env.Null();
    case Operation::kMerge:
      return Napi::String::New(env, "merge");
    case Operation::kRebase:
      return Napi::String::New(env, "rebase");
    case Operation::kCherryPick:
      return Napi::String::New(env, "cherry-pick");
    case Operation::kRevert:
      return Napi::String::New(env, "revert");
    case Operation::kBisect:
      return Napi::String::New(env, "bisect");
    case Operation::kAm:
      return Napi::String::New(env, "am");
  }
  return env.Null();
}

Napi::Value sweep_to_js(Napi::Env env, const SweepState& sweep) {
  using Pace = SweepState::Pace;
  Napi::Object result = Napi::Object::New(env);
  const auto number = [&](const char* name, double value) {
    result.Set(name, Napi::Number::New(env, value));
  };
  number("withinMinutes", static_cast<double>(sweep.within.count()) / 60);
  number("verifiedAt", static_cast<double>(sweep.verified_at) * 1000);
  number("percent", sweep.percent);
  if (sweep.pace == Pace::kBattery) result.Set("paused", "battery");
  if (sweep.pace == Pace::kLoad) result.Set("paused", "load");
  return result;
}

Napi::Value shortage_to_js(Napi::Env env, const WatchShortage& shortage) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("limit", shortage.limit);
  result.Set("needed", Napi::Number::New(env, static_cast<double>(shortage.needed)));
  result.Set("command", shortage.command);
  return result;
}

Napi::Value state_to_js(Napi::Env env, const ModelState& state) {
  using Kind = ModelState::Kind;
  Napi::Object result = Napi::Object::New(env);
  const auto count = [&](const char* name, uint64_t value) {
    result.Set(name, Napi::Number::New(env, static_cast<double>(value)));
  };
  const bool stands = state.kind == Kind::kWatching || state.kind == Kind::kPolling ||
                      state.kind == Kind::kDelegated;
  if (stands && state.sweep.pace != SweepState::Pace::kOff) {
    result.Set("sweep", sweep_to_js(env, state.sweep));
  }
  if (stands && state.linked_beyond > 0) count("linkedBeyond", state.linked_beyond);
  if (state.waiting) {
    Napi::Object waiting = Napi::Object::New(env);
    waiting.Set("name", path_to_js(env, state.waiting->name));
    waiting.Set("files", Napi::Number::New(env, static_cast<double>(state.waiting->files)));
    waiting.Set("since", Napi::Number::New(env, static_cast<double>(state.waiting->since_ms)));
    result.Set("waiting", waiting);
  }
  switch (state.kind) {
    case Kind::kScanning:
    case Kind::kVerifying:
      result.Set("state", state.kind == Kind::kScanning ? "scanning" : "verifying");
      count("filesSeen", state.files_seen);
      count("filesExpected", state.files_expected);
      if (state.kind == Kind::kVerifying) result.Set("reason", path_to_js(env, state.message));
      break;
    case Kind::kWatching:
      result.Set("state", "watching");
      count("directories", state.directories);
      break;
    case Kind::kPolling:
      result.Set("state", "polling");
      count("directories", state.directories);
      count("polled", state.polled);
      if (state.shortage) result.Set("shortage", shortage_to_js(env, *state.shortage));
      break;
    case Kind::kDelegated:
      result.Set("state", "delegated");
      result.Set("reason", path_to_js(env, state.message));
      break;
    case Kind::kFailed:
      result.Set("state", "failed");
      result.Set("message", path_to_js(env, state.message));
      break;
  }
  return result;
}

// `lists`: a StatusDelta or a StatusResult.
template <typename Lists>
Napi::Value entries_to_js(EntryWriter& writer, Napi::Env env, const Lists& lists) {
  const size_t count = lists.changed.size() + lists.unmerged.size() + lists.untracked.size();
  Napi::Array entries = Napi::Array::New(env, count);
  uint32_t next = 0;
  for (const ChangedEntry& entry : lists.changed) entries.Set(next++, writer.changed(entry));
  for (const UnmergedEntry& entry : lists.unmerged) entries.Set(next++, writer.unmerged(entry));
  for (const std::string& path : lists.untracked) entries.Set(next++, writer.untracked(path));
  return entries;
}

}  // namespace

Napi::Value delta_to_js(Napi::Env env, const DeltaChunk& chunk) {
  const StatusDelta& delta = chunk.delta;
  EntryWriter writer(env);
  Napi::Object result = Napi::Object::New(env);
  result.Set("baseVersion", Napi::Number::New(env, static_cast<double>(delta.base_version)));
  result.Set("version", Napi::Number::New(env, static_cast<double>(delta.version)));
  result.Set("upserted", entries_to_js(writer, env, delta));
  result.Set("removed", paths_to_js(env, delta.removed));
  result.Set("removedUntracked", paths_to_js(env, delta.removed_untracked));
  if (delta.place) {
    result.Set("gitDir", path_to_js(env, delta.place->git_dir));
    result.Set("commonDir", path_to_js(env, delta.place->common_dir));
  }
  if (delta.branch) result.Set("branch", branch_to_js(env, *delta.branch));
  if (delta.operation) result.Set("operation", operation_to_js(env, *delta.operation));
  if (delta.details) result.Set("details", details_to_js(env, *delta.details));
  if (delta.state) result.Set("state", state_to_js(env, *delta.state));
  if (!delta.problems.empty()) result.Set("problems", paths_to_js(env, delta.problems));
  if (delta.unwatched_files) result.Set("unwatchedFiles", paths_to_js(env, *delta.unwatched_files));
  if (delta.ignore_rules_changed) result.Set("ignoreRulesChanged", true);
  if (delta.content_changed) result.Set("contentChanged", true);
  if (chunk.more) result.Set("more", true);
  if (delta.since != std::chrono::steady_clock::time_point{}) {
    const std::chrono::duration<double, std::milli> latency =
        std::chrono::steady_clock::now() - delta.since;
    result.Set("latencyMs", latency.count());
  }
  return result;
}

Napi::Value status_to_js(Napi::Env env, const StatusResult& status) {
  EntryWriter writer(env);
  Napi::Array staged = Napi::Array::New(env);
  uint32_t next = 0;
  for (const ChangedEntry& entry : status.changed) {
    if (entry.index != Change::kNone) staged.Set(next++, writer.staged(entry));
  }
  Napi::Object result = Napi::Object::New(env);
  result.Set("entries", entries_to_js(writer, env, status));
  result.Set("staged", staged);
  return result;
}

}  // namespace resident
