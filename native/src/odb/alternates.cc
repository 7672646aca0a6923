#include "odb/alternates.h"

#include <algorithm>
#include <filesystem>

#include "base/c_quote.h"

namespace resident {

namespace {

// Maximum nesting of alternates; the same as git's.
constexpr int kMaxDepth = 5;

class Collector {
 public:
  Collector(FileSystem& fs, const std::string& objects_dir) : fs_(fs) {
    found_.paths.push_back(objects_dir);
    std::error_code error;
    auto canonical = std::filesystem::canonical(objects_dir, error);
    seen_.push_back(error ? objects_dir : canonical.string());
  }

  void add_file(const std::string& objects_dir, int depth) {
    const std::string path = objects_dir + "/info/alternates";
    auto text = fs_.read_file(path);
    if (!text.ok()) {
      if (text.error().code != ErrorCode::kNotFound) found_.problems.push_back(text.error());
      return;
    }
    if (text->empty()) return;
    if (depth > kMaxDepth) {
      found_.problems.push_back(
          {ErrorCode::kUnsupported, path + ": alternates are nested too deep"});
      return;
    }
    add_list(*text, '\n', objects_dir, path, depth);
  }

  void add_list(std::string_view text, char separator, const std::string& base,
                const std::string& source, int depth) {
    for (const std::string& entry : parse_alternates(text, separator)) {
      std::error_code error;
      const auto path = std::filesystem::canonical(std::filesystem::path(base) / entry, error);
      if (error || !std::filesystem::is_directory(path, error)) {
        found_.problems.push_back(
            {ErrorCode::kNotFound, source + ": object directory " + entry + " does not exist"});
        continue;
      }
      const std::string directory = path.string();
      if (std::find(seen_.begin(), seen_.end(), directory) != seen_.end()) continue;
      seen_.push_back(directory);
      found_.paths.push_back(directory);
      add_file(directory, depth + 1);
    }
  }

  ObjectDirectories take() { return std::move(found_); }

 private:
  FileSystem& fs_;
  ObjectDirectories found_;
  std::vector<std::string> seen_;
};

}  // namespace

std::vector<std::string> parse_alternates(std::string_view text, char separator) {
  std::vector<std::string> paths;
  while (!text.empty()) {
    std::string path;
    size_t length = std::min(text.find(separator), text.size());
    if (auto unquoted = unquote_c_style(text)) {
      path = std::move(unquoted->text);
      length = unquoted->end;
    } else if (text[0] != '#') {
      path = text.substr(0, length);
    }
    if (!path.empty()) paths.push_back(std::move(path));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return paths;
}

ObjectDirectories find_object_directories(FileSystem& fs, const std::string& objects_dir,
                                          std::string_view environment) {
  Collector collector(fs, objects_dir);
  collector.add_list(environment, ':', "", "GIT_ALTERNATE_OBJECT_DIRECTORIES", 0);
  collector.add_file(objects_dir, 0);
  return collector.take();
}

}  // namespace resident
