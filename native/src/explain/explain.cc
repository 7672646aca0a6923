#include "explain/explain.h"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/path_parts.h"
#include "explain/difference.h"
#include "object/tree.h"
#include "odb/find_in_tree.h"
#include "repository/nested_repository.h"
#include "status/classify.h"
#include "status/directory_patterns.h"

namespace resident {

namespace {

// Makes a path inside the root relative to it.
std::string shown(const ExplainContext& context, const std::string& path) {
  const std::string below = context.refresh.root + "/";
  return path.starts_with(below) ? path.substr(below.size()) : path;
}

// One question. Goes down from the root to the path.
class Explainer {
 public:
  Explainer(const ExplainContext& context, Directory root, const std::string& path,
            bool as_directory)
      : context_(context), root_(std::move(root)), as_directory_(as_directory) {
    explanation_.path = path;
  }

  Result<Explanation> explain() {
    explain_place();
    explain_entries();
    RESIDENT_CHECK(explain_head());
    if (explanation_.place == Place::kOrdinary && !explanation_.path.empty()) {
      explain_differences();
      explain_attributes();
      explain_sparse();
    }
    explanation_.ignored = explanation_.ignore && !explanation_.ignore->negative &&
                           explanation_.entries.empty() && explanation_.tracked_below == 0 &&
                           explanation_.kind != FileKind::kUnknown &&
                           explanation_.kind != FileKind::kOther;
    return std::move(explanation_);
  }

 private:
  const Index& index() const { return context_.refresh.index; }
  const std::string& path() const { return explanation_.path; }
  bool is_gitlink(std::string_view path) const {
    const auto entry = index().find_path(path);
    return entry && index().entries()[*entry].is_gitlink();
  }
  bool has_entries_below(std::string_view path) const {
    return index().find_directory(path).has_value();
  }

  void set_place(Place place, std::string_view at) {
    explanation_.place = place;
    explanation_.place_at = at;
  }

  std::optional<FileStat> look(std::string_view path) {
    const Result<FileStat> stat = path.empty() ? context_.refresh.fs.stat_directory(root_)
                                               : context_.refresh.fs.stat_at(root_, path);
    if (stat.ok()) return *stat;
    if (stat.error().code != ErrorCode::kNotFound) explanation_.refusal = stat.error().message;
    return std::nullopt;
  }

  // Finds git's view of each directory on the way and of the path, and the rule that ignores it.
  void explain_place() {
    enter({}, {});
    for (size_t slash = path().find('/'); slash != path().npos;
         slash = path().find('/', slash + 1)) {
      if (!step(std::string_view(path()).substr(0, slash))) return;
    }
    stat_ = look(path());
    if (stat_) explanation_.kind = stat_->kind;
    if (path().empty()) return;
    if (is_dot_git(base_name(path()), context_.refresh.settings.ignore_case)) {
      set_place(Place::kGitDirectory, path());
      return;
    }
    const bool is_directory = stat_ && stat_->kind == FileKind::kDirectory;
    match(path(), stat_ ? is_directory : as_directory_);
    // If the index has an entry here, a repository is a type change of it.
    const bool is_entry = index().find_path(path()).has_value();
    if (is_directory && !is_entry && is_foreign(path()))
      set_place(Place::kNestedRepository, path());
  }

  // False: git does not go below `directory`.
  bool step(std::string_view directory) {
    if (is_dot_git(base_name(directory), context_.refresh.settings.ignore_case)) {
      set_place(Place::kGitDirectory, directory);
    } else if (is_gitlink(directory)) {
      set_place(Place::kSubmodule, directory);
    } else if (const auto stat = look(directory); stat && stat->kind == FileKind::kSymlink) {
      set_place(Place::kBeyondLink, directory);
    } else if (stat && stat->kind == FileKind::kDirectory && is_foreign(directory)) {
      set_place(Place::kNestedRepository, directory);
    }
    match(directory, true);
    if (explanation_.place != Place::kOrdinary) return false;
    enter(directory, base_name(directory));
    return true;
  }

