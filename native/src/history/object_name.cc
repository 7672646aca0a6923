#include "history/object_name.h"

#include <algorithm>

#include "refs/ref_name.h"

namespace resident {

namespace {

// git understands no abbreviation that is shorter.
constexpr size_t kShortestId = 4;

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

Error expression(std::string_view word) {
  return {ErrorCode::kUnsupported, "only git can resolve '" + std::string(word) + "'"};
}

}  // namespace

Result<std::vector<NamedRef>> refs_named(const OperationSources& sources, std::string_view name) {
  if (name == "@" || name.find("@{") != std::string_view::npos) return expression(name);
  const bool all = sources.config.get_bool("core.warnambiguousrefs", true);
  std::vector<NamedRef> found;
  for (const std::string& candidate : ref_name_candidates(name)) {
    auto ref = sources.refs.look_up(candidate);
    // git passes over a damaged ref, and warns of it.
    if (!ref.ok()) return Error{ErrorCode::kUnsupported, ref.error().message};
    if (!*ref) continue;
    found.push_back({std::move((*ref)->name), (*ref)->id});
    if (!all) break;
  }
  return found;
}

Result<std::optional<ObjectId>> object_named(const OperationSources& sources,
                                             std::string_view word) {
  const HashAlgorithm algorithm = sources.repository.algorithm;
  if (word.size() == 2 * hash_size(algorithm) && is_hex(word)) return ObjectId::from_hex(word);
  if (word.find_first_of("^~:") != std::string_view::npos) return expression(word);
  RESIDENT_TRY(const std::vector<NamedRef> refs, refs_named(sources, word));
  if (!refs.empty()) return std::optional(refs[0].id);
  const bool is_short_id = word.size() >= kShortestId && is_hex(word);
  const bool is_description = word.find("-g") != std::string_view::npos;
  if (is_short_id || is_description) return expression(word);
  return std::optional<ObjectId>();
}

}  // namespace resident
