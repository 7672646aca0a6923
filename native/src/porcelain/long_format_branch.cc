#include <cstdio>

#include "porcelain/long_format_parts.h"

namespace resident {

namespace {

struct Place {
  const char* what;
  std::string where;
};

Place place_of(const BranchStatus& branch, const OperationState& operation) {
  if (!branch.detached) return {"On branch ", branch.name};
  if (operation.rebasing_interactively) {
    return {"interactive rebase in progress; onto ", operation.onto.value_or(kNoName)};
  }
  if (operation.rebasing) return {"rebase in progress; onto ", operation.onto.value_or(kNoName)};
  if (!operation.detached_from) return {"Not currently on any branch.", ""};
  return {operation.detached_at ? "HEAD detached at " : "HEAD detached from ",
          *operation.detached_from};
}

std::string commits(int count) {
  return std::to_string(count) + (count == 1 ? " commit" : " commits");
}

// Sentences about the upstream. Each ends with a newline.
std::string tracking_text(const BranchStatus& branch, bool hints, const GitRules& rules) {
  const std::string upstream = "'" + branch.upstream + "'";
  const auto advised = [hints](const std::string& sentence, const char* advice) {
    return sentence + "\n" + (hints ? std::string("  (use ") + advice + ")\n" : "");
  };
  const bool pushes_there =
      !rules.compares_with_push_branch || branch.push == BranchStatus::Push::kUpstream;
  const auto advised_to_pusher = [&](const std::string& sentence, const char* advice) {
    return pushes_there ? advised(sentence, advice) : sentence + "\n";
  };
  if (branch.upstream_gone) {
    return advised("Your branch is based on " + upstream + ", but the upstream is gone.",
                   "\"git branch --unset-upstream\" to fixup");
  }
  if (!branch.counted) {
    return advised_to_pusher("Your branch and " + upstream + " refer to different commits.",
                             "\"git status --ahead-behind\" for details");
  }
  if (branch.ahead == 0 && branch.behind == 0) {
    return "Your branch is up to date with " + upstream + ".\n";
  }
  if (branch.behind == 0) {
    return advised_to_pusher(
        "Your branch is ahead of " + upstream + " by " + commits(branch.ahead) + ".",
        "\"git push\" to publish your local commits");
  }
  if (branch.ahead == 0) {
    return advised("Your branch is behind " + upstream + " by " + commits(branch.behind) +
                       ", and can be fast-forwarded.",
                   "\"git pull\" to update your local branch");
  }
  // Both counts are at least one. git then uses the plural.
  return advised("Your branch and " + upstream + " have diverged,\nand have " +
                     std::to_string(branch.ahead) + " and " + std::to_string(branch.behind) +
                     " different commits each, respectively.",
                 rules.advises_to_integrate
                     ? "\"git pull\" if you want to integrate the remote branch with yours"
                     : "\"git pull\" to merge the remote branch into yours");
}

std::string slow_counting_text(std::chrono::milliseconds took) {
  char text[200];
  std::snprintf(text, sizeof text,
                "\nIt took %.2f seconds to compute the branch ahead/behind values.\n"
                "You can use '--no-ahead-behind' to avoid this.\n",
                static_cast<double>(took.count()) / 1000.0);
  return text;
}

void print_tracking(const StatusResult& status, const LongFormatOptions& options,
                    LongFormatWriter& out) {
  std::string text = tracking_text(*status.branch, options.hints, out.rules());
  if (options.tell_slow_counting && options.ahead_behind && status.counting > kSlow) {
    text += slow_counting_text(status.counting);
  }
  // Unlike other lines, an empty line here has a space after its comment character.
  const std::string comment =
      out.comment().empty() ? std::string() : std::string(out.comment()) + " ";
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    out.colored(out.palette().header, comment + text.substr(begin, end - begin));
    out.plain("\n");
  }
  if (!comment.empty()) out.colored(out.palette().header, out.comment());
  out.plain("\n");
}

}  // namespace

void print_branch(const StatusResult& status, const PrintOptions& options, LongFormatWriter& out) {
  const BranchStatus& branch = *status.branch;
  const Place place = place_of(branch, *status.operation);
  out.begin(out.palette().header, "");
  out.piece(branch.detached ? out.palette().no_branch : out.palette().header, place.what);
  out.piece(out.branch_color(), place.where + "\n");
  const bool tracks = branch.has_upstream && !branch.initial && !branch.detached;
  if (tracks && !branch.outside_heads) print_tracking(status, options.long_format, out);
}

}  // namespace resident
