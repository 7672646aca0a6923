#include "porcelain/long_format_parts.h"

namespace resident {

namespace {

// Prints the sentences of one OperationState. Each part ends with an empty line.
class OperationPrinter {
 public:
  OperationPrinter(const OperationState& state, const LongSummary& summary, bool detached,
                   LongFormatWriter& out)
      : state_(state), summary_(summary), detached_(detached), out_(out) {}

  void merge() {
    if (state_.todo) {
      todo(*state_.todo);
      out_.plain("\n");
    }
    if (summary_.has_conflicts) {
      out_.header("You have unmerged paths.");
      out_.hint("  (fix conflicts and run \"git commit\")");
      out_.hint("  (use \"git merge --abort\" to abort the merge)");
    } else {
      out_.header("All conflicts fixed but you are still merging.");
      out_.hint("  (use \"git commit\" to conclude merge)");
    }
    out_.empty_header();
  }

  void am() {
    out_.header("You are in the middle of an am session.");
    if (state_.patch_is_empty) {
      out_.header("The current patch is empty.");
    } else {
      out_.hint("  (fix conflicts and then run \"git am --continue\")");
    }
    out_.hint("  (use \"git am --skip\" to skip this patch)");
    if (state_.patch_is_empty && out_.rules().advises_am_allow_empty) {
      out_.hint("  (use \"git am --allow-empty\" to record this patch as an empty commit)");
    }
    out_.hint("  (use \"git am --abort\" to restore the original branch)");
    out_.empty_header();
  }

  void rebase() {
    if (state_.todo) todo(*state_.todo);
    if (summary_.has_conflicts) {
      rebasing();
      out_.hint("  (fix conflicts and then run \"git rebase --continue\")");
      out_.hint("  (use \"git rebase --skip\" to skip this patch)");
      out_.hint("  (use \"git rebase --abort\" to check out the original branch)");
    } else if (state_.rebasing || state_.has_merge_message) {
      rebasing();
      out_.hint("  (all conflicts fixed: run \"git rebase --continue\")");
    } else if (state_.moved_while_editing && summary_.worktree_differs && detached_) {
      rebasing("splitting a commit while rebasing", "splitting a commit during a rebase");
      out_.hint("  (Once your working directory is clean, run \"git rebase --continue\")");
    } else {
      rebasing("editing a commit while rebasing", "editing a commit during a rebase");
      out_.hint("  (use \"git commit --amend\" to amend the current commit)");
      out_.hint("  (use \"git rebase --continue\" once you are satisfied with your changes)");
    }
    out_.empty_header();
  }

  void cherry_pick() {
    sequence(state_.cherry_picked, "Cherry-pick currently in progress.",
             "You are currently cherry-picking commit ", "cherry-pick");
  }

  void revert() {
    sequence(state_.reverted, "Revert currently in progress.",
             "You are currently reverting commit ", "revert");
  }

  void bisect() {
    const std::string start =
        state_.bisected_from ? ", started from branch '" + *state_.bisected_from + "'." : ".";
    out_.header("You are currently bisecting" + start);
    out_.hint("  (use \"git bisect reset\" to get back to the original branch)");
    out_.empty_header();
  }

 private:
  void todo(const RebaseTodo& todo) {
    if (todo.next_is_missing) out_.header("git-rebase-todo is missing.");
    const auto count = [](size_t number, const char* one, const char* many) {
      return "(" + std::to_string(number) + (number == 1 ? one : many) + "):";
    };
    if (todo.done_count == 0) {
      out_.header("No commands done.");
    } else {
      out_.header((todo.done_count == 1 ? "Last command done " : "Last commands done ") +
                  count(todo.done_count, " command done", " commands done"));
      commands(todo.done);
      if (todo.done_count > todo.done.size()) {
        out_.hint("  (see more in file " + todo.done_file + ")");
      }
    }
    if (todo.next_count == 0) {
      out_.header("No commands remaining.");
    } else {
      out_.header((todo.next_count == 1 ? "Next command to do " : "Next commands to do ") +
                  count(todo.next_count, " remaining command", " remaining commands"));
      commands(todo.next);
      out_.hint("  (use \"git rebase --edit-todo\" to view and edit)");
    }
  }

  void commands(const std::vector<std::string>& commands) {
    for (const std::string& command : commands) out_.header("   " + command);
  }

  void rebasing(const char* on_branch = "rebasing", const char* otherwise = "rebasing") {
    std::string text = "You are currently ";
    if (state_.branch) {
      text += std::string(on_branch) + " branch '" + *state_.branch + "' on '" +
              state_.onto.value_or(kNoName) + "'.";
    } else {
      text += std::string(otherwise) + ".";
    }
    out_.header(text);
  }

  // `commit` is empty between two commits of a sequence.
  void sequence(const std::string& commit, const char* between, const char* at,
                const std::string& command) {
    out_.header(commit.empty() ? between : at + commit + ".");
    const std::string git = "\"git " + command;
    if (summary_.has_conflicts) {
      out_.hint("  (fix conflicts and run " + git + " --continue\")");
    } else if (commit.empty()) {
      out_.hint("  (run " + git + " --continue\" to continue)");
    } else {
      out_.hint("  (all conflicts fixed: run " + git + " --continue\")");
    }
    out_.hint("  (use " + git + " --skip\" to skip this patch)");
    out_.hint("  (use " + git + " --abort\" to cancel the " + command + " operation)");
    out_.empty_header();
  }

  const OperationState& state_;
  const LongSummary& summary_;
  const bool detached_;
  LongFormatWriter& out_;
};

}  // namespace

void print_operation(const StatusResult& status, const LongSummary& summary,
                     LongFormatWriter& out) {
  const OperationState& state = *status.operation;
  OperationPrinter printer(state, summary, status.branch->detached, out);
  if (state.merging) {
    printer.merge();
  } else if (state.applying) {
    printer.am();
  } else if (state.rebasing || state.rebasing_interactively) {
    printer.rebase();
  } else if (state.cherry_picking) {
    printer.cherry_pick();
  } else if (state.reverting) {
    printer.revert();
  }
  if (state.bisecting) printer.bisect();
  if (!status.sparse_checkout) return;
  const std::optional<int> percent = status.sparse_checkout->percent_present;
  out.header("You are in a sparse checkout" +
             (percent ? " with " + std::to_string(*percent) + "% of tracked files present."
                      : std::string(".")));
  out.empty_header();
}

}  // namespace resident
