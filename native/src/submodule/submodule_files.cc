#include "submodule/submodule_files.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "config/config_value.h"
#include "index/index.h"
#include "refs/head_files.h"
#include "repository/nested_repository.h"

namespace resident {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

// Returns the value of a line "<key> = value". Empty for every other line, and for a value with
// quotes, escapes or comments.
std::string_view value_in(std::string_view line, std::string_view key) {
  line = trimmed(line);
  if (!starts_with_bytes(line, key, true)) return {};
  line = trimmed(line.substr(key.size()));
  if (!line.starts_with('=') || line.find_first_of("\"\\#;") != line.npos) return {};
  return trimmed(line.substr(1));
}

class Collector {
 public:
  Collector(FileSystem& fs, HashAlgorithm algorithm, const FilesAroundSubmodules& around)
      : fs_(fs), algorithm_(algorithm), around_(around) {}

  void add(const std::string& path) {
    // Adds each directory once, even if several paths lead to it. git follows no symbolic links
    // here.
    Result<FileStat> stat = fs_.lstat(path);
    if (stat.ok() && stat->kind != FileKind::kDirectory) return;
    if (stat.ok() && !seen_.emplace(stat->device, stat->inode).second) return;
    files_.paths.push_back(path + "/.git");
    // The path can become a git directory later.
    const std::string git_dir = named_git_directory(fs_, path);
    if (git_dir.empty()) return;
    const std::string common_dir = common_directory_of(fs_, git_dir);
    for (std::string& file : files_around_head(fs_, git_dir, common_dir)) {
      files_.paths.push_back(std::move(file));
    }
    for (const char* file : {"commondir", "index"}) files_.paths.push_back(git_dir + "/" + file);
    // Without objects and refs it is no git directory (is_git_directory).
    for (const char* file :
         {"info/exclude", "info/attributes", "info/grafts", "objects", "refs", "refs/replace/"}) {
      files_.paths.push_back(common_dir + "/" + file);
    }
    for (const std::string& file : around_.paths) {
      files_.paths.push_back((file.starts_with('/') ? "" : path + "/") + file);
    }
    std::vector<std::string> configs = around_.unread_configs;
    configs.insert(configs.end(), {common_dir + "/config", git_dir + "/config.worktree"});
    for (const std::string& config : configs) {
      files_.paths.push_back(config);
      if (!stat.ok() || !add_named_in(config, path, git_dir, *stat)) files_.complete = false;
    }
    add_below(path, git_dir + "/index");
  }

  SubmoduleFiles take() && { return std::move(files_); }

 private:
  // Adds the programs that a config line names. A line that is not plain adds an unknown program.
  void add_programs_in(std::string_view line, bool in_filter_section) {
    std::string words(trimmed(line));
    for (char& c : words) c = ascii_lower(c);
    const bool is_section = words.starts_with('[');
    if (!is_section && words.starts_with("fsmonitor")) {
      files_.programs.add_monitor(value_in(line, "fsmonitor"));
    }
    if (in_filter_section && is_section && !words.ends_with(']')) {
      files_.programs.add_filter(fs_, "");
    }
    for (const char* key : {"clean", "process"}) {
      if (!in_filter_section || is_section || !words.starts_with(key)) continue;
      files_.programs.add_filter(fs_, value_in(line, key));
    }
  }

  // Adds the files that the config file names. False: the file may name another worktree than
  // `path`, or files not found here. The file is not parsed: a line that is not plain counts as
  // such a case.
  bool add_named_in(const std::string& config, const std::string& path, const std::string& git_dir,
                    const FileStat& path_stat) {
    Result<std::string> content = fs_.read_file(config);
    if (!content.ok()) return content.error().code == ErrorCode::kNotFound;
    bool complete = true;
    bool in_filter_section = false;
    for (std::string_view rest = *content; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      const std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end);
      std::string words(line);
      for (char& c : words) c = ascii_lower(c);
      if (trimmed(words).starts_with('[')) {
        in_filter_section = trimmed(trimmed(words).substr(1)).starts_with("filter");
      }
      add_programs_in(line, in_filter_section);
      // Included files are not read here.
      if (words.find("include") != words.npos) complete = false;
      if (const std::string_view value = value_in(line, "path"); !complete && !value.empty()) {
        const auto file = expand_config_path(value);
        const std::string directory = config.substr(0, config.rfind('/') + 1);
        if (file) files_.paths.push_back((file->starts_with('/') ? "" : directory) + *file);
      }
      for (const char* key : {"excludesfile", "attributesfile"}) {
        if (words.find(key) == words.npos) continue;
        const auto file = expand_config_path(value_in(line, key));
        if (!file || file->empty()) return false;
        files_.paths.push_back((file->starts_with('/') ? "" : path + "/") + *file);
      }
      const size_t word = words.find("worktree");
      if (word == words.npos || words.find("worktreeconfig") == word) continue;
      const std::string_view value = value_in(line, "worktree");
      const std::string target = (value.starts_with('/') ? "" : git_dir + "/") + std::string(value);
      Result<FileStat> stat = fs_.stat(target);
      if (value.empty() || !stat.ok() || stat->device != path_stat.device ||
          stat->inode != path_stat.inode) {
        return false;
      }
    }
    return complete;
  }

  void add_below(const std::string& path, const std::string& index_path) {
    auto index = Index::load(index_path, {.algorithm = algorithm_, .verify_checksum = false});
    if (!index.ok()) {
      files_.complete = false;
      return;
    }
    for (const uint32_t position : (*index)->gitlinks()) {
      add(path + "/" + (*index)->path(position));
    }
  }

  FileSystem& fs_;
  HashAlgorithm algorithm_;
  const FilesAroundSubmodules& around_;
  std::set<std::pair<uint64_t, uint64_t>> seen_;
  SubmoduleFiles files_;
};

}  // namespace

SubmoduleFiles submodule_files(FileSystem& fs, const std::string& path, HashAlgorithm algorithm,
                               const FilesAroundSubmodules& around) {
  Collector collector(fs, algorithm, around);
  collector.add(path);
  return std::move(collector).take();
}

}  // namespace resident
