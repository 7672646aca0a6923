// The short format and porcelain version 1.
#include "porcelain/porcelain_writer.h"

namespace resident {

namespace {

class ShortPrinter {
 public:
  explicit ShortPrinter(PorcelainWriter& writer) : writer_(writer) {
    const PrintOptions& options = writer.options();
    short_format_ = options.format == StatusFormat::kShort;
    if (short_format_ && options.colors) {
      palette_ = *options.colors;
    } else {
      palette_ = StatusPalette::plain();
    }
  }

  void branch(const BranchStatus& branch) {
    writer_.colored(palette_.header, "## ");
    // git ends the header here, without a newline, if HEAD cannot be resolved.
    if (!branch.detached && branch.name.empty()) return;
    if (branch.initial) writer_.colored(palette_.header, "No commits yet on ");
    if (branch.detached) {
      writer_.colored(palette_.no_branch, "HEAD (no branch)");
    } else {
      writer_.colored(palette_.local_branch, branch.name);
      if (branch.has_upstream) upstream(branch);
    }
    writer_.character(writer_.end());
  }

  void changed(const ChangedEntry& entry) {
    letter(palette_.updated, static_cast<char>(entry.index));
    letter(palette_.changed, worktree_letter(entry));
    writer_.character(' ');
    if (writer_.options().null_terminated) {
      line(entry.path);
      if (!entry.from.empty()) line(entry.from);
      return;
    }
    if (!entry.from.empty()) {
      writer_.path(entry.from, QuoteSpaces::kYes);
      writer_.text(" -> ");
    }
    line(entry.path);
  }

  void unmerged(const UnmergedEntry& entry) {
    writer_.colored(palette_.unmerged, conflict_letters(entry.stage_mask()));
    writer_.character(' ');
    line(entry.path, unchanged_spaces());
  }

  void other(const char* sign, const std::string& path) {
    const PrintOptions& options = writer_.options();
    const bool colored = !options.null_terminated || options.rules.colors_null_terminated_letters;
    writer_.colored(colored ? palette_.untracked : "", sign);
    writer_.character(' ');
    line(path, unchanged_spaces());
  }

 private:
  // For paths that are not changes.
  QuoteSpaces unchanged_spaces() const {
    return QuoteSpaces{writer_.options().rules.quotes_spaces_everywhere};
  }

  void line(const std::string& path, QuoteSpaces spaces = QuoteSpaces::kYes) {
    writer_.path(path, spaces);
    writer_.character(writer_.end());
  }

  void letter(const std::string& color, char letter) {
    if (letter == '.') {
      writer_.character(' ');
    } else {
      writer_.colored(color, std::string_view(&letter, 1));
    }
  }

  // The short format shows the kind of a submodule's change.
  char worktree_letter(const ChangedEntry& entry) const {
    bool submodule = entry.worktree != Change::kNone && entry.worktree != Change::kDeleted &&
                     entry.worktree_mode == kGitlinkMode;
    if (short_format_ && submodule) {
      if (entry.submodule.new_commits) return 'M';
      if (entry.submodule.modified_content) return 'm';
      if (entry.submodule.untracked_content) return '?';
    }
    return static_cast<char>(entry.worktree);
  }

  void upstream(const BranchStatus& branch) {
    const std::string& header = palette_.header;
    writer_.colored(header, "...");
    writer_.colored(palette_.remote_branch, branch.upstream);
    // An unborn branch has no commit to compare. git reports it like a missing upstream.
    bool gone = branch.upstream_gone || branch.initial;
    bool same = branch.counted ? branch.ahead == 0 && branch.behind == 0 : !branch.differs;
    if (!gone && same) return;
    writer_.colored(header, " [");
    if (gone) {
      writer_.colored(header, "gone");
    } else if (!branch.counted) {
      writer_.colored(header, "different");
    } else {
      if (branch.ahead) count("ahead ", branch.ahead, palette_.local_branch);
      if (branch.ahead && branch.behind) {
        count(", behind ", branch.behind, palette_.remote_branch);
      } else if (branch.behind) {
        count("behind ", branch.behind, palette_.remote_branch);
      }
    }
    writer_.colored(header, "]");
  }

  void count(const char* label, int number, const std::string& color) {
    writer_.colored(palette_.header, label);
    writer_.colored(color, std::to_string(number));
  }

  PorcelainWriter& writer_;
  StatusPalette palette_;
  bool short_format_ = false;
};

}  // namespace

void print_short(const StatusResult& status, PorcelainWriter& writer) {
  ShortPrinter printer(writer);
  if (status.branch) printer.branch(*status.branch);
  // A single list sorted by path, with conflicts among the changes.
  auto unmerged = status.unmerged.begin();
  for (const ChangedEntry& entry : status.changed) {
    for (; unmerged != status.unmerged.end() && unmerged->path < entry.path; ++unmerged) {
      printer.unmerged(*unmerged);
    }
    printer.changed(entry);
  }
  for (; unmerged != status.unmerged.end(); ++unmerged) printer.unmerged(*unmerged);
  for (const std::string& path : status.untracked) printer.other("??", path);
  for (const std::string& path : status.ignored) printer.other("!!", path);
}

}  // namespace resident
