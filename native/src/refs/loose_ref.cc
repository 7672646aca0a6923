#include "refs/loose_ref.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "refs/ref_name.h"

namespace resident {

namespace {

// git's own isspace(): neither vertical tabs nor form feeds.
constexpr std::string_view kWhitespace = " \t\n\r";

Result<std::string> read_link(FileSystem& fs, const std::string& path) {
  const size_t slash = path.rfind('/');
  RESIDENT_TRY(Directory directory, fs.open_directory(path.substr(0, slash)));
  return fs.read_link_at(directory, std::string_view(path).substr(slash + 1));
}

Result<RawRef> parse(std::string_view text, const std::string& path, HashAlgorithm algorithm) {
  RawRef raw;
  text = text.substr(0, text.find_last_not_of(kWhitespace) + 1);
  constexpr std::string_view kSymbolic = "ref:";
  if (text.starts_with(kSymbolic)) {
    text.remove_prefix(kSymbolic.size());
    text.remove_prefix(std::min(text.find_first_not_of(kWhitespace), text.size()));
    if (!is_valid_ref_name(text)) return corrupt(path + ": points at an invalid ref name");
    raw.target = text;
    return raw;
  }
  const size_t hex_size = 2 * hash_size(algorithm);
  const bool ends =
      text.size() == hex_size ||
      (text.size() > hex_size && kWhitespace.find(text[hex_size]) != std::string_view::npos);
  if (ends) raw.id = ObjectId::from_hex(text.substr(0, hex_size));
  if (!raw.id) return corrupt(path + ": contains neither an object id nor a ref name");
  return raw;
}

}  // namespace

Result<std::optional<RawRef>> read_loose_ref(FileSystem& fs, const std::string& path,
                                             HashAlgorithm algorithm) {
  const std::optional<RawRef> none;
  auto stat = fs.lstat(path);
  if (!stat.ok()) {
    if (stat.error().code != ErrorCode::kNotFound) return stat.error();
    return none;
  }
  if (stat->kind == FileKind::kDirectory) return none;

  RawRef raw;
  if (stat->kind == FileKind::kSymlink) {
    // The old form of a symbolic ref. Any other link is followed like a file.
    RESIDENT_TRY(std::string target, read_link(fs, path));
    if (target.starts_with("refs/") && is_valid_ref_name(target)) {
      raw.target = std::move(target);
      return std::optional(std::move(raw));
    }
  }
  auto content = fs.read_file(path);
  if (!content.ok()) {
    // Packed and pruned since lstat, or a link to nowhere.
    const bool gone =
        content.error().code == ErrorCode::kNotFound && stat->kind == FileKind::kRegular;
    if (gone) return none;
    return content.error();
  }

  RESIDENT_TRY(raw, parse(*content, path, algorithm));
  return std::optional(std::move(raw));
}

Result<std::optional<RawRef>> read_listed_ref(FileSystem& fs, const Directory& directory,
                                              const DirectoryListing::Entry& file,
                                              const std::string& path, HashAlgorithm algorithm) {
  if (file.kind == FileKind::kRegular) {
    const auto content = fs.read_file_at(directory, file.name);
    if (content.ok()) {
      RESIDENT_TRY(RawRef raw, parse(*content, path, algorithm));
      return std::optional(std::move(raw));
    }
  }
  // It may be something else by now.
  return read_loose_ref(fs, path, algorithm);
}

}  // namespace resident
