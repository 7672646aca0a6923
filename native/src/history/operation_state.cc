#include "history/operation_state.h"

#include "history/detached_from.h"
#include "history/rebase_todo.h"
#include "refs/ref_name.h"

namespace resident {

namespace {

class StateReader {
 public:
  explicit StateReader(const OperationSources& sources) : sources_(sources) {}

  Result<OperationState> read(const Head& head) {
    state_.merging = exists("MERGE_HEAD");
    RESIDENT_TRY(const std::optional<ObjectId> cherry_picked, commit_in("CHERRY_PICK_HEAD"));
    state_.commit_concludes =
        sources_.fs.lstat(operation_file(sources_, "MERGE_HEAD")).ok() || cherry_picked;
    RESIDENT_TRY(const bool rebases, read_rebase(head));
    if (!state_.merging && !rebases && cherry_picked) {
      state_.cherry_picking = true;
      RESIDENT_TRY(state_.cherry_picked, abbreviate(sources_, *cherry_picked));
    }
    RESIDENT_CHECK(read_bisection());
    RESIDENT_TRY(const std::optional<ObjectId> reverted, commit_in("REVERT_HEAD"));
    if (reverted) {
      state_.reverting = true;
      RESIDENT_TRY(state_.reverted, abbreviate(sources_, *reverted));
    }
    RESIDENT_CHECK(read_sequence());
    if (head.detached) RESIDENT_CHECK(read_detached(head));
    return std::move(state_);
  }

 private:
  bool exists(std::string_view name) const { return operation_file_exists(sources_, name); }

  // The id in a ref like MERGE_HEAD. A damaged ref counts as missing.
  Result<std::optional<ObjectId>> commit_in(const std::string& ref) {
    auto id = sources_.refs.resolve(ref);
    if (id.ok() || id.error().code == ErrorCode::kUnsupported) return id;
    return std::optional<ObjectId>();
  }

  // Returns whether a rebase or git am is in progress.
  Result<bool> read_rebase(const Head& head) {
    if (exists("rebase-apply")) {
      if (exists("rebase-apply/applying")) {
        state_.applying = true;
        Result<FileStat> patch = sources_.fs.stat(operation_file(sources_, "rebase-apply/patch"));
        state_.patch_is_empty = patch.ok() && patch->size == 0;
      } else {
        state_.rebasing = true;
        RESIDENT_TRY(state_.branch, place_in("rebase-apply/head-name"));
        RESIDENT_TRY(state_.onto, place_in("rebase-apply/onto"));
      }
      return true;
    }
    if (!exists("rebase-merge")) return false;
    state_.rebasing_interactively = exists("rebase-merge/interactive");
    state_.rebasing = !state_.rebasing_interactively;
    RESIDENT_TRY(state_.branch, place_in("rebase-merge/head-name"));
    RESIDENT_TRY(state_.onto, place_in("rebase-merge/onto"));
    if (state_.rebasing_interactively) {
      RESIDENT_TRY(state_.todo, read_rebase_todo(sources_));
    }
    state_.has_merge_message = exists("MERGE_MSG");
    RESIDENT_TRY(state_.moved_while_editing, has_moved_while_editing(head));
    return true;
  }

  // A branch or a commit in the form that people use. Returns nullopt if the file names none.
  Result<std::optional<std::string>> place_in(std::string_view name) {
    RESIDENT_TRY(std::optional<std::string> content, read_operation_file(sources_, name));
    std::string place = content.value_or("");
    place.erase(place.find_last_not_of('\n') + 1);
    if (place.empty() || place == "detached HEAD") return std::optional<std::string>();
    place.erase(std::min(place.find('\0'), place.size()));
    if (place.starts_with(kHeads)) return std::optional(place.substr(kHeads.size()));
    const size_t hex_size = 2 * hash_size(sources_.repository.algorithm);
    const auto id = ObjectId::from_hex(std::string_view(place).substr(0, hex_size));
    if (!id || id->algorithm() != sources_.repository.algorithm) return std::optional(place);
    RESIDENT_TRY(place, abbreviate(sources_, *id));
    return std::optional(place);
  }

  Result<void> read_bisection() {
    if (!exists("BISECT_LOG")) return {};
    state_.bisecting = true;
    RESIDENT_TRY(state_.bisected_from, place_in("BISECT_START"));
    if (!sources_.rules.separates_bisected_branch) state_.branch = state_.bisected_from;
    return {};
  }

  // Between two commits of a sequence only its todo list shows which command runs.
  Result<void> read_sequence() {
    RESIDENT_TRY(const std::optional<std::string> list,
                 read_operation_file(sources_, "sequencer/todo"));
    if (!list) return {};
    std::string_view text = *list;
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view command = text.substr(0, text.find_first_of(" \t"));
    if (command.size() == text.size()) return {};
    const bool keeps_name = sources_.rules.names_commit_of_sequence;
    if (command == "pick" || command == "p") {
      if (!keeps_name) state_.cherry_picked.clear();
      state_.cherry_picking = true;
    } else if (command == "revert") {
      if (!keeps_name) state_.reverted.clear();
      state_.reverting = true;
    }
    return {};
  }

  Result<void> read_detached(const Head& head) {
    RESIDENT_TRY(std::optional<DetachedFrom> from, read_detached_from(head, sources_));
    if (!from) return {};
    state_.detached_from = std::move(from->name);
    state_.detached_at = !from->moved;
    return {};
  }

  Result<std::optional<std::string>> first_line(std::string_view name) {
    RESIDENT_TRY(std::optional<std::string> content, read_operation_file(sources_, name));
    if (content)
      content->erase(
          std::min(content->find_first_of(std::string_view("\n\0", 2)), content->size()));
    return content;
  }

  Result<bool> has_moved_while_editing(const Head& head) {
    if (!head.detached) return false;
    static const std::string kOrigHead = "ORIG_HEAD";
    auto before_last_move = sources_.refs.look_up(kOrigHead);
    // git versions handle a damaged or symbolic ORIG_HEAD differently.
    if (!before_last_move.ok()) {
      return Error{ErrorCode::kUnsupported, std::move(before_last_move).error().message};
    }
    if (*before_last_move && (*before_last_move)->name != kOrigHead) {
      return Error{ErrorCode::kUnsupported, "ORIG_HEAD is a symbolic ref"};
    }
    RESIDENT_TRY(const auto stopped_at, first_line("rebase-merge/amend"));
    RESIDENT_TRY(const auto started_at, first_line("rebase-merge/orig-head"));
    if (!*before_last_move || !stopped_at || !started_at) return false;
    return *stopped_at == *started_at ? head.id->hex() != *stopped_at
                                      : (*before_last_move)->id.hex() != *started_at;
  }

  const OperationSources& sources_;
  OperationState state_;
};

}  // namespace

Result<OperationState> read_operation_state(const Head& head, const OperationSources& sources) {
  return StateReader(sources).read(head);
}

}  // namespace resident
