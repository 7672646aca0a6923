#include "explain/explanation_json.h"

#include <cstdio>
#include <string_view>

#include "base/repo_path.h"

namespace resident {

namespace {

// Members of one object. Empty values are left out.
class JsonObject {
 public:
  void add(std::string_view name, std::string_view json) {
    text_ += text_.empty() ? "{" : ",";
    text_.append("\"").append(name).append("\":").append(json);
  }
  void add_text(std::string_view name, std::string_view value) {
    if (!value.empty()) add(name, json_string(value));
  }
  void add_number(std::string_view name, uint64_t value) {
    if (value != 0) add(name, std::to_string(value));
  }
  void add_flag(std::string_view name, bool value) {
    if (value) add(name, "true");
  }
  std::string done() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

template <typename Items, typename ToJson>
void add_list(JsonObject& object, std::string_view name, const Items& items,
              const ToJson& to_json) {
  if (items.empty()) return;
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += to_json(item);
  }
  object.add(name, text + "]");
}

std::string octal(uint32_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%06o", mode);
  return text;
}

void add_side(JsonObject& object, const Side& side) {
  object.add_text("mode", octal(side.mode));
  object.add_text("oid", side.id.hex());
}

std::string entry_json(const ExplainedEntry& entry) {
  JsonObject object;
  object.add("stage", std::to_string(entry.stage));
  add_side(object, entry.side);
  object.add_flag("assumeUnchanged", entry.assume_unchanged);
  object.add_flag("skipWorktree", entry.skip_worktree);
  object.add_flag("intentToAdd", entry.intent_to_add);
  return object.done();
}

std::string row_json(const ExplainedRow& row) {
  JsonObject object;
  object.add_text("index", row.index);
  object.add_text("worktree", row.worktree);
  object.add_flag("unmerged", row.unmerged);
  object.add_text("from", row.from);
  object.add_number("score", static_cast<uint64_t>(row.score));
  return object.done();
}

std::string ignore_json(const ExplainedIgnore& ignore) {
  JsonObject object;
  object.add_text("source", ignore.source);
  object.add_number("line", ignore.line);
  object.add_text("pattern", ignore.pattern);
  object.add_flag("negative", ignore.negative);
  object.add_text("at", ignore.at);
  return object.done();
}

std::string attribute_json(const ExplainedAttribute& attribute) {
  using Origin = ExplainedAttribute::Origin;
  JsonObject object;
  object.add_text("name", attribute.name);
  object.add("value", json_string(attribute.value));
  object.add("origin", attribute.origin == Origin::kFile    ? "\"file\""
                       : attribute.origin == Origin::kIndex ? "\"index\""
                                                            : "\"builtIn\"");
  object.add_text("source", attribute.source);
  object.add_number("line", attribute.line);
  object.add_text("pattern", attribute.pattern);
  object.add_text("macro", attribute.macro);
  return object.done();
}

std::string conversion_json(const ExplainedConversion& conversion) {
  JsonObject object;
  object.add_text("endOfLine", conversion.end_of_line);
  object.add_flag("ident", conversion.ident);
  object.add_text("encoding", conversion.encoding);
  object.add_text("filter", conversion.filter);
  return object.done();
}

std::string sparse_json(const ExplainedSparse& sparse) {
  JsonObject object;
  object.add("included", sparse.included ? "true" : "false");
  object.add_flag("cone", sparse.cone);
  object.add_number("line", sparse.line);
  object.add_text("pattern", sparse.pattern);
  return object.done();
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char16_t unit : repo_path_to_utf16(text)) {
    if (unit == '"' || unit == '\\') {
      json.append(1, '\\').append(1, static_cast<char>(unit));
    } else if (unit >= 0x20 && unit < 0x7f) {
      json += static_cast<char>(unit);
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit));
      json += escape;
    }
  }
  return json + '"';
}

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
  const auto quoted_name = [](auto value) { return json_string(name_of(value)); };
  JsonObject object;
  object.add("path", json_string(explanation.path));
  object.add_text("kind", name_of(explanation.kind));
  object.add_text("refusal", explanation.refusal);
  object.add_text("place", name_of(explanation.place));
  object.add_text("placeAt", explanation.place_at);
  if (explanation.row) object.add("row", row_json(*explanation.row));
  object.add_flag("untracked", explanation.untracked);
  object.add_flag("ignored", explanation.ignored);
  add_list(object, "entries", explanation.entries, entry_json);
  object.add_number("trackedBelow", explanation.tracked_below);
  if (explanation.head) {
    JsonObject head;
    add_side(head, *explanation.head);
    object.add("head", head.done());
  }
  add_list(object, "differences", explanation.differences, quoted_name);
  if (explanation.worktree_mode != 0) {
    object.add_text("worktreeMode", octal(explanation.worktree_mode));
  }
  add_list(object, "hidden", explanation.hidden, quoted_name);
  if (explanation.ignore) object.add("ignore", ignore_json(*explanation.ignore));
  add_list(object, "attributes", explanation.attributes, attribute_json);
  if (explanation.conversion.any()) {
    object.add("conversion", conversion_json(explanation.conversion));
  }
  if (explanation.sparse) object.add("sparse", sparse_json(*explanation.sparse));
  return object.done();
}

}  // namespace resident
