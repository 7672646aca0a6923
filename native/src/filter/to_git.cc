#include "filter/to_git.h"

#include <cassert>
#include <utility>

#include "filter/encoding.h"
#include "filter/text_stats.h"

namespace resident {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Whether the index has this path with CRLF. Automatic conversion then leaves the file alone.
// Otherwise a repository with such files would show all of them as modified.
bool has_crlf_in_index(const IndexBlob& index_blob) {
  const std::optional<std::string> blob = index_blob ? index_blob() : std::nullopt;
  if (!blob || blob->find('\r') == std::string::npos) return false;
  const TextStats stats = gather_text_stats(*blob);
  return stats.crlf > 0 && !stats.looks_binary();
}

// Returns nullopt if nothing changes.
std::optional<std::string> crlf_to_lf(std::string_view content, EolConversion eol,
                                      const IndexBlob& index_blob) {
  if (eol == EolConversion::kNone || content.find("\r\n") == kNone) return std::nullopt;
  if (eol == EolConversion::kAuto &&
      (gather_text_stats(content).looks_binary() || has_crlf_in_index(index_blob))) {
    return std::nullopt;
  }
  std::string out;
  out.reserve(content.size());
  size_t copied = 0;
  for (size_t at = content.find("\r\n"); at != kNone; at = content.find("\r\n", at + 2)) {
    out += content.substr(copied, at - copied);
    copied = at + 1;
  }
  out += content.substr(copied);
  return out;
}

// Returns nullopt if nothing changes.
std::optional<std::string> collapse_ident(std::string_view content) {
  std::string out;
  size_t copied = 0;
  size_t at = content.find('$');
  while (at != kNone) {
    const size_t keyword = at + 1;
    at = content.find('$', keyword);
    if (!content.substr(keyword).starts_with("Id:")) continue;
    if (at == kNone) break;
    // An expansion does not cross the end of its line.
    if (content.substr(keyword, at - keyword).find('\n') != kNone) continue;
    out += content.substr(copied, keyword - copied);
    out += "Id$";
    copied = at + 1;
    at = content.find('$', copied);
  }
  if (copied == 0) return std::nullopt;
  out += content.substr(copied);
  return out;
}

}  // namespace

std::optional<std::string> to_git(std::string_view content, const Conversion& conversion,
                                  const IndexBlob& index_blob, bool* encoding_failed) {
  assert(conversion.kind != ConversionKind::kExternal);
  if (conversion.kind == ConversionKind::kNone || content.empty()) return std::nullopt;

  std::optional<std::string> result;
  auto take = [&](std::optional<std::string> changed) {
    if (!changed) return;
    result = std::move(changed);
    content = *result;
  };
  if (!conversion.encoding.empty()) {
    std::optional<std::string> encoded = encode_to_utf8(content, conversion.encoding);
    if (!encoded && encoding_failed) *encoding_failed = true;
    take(std::move(encoded));
  }
  take(crlf_to_lf(content, conversion.eol, index_blob));
  if (conversion.ident) take(collapse_ident(content));
  return result;
}

}  // namespace resident
