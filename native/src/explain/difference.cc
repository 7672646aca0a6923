#include "explain/difference.h"

#include "hash/hasher.h"
#include "object/tree.h"
#include "status/directory_at_file.h"
#include "status/stat_match.h"

namespace resident {

namespace {

// What is larger is not looked into: that it differs is known without it.
constexpr uint64_t kMaxLookedInto = 64 << 20;

std::string without_cr_before_lf(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    result += text[i];
  }
  return result;
}

// How the content of one file, of the same type as the entry, stands to the entry's.
class Comparison {
 public:
  Comparison(const ExplainContext& context, const FileRef& file, const FileStat& stat,
             const ObjectId& id)
      : context_(context), file_(file), stat_(stat), id_(id) {}

  // nullopt: it is the same. `state` is what is known of the file, and `same_mode` that nothing
  // but its content can make it differ.
  std::optional<Difference> compare(EntryState state, bool same_mode) const {
    const bool known_to_differ = same_mode && state.is_present() && state.differs();
    if (stat_.kind == FileKind::kSymlink) return compare_link();
    if (stat_.size > kMaxLookedInto) {
      return known_to_differ ? Difference::kContent : Difference::kUnknown;
    }
    const Result<std::string> bytes = fs().read_file_at(file_.directory, file_.name);
    if (!bytes.ok()) return Difference::kUnreadable;
    const bool same_bytes = is_stored(*bytes);
    const Conversion conversion = context_.content.conversion_of(file_.path());
    if (conversion.kind == ConversionKind::kExternal) {
      if (!known_to_differ || state.is_unanswerable()) return Difference::kUnknown;
      return same_bytes ? Difference::kFilter : Difference::kContent;
    }
    const Result<FileContent::Stored> stored = context_.content.read(file_, stat_, id_);
    if (!stored.ok()) return Difference::kUnreadable;
    if (is_stored(stored->content)) return std::nullopt;
    const bool converts_more = conversion.ident || !conversion.encoding.empty();
    if (same_bytes) return converts_more ? Difference::kConversion : Difference::kEndOfLine;
    const Result<ObjectInfo> info = context_.objects.read_info(id_);
    if (!info.ok() || info->size > kMaxLookedInto) return Difference::kContent;
    const Result<std::string> blob = context_.objects.read_blob(id_);
    // What stands in for the blob (refs/replace) can have the very bytes, which git compares by id.
    const bool same_lines = blob.ok() && *blob != stored->content &&
                            without_cr_before_lf(*blob) == without_cr_before_lf(stored->content);
    return same_lines ? Difference::kEndOfLine : Difference::kContent;
  }

 private:
  FileSystem& fs() const { return context_.refresh.fs; }

  std::optional<Difference> compare_link() const {
    const Result<ContentMatch> match = context_.content.compare(file_, stat_, id_);
    if (!match.ok()) return Difference::kUnreadable;
    return match->same ? std::nullopt : std::optional(Difference::kContent);
  }

  bool is_stored(std::string_view content) const {
    return hash_object(context_.refresh.index.algorithm(), "blob", as_bytes(content)) == id_;
  }

  const ExplainContext& context_;
  const FileRef& file_;
  const FileStat& stat_;
  const ObjectId& id_;
};

// The mode that git gives to what stands there; 0: nothing that it sees in the entry's place.
uint32_t mode_of(const ExplainContext& context, const IndexEntry& entry, const FileStat& stat,
                 const std::string& path) {
  if (stat.kind != FileKind::kDirectory) {
    return worktree_mode(entry, stat, context.refresh.settings);
  }
  const bool is_repository =
      entry.is_gitlink() ||
      !directory_at_file_state(context.refresh.fs, context.refresh.root + "/" + path).is_absent();
  return is_repository ? kModeGitlink : 0;
}

}  // namespace

void explain_difference(const ExplainContext& context, const Directory& root, uint32_t position,
                        const std::optional<FileStat>& stat, Explanation& explanation) {
  const IndexEntry& entry = context.refresh.index.entries()[position];
  auto& found = explanation.differences;
  const uint32_t mode = stat ? mode_of(context, entry, *stat, explanation.path) : 0;
  explanation.worktree_mode = mode;
  if (mode == 0) {
    found.push_back(Difference::kDeleted);
    return;
  }
  if (entry.intent_to_add()) found.push_back(Difference::kIntentToAdd);
  if ((mode & kModeTypeMask) != (entry.mode & kModeTypeMask)) {
    found.push_back(Difference::kType);
    return;
  }
  if (mode != entry.mode) found.push_back(Difference::kMode);
  if (entry.is_gitlink() || entry.intent_to_add()) return;
  const ObjectId id = context.refresh.index.id(position);
  const FileRef file{root, explanation.path};
  const Comparison comparison(context, file, *stat, id);
  if (const auto differs = comparison.compare(context.states[position], mode == entry.mode)) {
    found.push_back(*differs);
  }
}

}  // namespace resident