  // True if the directory is a repository and the index has no entry in it.
  bool is_foreign(std::string_view directory) {
    if (is_gitlink(directory) || has_entries_below(directory)) return false;
    std::string absolute = context_.refresh.root + "/";
    return is_nested_repository(context_.refresh.fs, absolute.append(directory));
  }

  // Adds the rules of a directory, unless it is ignored.
  void enter(std::string_view directory, std::string_view name) {
    if (is_decided()) return;
    auto node = std::make_unique<DirectoryNode>();
    node->name = name;
    node->parent = nodes_.empty() ? nullptr : nodes_.back().get();
    node->index_directory = index().find_directory(directory).value_or(kNoDirectory);
    const ScanContext reading{
        .refresh = context_.refresh,
        .states = {},
        .rules = context_.excludes,
        .folded = nullptr,
        .git_dir = {},
        .read_index_blob =
            [this](uint32_t entry) { return context_.objects.read_blob(index().id(entry)); },
        .tick = {},
    };
    read_patterns(reading, *node, root_, node->path_of(kGitignore));
    nodes_.push_back(std::move(node));
  }

  // Every path below an ignored directory is ignored; other rules have no effect.
  bool is_decided() const {
    return explanation_.ignore && !explanation_.ignore->negative &&
           explanation_.ignore->at != path();
  }

  void match(std::string_view at, bool is_directory) {
    if (is_decided()) return;
    explanation_.ignore.reset();
    const ExcludeMatch match =
        context_.excludes.last_match(*nodes_.back(), at, base_name(at), is_directory);
    if (!match.pattern || (match.pattern->negative && at != path())) return;
    explanation_.ignore = ExplainedIgnore{source_of(match.list), match.pattern->line,
                                          match.list->written(*match.pattern),
                                          match.pattern->negative, std::string(at)};
  }

  std::string source_of(const PatternList* list) const {
    if (list == context_.excludes.info_exclude.get()) {
      return shown(context_, context_.files.info_exclude);
    }
    if (list == context_.excludes.excludes_file.get()) {
      return shown(context_, context_.files.excludes_file);
    }
    for (const auto& node : nodes_) {
      if (node->patterns.get() == list) return node->path_of(kGitignore);
    }
    return {};
  }

  void explain_entries() {
    if (const auto first = index().find_path(path())) {
      for (uint32_t i = *first, end = index().end_of_path(*first); i < end; ++i) {
        const IndexEntry& entry = index().entries()[i];
        explanation_.entries.push_back({entry.stage(), Side{entry.mode, index().id(i)},
                                        entry.assume_valid(), entry.skip_worktree(),
                                        entry.intent_to_add()});
        if (entry.stage() != 0) continue;
        position_ = i;
        if (entry.assume_valid()) explanation_.hidden.push_back(Hidden::kAssumeUnchanged);
        const bool unskipped = context_.refresh.settings.unskip_present && stat_;
        if (entry.skip_worktree() && !unskipped) {
          explanation_.hidden.push_back(Hidden::kSkipWorktree);
        }
      }
    }
    if (const auto directory = index().find_directory(path())) {
      const auto [first, end] = index().subtree_entries(*directory);
      explanation_.tracked_below = end - first;
    }
  }

  Result<void> explain_head() {
    if (path().empty() || explanation_.place == Place::kGitDirectory) return {};
    if (context_.head_tree) {
      RESIDENT_TRY(explanation_.head, in_tree(*context_.head_tree, path()));
    }
    if (!explanation_.entries.empty()) return {};
    // A sparse index has a directory in place of the paths below it.
    const std::string itself = path() + "/";
    const std::optional<Index::InSparseTree> place = index().in_sparse_tree(itself);
    if (!place) return {};
    std::optional<Side> side;
    if (!place->path.empty()) {
      RESIDENT_TRY(side, in_tree(place->tree, place->path.substr(0, place->path.size() - 1)));
      if (!side) return {};
      explanation_.entries.push_back({0, *side, false, true, false});
    }
    explanation_.hidden.push_back(Hidden::kSparseIndex);
    return {};
  }

  Result<std::optional<Side>> in_tree(const ObjectId& tree, std::string_view at) {
    RESIDENT_TRY(const std::optional<TreeFind> found, find_in_tree(context_.objects, tree, at));
    const bool is_file = found && found->mode != kModeTree;
    return is_file ? std::optional(Side{found->mode, found->id}) : std::nullopt;
  }

