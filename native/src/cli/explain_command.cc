// `git-resident explain`: explains why paths have their place in the status.
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "base/path_parts.h"
#include "cli/commands.h"
#include "cli/explanation_text.h"
#include "cli/fatal.h"
#include "cli/write_out.h"
#include "explain/explanation_json.h"
#include "fs/real_path.h"
#include "porcelain/printed_path.h"
#include "repository/repository.h"
#include "repository/repository_search.h"
#include "service/scan.h"

namespace resident {

namespace {

// Removes ".", ".." and repeated slashes from the relative `path`. Returns nullopt if it leads out.
std::optional<std::string> normalised(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      if (result.empty()) return std::nullopt;
      const size_t slash = result.rfind('/');
      result.resize(slash == std::string::npos ? 0 : slash);
      continue;
    }
    if (!result.empty()) result += '/';
    result += name;
  }
  return result;
}

// The path relative to the root of the worktree, or nullopt if it is outside. An absolute path may
// lead there through symbolic links. The last component is not followed.
std::optional<std::string> path_in(const Repository& repository, const std::string& given) {
  if (!given.starts_with('/')) return normalised(repository.prefix + given);
  const auto below = [&](const std::string& absolute) -> std::optional<std::string> {
    const auto plain = normalised(absolute);
    const std::string path = plain ? "/" + *plain : std::string();
    if (!plain || !path_is_within(path, repository.worktree)) return std::nullopt;
    return path.substr(std::min(repository.worktree.size() + 1, path.size()));
  };
  if (auto found = below(given)) return found;
  std::string directory = given;
  std::string rest;
  do {
    while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    rest.insert(0, "/").insert(1, base_name(directory));
    directory = parent_directory(directory);
    // Missing directories are spelled as given.
    if (const std::string real = real_path(directory); !real.empty()) return below(real + rest);
  } while (directory != "/");
  return std::nullopt;
}

std::string printed(const std::string& path, const std::string& prefix) {
  std::string text;
  append_quoted(text, relative_path(path, prefix), true, QuoteSpaces::kNo);
  return text;
}

}  // namespace

int explain_command(FileSystem& fs, const Arguments& arguments) {
  bool json = false;
  std::vector<std::string> given;
  bool only_paths = false;
  for (const std::string& argument : arguments) {
    if (only_paths || !argument.starts_with('-') || argument == "-") {
      given.push_back(argument);
    } else if (argument == "--") {
      only_paths = true;
    } else if (argument == "--json") {
      json = true;
    } else {
      std::fprintf(stderr, "git-resident explain: unknown option '%s'\n", argument.c_str());
      return kUsageError;
    }
  }
  if (given.empty()) {
    std::fputs("usage: git-resident explain [--json] [--] <path>...\n", stderr);
    return kUsageError;
  }

  const Result<Repository> repository = discover("");
  if (!repository.ok()) return fatal(repository.error().message);
  std::vector<std::string> paths;
  for (const std::string& path : given) {
    const auto found = path.empty() ? std::nullopt : path_in(*repository, path);
    if (!found) {
      return fatal("'" + path + "' is outside of the repository at '" + repository->worktree + "'");
    }
    paths.push_back(*found);
  }
  // Never destroyed: the end of the process frees it faster.
  static auto& model = *new std::unique_ptr<WorktreeModel>;
  const Result<void> looked = scan_to_explain(fs, *repository, model);
  if (!looked.ok()) return fatal(looked.error().message);
  for (size_t i = 0; i < paths.size(); ++i) {
    const Result<Explanation> explanation = model->explain(paths[i], given[i].ends_with('/'));
    if (!explanation.ok()) return fatal(explanation.error().message);
    std::string text = json ? explanation_json(*explanation) + "\n"
                            : explanation_text(*explanation, printed(paths[i], repository->prefix));
    if (!json && i > 0) text.insert(0, "\n");
    if (const int code = write_out(text); code != 0) return code;
  }
  return 0;
}

}  // namespace resident
