#include "bench/tree_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "base/cut_text.h"

namespace resident::bench {

namespace {

constexpr uint32_t kDistinctContents = 512;
constexpr uint32_t kMaxDepth = 12;
constexpr uint32_t kIgnoreFileEvery = 100;  // directories
constexpr uint32_t kIgnoreContent = kDistinctContents - 1;

// splitmix64 of a position: every choice depends only on its arguments.
uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u + (b + 1) * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double unit(uint64_t random) {
  return static_cast<double>(random >> 11) * 0x1.0p-53;
}

constexpr std::array<std::string_view, 64> kWords = {
    "access",   "android",  "audio",   "base",     "browser",   "build",   "cache",   "chrome",
    "client",   "common",   "content", "core",     "crypto",    "data",    "debug",   "device",
    "dom",      "download", "events",  "export",   "extension", "file",    "font",    "frame",
    "gpu",      "graph",    "handler", "history",  "host",      "image",   "input",   "internal",
    "ipc",      "layout",   "loader",  "media",    "memory",    "mock",    "network", "notify",
    "observer", "page",     "parser",  "platform", "policy",    "prefs",   "process", "proxy",
    "render",   "resource", "sandbox", "script",   "security",  "service", "session", "storage",
    "style",    "sync",     "task",    "test",     "third",     "ui",      "utils",   "view"};
constexpr std::array<std::string_view, 8> kExtensions = {".cc",   ".h",  ".cc",    ".h",
                                                         ".html", ".js", ".mojom", ".txt"};

std::string_view word(uint64_t random) {
  return kWords[random % kWords.size()];
}

std::vector<std::string> make_contents() {
  std::vector<std::string> contents;
  for (uint32_t i = 0; i < 2 * kDistinctContents; ++i) {
    const uint32_t original = i % kDistinctContents;
    std::string text = i == original ? "" : "// changed\n";
    if (original == kIgnoreContent) {
      text = i == original ? "" : "# changed\n";
      for (std::string_view name : kWords) text.append("/").append(name).append(".log\n");
      text += "*.o\n*.pyc\n*~\n/out*/\n.DS_Store\n*.vcxproj.user\n";
    }
    const uint64_t lines = original == kIgnoreContent ? 0 : 2 + mix(original, 7) % 40;
    for (uint64_t line = 0; line < lines; ++line) {
      text += "  ";
      for (uint64_t k = 0; k < 3; ++k) text.append(word(mix(original, 100 + 3 * line + k))) += ' ';
      text += "= " + std::to_string(original) + ";\n";
    }
    contents.push_back(std::move(text));
  }
  return contents;
}

}  // namespace

TreeShape TreeShape::source_tree(uint32_t files, uint32_t directories) {
  TreeShape shape;
  shape.directories_.resize(std::max(1u, std::min(directories, files)));
  std::vector<uint32_t> depths(shape.directories_.size());
  std::unordered_set<std::string> taken;
  for (uint32_t d = 1; d < shape.directories_.size(); ++d) {
    // Squared: the tree is wide at the top, and six levels deep on average.
    uint32_t parent;
    for (uint64_t attempt = 0;; ++attempt) {
      const double share = unit(mix(d, attempt));
      parent = static_cast<uint32_t>(share * share * d);
      if (depths[parent] < kMaxDepth) break;
    }
    depths[d] = depths[parent] + 1;
    std::string name(word(mix(d, 50)));
    while (!taken.insert(std::to_string(parent) + "/" + name).second) {
      name.append("_").append(word(mix(d, 50 + name.size())));
    }
    shape.directories_[d].parent = parent;
    shape.directories_[d].name = std::move(name);
  }
  shape.spread_files(files);
  return shape;
}

// Each directory gets one file; the rest follows random shares, a few of them large.
void TreeShape::spread_files(uint32_t files) {
  file_count_ = files;
  const auto count = static_cast<uint32_t>(directories_.size());
  std::vector<double> shares(count);
  double sum = 0;
  for (uint32_t d = 0; d < count; ++d) {
    shares[d] = std::min(40.0, 1 / std::sqrt(1 - unit(mix(d, 1000)))) - 0.95;
    sum += shares[d];
  }
  double reached = 0;
  uint32_t given = 0;
  for (uint32_t d = 0; d < count; ++d) {
    reached += shares[d];
    const auto until =
        d + 1 == count ? files - count
                       : static_cast<uint32_t>(reached / sum * static_cast<double>(files - count));
    directories_[d].file_count = 1 + until - given;
    given = until;
  }
}

TreeShape TreeShape::regular(uint32_t files, uint32_t width, uint32_t depth) {
  TreeShape shape;
  shape.even_ = true;
  shape.directories_.emplace_back();
  uint32_t first = 0;
  for (uint32_t level = 0; level < depth; ++level) {
    const auto end = static_cast<uint32_t>(shape.directories_.size());
    for (uint32_t parent = first; parent < end; ++parent) {
      for (uint32_t i = 1; i <= width; ++i) {
        shape.directories_.push_back({parent, "dir_" + std::to_string(i), 0});
      }
    }
    first = end;
  }
  shape.file_count_ = files;
  const auto count = static_cast<uint32_t>(shape.directories_.size());
  for (uint32_t d = 0; d < count; ++d) {
    shape.directories_[d].file_count = files / count + (d < files % count ? 1 : 0);
  }
  return shape;
}

std::optional<TreeShape> TreeShape::named(std::string_view name) {
  if (name == "tiny") return source_tree(2'000, 165);
  if (name == "400k") return source_tree(400'000, 33'000);
  // 111,111 directories: ten in each, five levels.
  if (name == "1m") return regular(1'000'000, 10, 5);
  if (name == "2m") return regular(2'000'000, 10, 5);
  uint32_t files = 0;
  if (!parse_number(name, files) || files == 0) return std::nullopt;
  return source_tree(files, static_cast<uint32_t>(uint64_t{files} * 33 / 400) + 1);
}

std::string TreeShape::path(uint32_t directory) const {
  if (directory == 0) return {};
  return path(directories_[directory].parent) + directories_[directory].name + "/";
}

std::string TreeShape::file_name(uint32_t directory, uint32_t file) const {
  if (even_) return "file_" + std::to_string(file + 1);
  if (file == 0 && directory % kIgnoreFileEvery == 0) return ".gitignore";
  const uint64_t random = mix(directory, 2000 + uint64_t{file});
  std::string name(word(random));
  name.append("_").append(word(random >> 8));
  return name.append("_")
      .append(std::to_string(file))
      .append(kExtensions[(random >> 16) % kExtensions.size()]);
}

uint32_t TreeShape::content_of(uint32_t directory, uint32_t file) const {
  if (!even_ && file == 0 && directory % kIgnoreFileEvery == 0) return kIgnoreContent;
  return static_cast<uint32_t>(mix(directory, 3000 + uint64_t{file}) % kIgnoreContent);
}

const std::vector<std::string>& TreeShape::contents() {
  static const std::vector<std::string> contents = make_contents();
  return contents;
}

uint32_t TreeShape::changed_content(uint32_t content) {
  return content + kDistinctContents;
}

}  // namespace resident::bench