  void explain_differences() {
    if (!position_) return;
    const EntryState state = context_.states[*position_];
    const bool differs = state.is_absent() || (state.is_present() && state.differs());
    if (explanation_.hidden.empty() && !differs) return;
    if (!explanation_.refusal.empty()) return;
    explain_difference(context_, root_, *position_, stat_, explanation_);
  }

  void explain_attributes() {
    if (explanation_.kind == FileKind::kDirectory) return;
    const auto stack = context_.content.attribute_stack(path());
    for (const auto& decision : stack->decisions(path(), context_.excludes.matching)) {
      if (decision.value.is_unspecified()) continue;
      ExplainedAttribute attribute;
      attribute.name = decision.name;
      attribute.value = decision.value.is_set()     ? "set"
                        : decision.value.is_unset() ? "unset"
                                                    : decision.value.value;
      add_source(*decision.file, attribute);
      attribute.line = decision.rule->line;
      attribute.pattern = decision.rule->written;
      attribute.macro = decision.macro;
      explanation_.attributes.push_back(std::move(attribute));
    }
    if (explanation_.kind == FileKind::kRegular) explain_conversion();
  }

  void add_source(const AttributeFile& file, ExplainedAttribute& attribute) const {
    using Origin = ExplainedAttribute::Origin;
    switch (file.source()) {
      case AttributeSource::kIndex:
        attribute.origin = Origin::kIndex;
        [[fallthrough]];
      case AttributeSource::kFile:
        attribute.source = file.base() + std::string(kGitattributes);
        break;
      case AttributeSource::kInfo:
        attribute.source = shown(context_, context_.files.info_attributes);
        break;
      case AttributeSource::kUser:
        attribute.source = shown(context_, context_.files.attributes_file);
        break;
      case AttributeSource::kSystem:
        attribute.source = context_.files.system_attributes;
        break;
      case AttributeSource::kBuiltIn:
        attribute.origin = Origin::kBuiltIn;
        break;
    }
  }

  void explain_conversion() {
    const Conversion conversion = context_.content.conversion_of(path());
    ExplainedConversion& explained = explanation_.conversion;
    if (conversion.eol == EolConversion::kText) explained.end_of_line = "text";
    if (conversion.eol == EolConversion::kAuto) explained.end_of_line = "auto";
    explained.ident = conversion.ident;
    explained.encoding = conversion.encoding;
    explained.filter = conversion.filter_driver;
  }

  // Cone mode lines mean the same as patterns. The last pattern that matches the path decides, else
  // the last one that matches a directory above.
  void explain_sparse() {
    if (!context_.sparse_patterns) return;
    ExplainedSparse& sparse = explanation_.sparse.emplace();
    sparse.cone = context_.sparse_cone;
    const auto patterns = PatternList::parse(*context_.sparse_patterns, "");
    bool is_directory = explanation_.entries.empty() && explanation_.tracked_below > 0;
    for (std::string_view at = path(); !at.empty();
         at = at.substr(0, at.find('/') == at.npos ? 0 : at.rfind('/'))) {
      const Pattern* pattern =
          patterns->last_match(at, base_name(at), is_directory, context_.excludes.matching);
      if (pattern) {
        sparse.included = !pattern->negative;
        sparse.line = pattern->line;
        sparse.pattern = patterns->written(*pattern);
        return;
      }
      is_directory = true;
    }
  }

  const ExplainContext& context_;
  const Directory root_;
  const bool as_directory_;
  std::vector<std::unique_ptr<DirectoryNode>> nodes_;  // the parent directories, root first
  std::optional<FileStat> stat_;                       // stat of the file at the path
  std::optional<uint32_t> position_;                   // the entry of stage 0
  Explanation explanation_;
};

}  // namespace

Result<Explanation> explain_path(const ExplainContext& context, const std::string& path,
                                 bool as_directory) {
  RESIDENT_TRY(Directory root, context.refresh.fs.open_directory(context.refresh.root));
  return Explainer(context, std::move(root), path, as_directory).explain();
}

}  // namespace resident
