#include "explain/explanation_json.h"

#include <cstdio>
#include <string_view>

#include "base/json.h"

namespace resident {

namespace {

// Members of one object. Empty values are left out.
class Members : public JsonMembers {
 public:
  using JsonMembers::JsonMembers;
  void ascii(std::string_view name, std::string_view value) {
    append_json_ascii(next(name), value);
  }
  void add_text(std::string_view name, std::string_view value) {
    if (!value.empty()) ascii(name, value);
  }
  void add_number(std::string_view name, uint64_t value) {
    if (value != 0) number(name, value);
  }
  void add_flag(std::string_view name, bool value) {
    if (value) flag(name, true);
  }
  // `append` appends one of the items to a text.
  template <typename Items, typename Append>
  void add_list(std::string_view name, const Items& items, const Append& append) {
    if (items.empty()) return;
    JsonMembers list(next(name), Kind::kList);
    for (const auto& item : items) append(list.next(), item);
  }
};

std::string octal(uint32_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%06o", mode);
  return text;
}

void add_side(Members& object, const Side& side) {
  object.add_text("mode", octal(side.mode));
  object.add_text("oid", side.id.hex());
}

void append_entry(std::string& out, const ExplainedEntry& entry) {
  Members object(out);
  object.number("stage", entry.stage);
  add_side(object, entry.side);
  object.add_flag("assumeUnchanged", entry.assume_unchanged);
  object.add_flag("skipWorktree", entry.skip_worktree);
  object.add_flag("intentToAdd", entry.intent_to_add);
}

void append_row(std::string& out, const ExplainedRow& row) {
  Members object(out);
  object.add_text("index", row.index);
  object.add_text("worktree", row.worktree);
  object.add_flag("unmerged", row.unmerged);
  object.add_text("from", row.from);
  object.add_number("score", static_cast<uint64_t>(row.score));
}

void append_ignore(std::string& out, const ExplainedIgnore& ignore) {
  Members object(out);
  object.add_text("source", ignore.source);
  object.add_number("line", ignore.line);
  object.add_text("pattern", ignore.pattern);
  object.add_flag("negative", ignore.negative);
  object.add_text("at", ignore.at);
}

void append_attribute(std::string& out, const ExplainedAttribute& attribute) {
  using Origin = ExplainedAttribute::Origin;
  Members object(out);
  object.add_text("name", attribute.name);
  object.ascii("value", attribute.value);
  object.ascii("origin", attribute.origin == Origin::kFile    ? "file"
                         : attribute.origin == Origin::kIndex ? "index"
                                                              : "builtIn");
  object.add_text("source", attribute.source);
  object.add_number("line", attribute.line);
  object.add_text("pattern", attribute.pattern);
  object.add_text("macro", attribute.macro);
}

void append_conversion(std::string& out, const ExplainedConversion& conversion) {
  Members object(out);
  object.add_text("endOfLine", conversion.end_of_line);
  object.add_flag("ident", conversion.ident);
  object.add_text("encoding", conversion.encoding);
  object.add_text("filter", conversion.filter);
}

void append_sparse(std::string& out, const ExplainedSparse& sparse) {
  Members object(out);
  object.flag("included", sparse.included);
  object.add_flag("cone", sparse.cone);
  object.add_number("line", sparse.line);
  object.add_text("pattern", sparse.pattern);
}

void append_explanation(std::string& out, const Explanation& explanation) {
  const auto append_name = [](std::string& list, auto value) {
    append_json_ascii(list, name_of(value));
  };
  Members object(out);
  object.ascii("path", explanation.path);
  object.add_text("kind", name_of(explanation.kind));
  object.add_text("refusal", explanation.refusal);
  object.add_text("place", name_of(explanation.place));
  object.add_text("placeAt", explanation.place_at);
  if (explanation.row) append_row(object.next("row"), *explanation.row);
  object.add_flag("untracked", explanation.untracked);
  object.add_flag("ignored", explanation.ignored);
  object.add_list("entries", explanation.entries, append_entry);
  object.add_number("trackedBelow", explanation.tracked_below);
  if (explanation.head) {
    Members head(object.next("head"));
    add_side(head, *explanation.head);
  }
  object.add_list("differences", explanation.differences, append_name);
  if (explanation.worktree_mode != 0) {
    object.add_text("worktreeMode", octal(explanation.worktree_mode));
  }
  object.add_list("hidden", explanation.hidden, append_name);
  if (explanation.ignore) append_ignore(object.next("ignore"), *explanation.ignore);
  object.add_list("attributes", explanation.attributes, append_attribute);
  if (explanation.conversion.any()) {
    append_conversion(object.next("conversion"), explanation.conversion);
  }
  if (explanation.sparse) append_sparse(object.next("sparse"), *explanation.sparse);
}

}  // namespace

std::string_view name_of(Difference difference) {
  switch (difference) {
    case Difference::kDeleted:
      return "deleted";
    case Difference::kType:
      return "type";
    case Difference::kMode:
      return "mode";
    case Difference::kContent:
      return "content";
    case Difference::kEndOfLine:
      return "endOfLine";
    case Difference::kConversion:
      return "conversion";
    case Difference::kFilter:
      return "filter";
    case Difference::kIntentToAdd:
      return "intentToAdd";
    case Difference::kCommit:
      return "commit";
    case Difference::kModified:
      return "modified";
    case Difference::kUntracked:
      return "untracked";
    case Difference::kUnreadable:
      return "unreadable";
    case Difference::kUnknown:
      return "unknown";
  }
  return {};
}

std::string_view name_of(Hidden hidden) {
  switch (hidden) {
    case Hidden::kAssumeUnchanged:
      return "assumeUnchanged";
    case Hidden::kSkipWorktree:
      return "skipWorktree";
    case Hidden::kSparseIndex:
      return "sparseIndex";
  }
  return {};
}

std::string_view name_of(Place place) {
  switch (place) {
    case Place::kOrdinary:
      return {};
    case Place::kGitDirectory:
      return "gitDirectory";
    case Place::kSubmodule:
      return "submodule";
    case Place::kNestedRepository:
      return "nestedRepository";
    case Place::kBeyondLink:
      return "beyondLink";
  }
  return {};
}

std::string_view name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kUnknown:
      return {};
    case FileKind::kRegular:
      return "file";
    case FileKind::kSymlink:
      return "symlink";
    case FileKind::kDirectory:
      return "directory";
    case FileKind::kOther:
      return "special";
  }
  return {};
}

std::string explanation_json(const Explanation& explanation) {
  std::string out;
  append_explanation(out, explanation);
  return out;
}

}  // namespace resident
