#include "cli/explanation_text.h"

#include <cstdio>
#include <string_view>
#include <vector>

#include "porcelain/printed_path.h"

namespace resident {

namespace {

std::string in_quotes(std::string_view path) {
  std::string text;
  append_quoted(text, path, true, QuoteSpaces::kNo);
  return text;
}

std::string octal(uint32_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%06o", mode);
  return text;
}

std::string count_of(uint64_t count, std::string_view one, std::string_view more) {
  return std::to_string(count).append(" ").append(count == 1 ? one : more);
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += between;
    text += part;
  }
  return text;
}

// "`source`, line 3: `pattern`".
std::string rule_text(const std::string& source, uint32_t line, const std::string& pattern) {
  return in_quotes(source) + ", line " + std::to_string(line) + ": " + in_quotes(pattern);
}

std::string change_text(char letter) {
  switch (letter) {
    case 'M':
      return "modified";
    case 'T':
      return "another type";
    case 'A':
      return "added";
    case 'D':
      return "deleted";
    case 'R':
      return "renamed";
    case 'C':
      return "copied";
    default:
      return "unchanged";
  }
}

std::string conflict_text(const std::string& letters) {
  if (letters == "DD") return "deleted by both sides";
  if (letters == "AU") return "added by us";
  if (letters == "UD") return "deleted by them";
  if (letters == "UA") return "added by them";
  if (letters == "DU") return "deleted by us";
  if (letters == "AA") return "added by both sides";
  return "modified by both sides";
}

std::string difference_text(Difference difference, const Explanation& explanation) {
  const uint32_t before = explanation.entries.empty() ? 0 : explanation.entries.front().side.mode;
  const std::string modes = octal(before) + " to " + octal(explanation.worktree_mode);
  switch (difference) {
    case Difference::kDeleted:
      return "nothing stands there";
    case Difference::kType:
      return "the type: " + modes;
    case Difference::kMode:
      return "the mode: " + modes;
    case Difference::kContent:
      return "the content";
    case Difference::kEndOfLine:
      return "the ends of lines alone";
    case Difference::kConversion:
      return "the conversion: the file has the bytes of the index, and git would store others";
    case Difference::kFilter:
      return "the filter: the file has the bytes of the index, and its filter makes others of them";
    case Difference::kIntentToAdd:
      return "the index has no content yet (git add --intent-to-add)";
    case Difference::kCommit:
      return "another commit is checked out in the submodule";
    case Difference::kModified:
      return "the submodule has changes of its own";
    case Difference::kUntracked:
      return "the submodule has untracked files";
    case Difference::kUnreadable:
      return "it cannot be read";
    case Difference::kUnknown:
      return "whether the content differs is not known without its filter";
  }
  return {};
}

std::string hidden_text(Hidden hidden) {
  switch (hidden) {
    case Hidden::kAssumeUnchanged:
      return "Hidden: it is marked assume-unchanged (git update-index --no-assume-unchanged).";
    case Hidden::kSkipWorktree:
      return "Hidden: it is marked skip-worktree (git update-index --no-skip-worktree, or git "
             "sparse-checkout).";
    case Hidden::kSparseIndex:
      return "Hidden: it is outside of the sparse checkout, and the index has only a directory "
             "above it.";
  }
  return {};
}

class Text {
 public:
  explicit Text(const Explanation& explanation) : about_(explanation) {}

  std::string make(const std::string& shown) {
    text_ = shown + "\n";
    if (about_.place != Place::kOrdinary) {
      add(place_text());
    } else {
      add_status();
      for (const Hidden hidden : about_.hidden) add(hidden_text(hidden));
      add_differences();
    }
    if (!about_.refusal.empty()) add("It cannot be looked at: " + about_.refusal + ".");
    add_ignore();
    add_index();
    add_sparse();
    add_attributes();
    return std::move(text_);
  }

 private:
  void add(const std::string& line) { text_.append("  ").append(line).append("\n"); }

  std::string place_text() const {
    const std::string at = in_quotes(about_.place_at);
    switch (about_.place) {
      case Place::kGitDirectory:
        return "Not looked at: " + at + " belongs to git itself.";
      case Place::kSubmodule:
        return "In the submodule " + at + ", a repository of its own: ask there.";
      case Place::kNestedRepository:
        return about_.place_at == about_.path
                   ? "A repository of its own, of which this one tracks nothing."
                   : "In " + at + ", a repository of its own: ask there.";
      case Place::kBeyondLink:
        return "Not looked at: " + at + " is a symbolic link, which git does not follow.";
      case Place::kOrdinary:
        break;
    }
    return {};
  }

