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
      return "type changed";
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
  const std::string modes = " (" + octal(before) + " to " + octal(explanation.worktree_mode) + ")";
  switch (difference) {
    case Difference::kDeleted:
      return "the file is missing";
    case Difference::kType:
      return "the type differs" + modes;
    case Difference::kMode:
      return "the mode differs" + modes;
    case Difference::kContent:
      return "the content differs";
    case Difference::kEndOfLine:
      return "only the line endings differ";
    case Difference::kConversion:
      return "the bytes are equal, but git would store other bytes (ident, encoding)";
    case Difference::kFilter:
      return "the bytes are equal, but the filter changes them";
    case Difference::kIntentToAdd:
      return "the index has no content yet (git add --intent-to-add)";
    case Difference::kCommit:
      return "the submodule has another commit checked out";
    case Difference::kModified:
      return "the submodule has changes in tracked files";
    case Difference::kUntracked:
      return "the submodule has untracked files";
    case Difference::kUnreadable:
      return "the file cannot be read";
    case Difference::kUnknown:
      return "only git or a filter can compare the content";
  }
  return {};
}

std::string hidden_text(Hidden hidden) {
  switch (hidden) {
    case Hidden::kAssumeUnchanged:
      return "The flag assume-unchanged hides changes. To clear the flag, run: "
             "git update-index --no-assume-unchanged";
    case Hidden::kSkipWorktree:
      return "The flag skip-worktree hides changes. To clear the flag, run: "
             "git update-index --no-skip-worktree, or git sparse-checkout";
    case Hidden::kSparseIndex:
      return "The path is outside of the sparse checkout. The index has only a directory above it.";
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
    if (!about_.refusal.empty()) add("git status cannot read this path: " + about_.refusal + ".");
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
        return "git skips this path: " + at + " belongs to git itself.";
      case Place::kSubmodule:
        return "This path is in the submodule " + at + ", which has a status of its own.";
      case Place::kNestedRepository:
        return about_.place_at == about_.path
                   ? "This path is a nested repository. The outer repository tracks nothing in it."
                   : "This path is in the nested repository " + at +
                         ". The outer repository tracks nothing in it.";
      case Place::kBeyondLink:
        return "git skips this path: it does not follow the symbolic link " + at + ".";
      case Place::kOrdinary:
        break;
    }
    return {};
  }

  void add_status() {
    if (about_.row && about_.row->unmerged) {
      add("Conflict (" + about_.row->index + about_.row->worktree +
          "): " + conflict_text(about_.row->index + about_.row->worktree) + ".");
    } else if (about_.row) {
      add("Changed (" + about_.row->index + about_.row->worktree + "): index " +
          change_text(about_.row->index[0]) + ", worktree " + change_text(about_.row->worktree[0]) +
          ".");
      if (!about_.row->from.empty()) {
        add("The old path is " + in_quotes(about_.row->from) + " (" +
            std::to_string(about_.row->score) + "% similar).");
      }
    } else if (!about_.entries.empty()) {
      add(about_.hidden.empty() ? "git tracks this path, and it is unchanged."
                                : "git tracks this path, and git status shows no change.");
    } else if (about_.tracked_below > 0) {
      add("This directory has " +
          count_of(about_.tracked_below, "tracked file.", "tracked files."));
    }
    if (about_.untracked) {
      add(about_.tracked_below > 0 || about_.path.empty()
              ? "This directory has untracked files."
              : "Untracked: no rule ignores this path.");
    } else if (about_.ignored) {
      add("Ignored.");
    } else if (!about_.row && about_.entries.empty() && about_.tracked_below == 0) {
      add(absence_text());
    }
  }

  std::string absence_text() const {
    switch (about_.kind) {
      case FileKind::kUnknown:
        return "Nothing exists at this path, and git tracks nothing here.";
      case FileKind::kOther:
        return "git does not track sockets, pipes and devices.";
      case FileKind::kDirectory:
        return "This directory has no file that git could add.";
      default:
        return "git status does not show this path.";
    }
  }

  void add_differences() {
    if (about_.differences.empty()) return;
    std::vector<std::string> all;
    for (const Difference one : about_.differences) all.push_back(difference_text(one, about_));
    add((about_.hidden.empty() ? "Compared with the index: "
                               : "Hidden changes, compared with the index: ") +
        joined(all, "; ") + ".");
  }

  void add_ignore() {
    if (!about_.ignore) return;
    const ExplainedIgnore& ignore = *about_.ignore;
    const bool is_tracked = !about_.entries.empty() || about_.tracked_below > 0;
    std::string line = ignore.negative ? "Not ignored because of "
                       : is_tracked    ? "Would be ignored if it were untracked, because of "
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
    std::string line = about_.sparse->included ? "The sparse checkout includes this path"
                                               : "The sparse checkout leaves this path out";
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
        line += ", from " + rule_text(attribute.source, attribute.line, attribute.pattern);
      }
      if (!attribute.macro.empty()) line += ", by the macro " + attribute.macro;
      if (attribute.origin == ExplainedAttribute::Origin::kIndex) line += " (as in the index)";
      add(line + ".");
    }
    const ExplainedConversion& conversion = about_.conversion;
    if (!conversion.any()) return;
    std::vector<std::string> steps;
    if (!conversion.filter.empty()) steps.push_back("filter " + conversion.filter);
    if (!conversion.encoding.empty()) steps.push_back(conversion.encoding + " becomes UTF-8");
    if (conversion.end_of_line == "text") steps.push_back("CRLF becomes LF");
    if (conversion.end_of_line == "auto") steps.push_back("CRLF becomes LF if the file is text");
    if (conversion.ident) steps.push_back("$Id: ...$ becomes $Id$");
    add("Conversion for the index: " + joined(steps, ", ") + ".");
  }

  const Explanation& about_;
  std::string text_;
};

}  // namespace

std::string explanation_text(const Explanation& explanation, const std::string& shown) {
  return Text(explanation).make(shown);
}

}  // namespace resident