  void add_status() {
    if (about_.row && about_.row->unmerged) {
      add("In conflict (" + about_.row->index + about_.row->worktree +
          "): " + conflict_text(about_.row->index + about_.row->worktree) + ".");
    } else if (about_.row) {
      add("Changed (" + about_.row->index + about_.row->worktree + "): in the index " +
          change_text(about_.row->index[0]) + ", in the worktree " +
          change_text(about_.row->worktree[0]) + ".");
      if (!about_.row->from.empty()) {
        add("From " + in_quotes(about_.row->from) + ", " + std::to_string(about_.row->score) +
            "% the same.");
      }
    } else if (!about_.entries.empty()) {
      add(about_.hidden.empty() ? "Tracked and unchanged."
                                : "Tracked; git status shows no change.");
    } else if (about_.tracked_below > 0) {
      add("A directory with " + count_of(about_.tracked_below, "tracked file.", "tracked files."));
    }
    if (about_.untracked) {
      add(about_.tracked_below > 0 || about_.path.empty() ? "It has untracked files."
                                                          : "Untracked: no rule ignores it.");
    } else if (about_.ignored) {
      add("Ignored.");
    } else if (!about_.row && about_.entries.empty() && about_.tracked_below == 0) {
      add(absence_text());
    }
  }

  std::string absence_text() const {
    switch (about_.kind) {
      case FileKind::kUnknown:
        return "Nothing is there, and nothing is tracked at this path.";
      case FileKind::kOther:
        return "Not shown: git does not see sockets, pipes and devices.";
      case FileKind::kDirectory:
        return "Not shown: git sees no directory in which there is no file to be added.";
      default:
        return "Not shown by git status.";
    }
  }

  void add_differences() {
    if (about_.differences.empty()) return;
    std::vector<std::string> all;
    for (const Difference one : about_.differences) all.push_back(difference_text(one, about_));
    add((about_.hidden.empty() ? "Against the index: " : "What is hidden, against the index: ") +
        joined(all, "; ") + ".");
  }

  void add_ignore() {
    if (!about_.ignore) return;
    const ExplainedIgnore& ignore = *about_.ignore;
    const bool is_tracked = !about_.entries.empty() || about_.tracked_below > 0;
    std::string line = ignore.negative ? "Not ignored because of "
                       : is_tracked    ? "Would be ignored, were it not tracked, because of "
                                       : "Ignored because of ";
    line += rule_text(ignore.source, ignore.line, ignore.pattern);
    if (ignore.at != about_.path) line += " (matches " + in_quotes(ignore.at) + ")";
    add(line + ".");
  }

  void add_index() {
    for (const ExplainedEntry& entry : about_.entries) {
      std::string line = "Index: " + octal(entry.side.mode) + " " + entry.side.id.hex();
      if (entry.stage != 0) line += ", stage " + std::to_string(entry.stage);
      add(line);
    }
    if (about_.head) add("HEAD:  " + octal(about_.head->mode) + " " + about_.head->id.hex());
  }

  void add_sparse() {
    if (!about_.sparse) return;
    std::string line =
        about_.sparse->included ? "In the sparse checkout" : "Not in the sparse checkout";
    if (about_.sparse->line > 0) {
      line += " because of " +
              rule_text("info/sparse-checkout", about_.sparse->line, about_.sparse->pattern);
    }
    add(line + ".");
  }

  void add_attributes() {
    for (const ExplainedAttribute& attribute : about_.attributes) {
      std::string line = "Attribute " + attribute.name + ": " + attribute.value;
      if (attribute.origin == ExplainedAttribute::Origin::kBuiltIn) {
        line += ", built into git";
      } else {
        line += ", by " + rule_text(attribute.source, attribute.line, attribute.pattern);
      }
      if (!attribute.macro.empty()) line += ", through " + attribute.macro;
      if (attribute.origin == ExplainedAttribute::Origin::kIndex) line += " (as in the index)";
      add(line + ".");
    }
    const ExplainedConversion& conversion = about_.conversion;
    if (!conversion.any()) return;
    std::vector<std::string> steps;
    if (!conversion.filter.empty()) steps.push_back("filter " + conversion.filter);
    if (!conversion.encoding.empty()) steps.push_back("from " + conversion.encoding + " to UTF-8");
    if (conversion.end_of_line == "text") steps.push_back("CRLF becomes LF");
    if (conversion.end_of_line == "auto") steps.push_back("CRLF becomes LF where it is text");
    if (conversion.ident) steps.push_back("$Id$ is emptied");
    add("On its way into the index: " + joined(steps, ", ") + ".");
  }

  const Explanation& about_;
  std::string text_;
};

}  // namespace

std::string explanation_text(const Explanation& explanation, const std::string& shown) {
  return Text(explanation).make(shown);
}

}  // namespace resident
