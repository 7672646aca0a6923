// The part of WorktreeModel that answers about single paths: whether they are ignored, and what
// HEAD and the index have there.
#include "model/worktree_model.h"
#include "object/tree.h"

namespace resident {

Result<std::vector<bool>> WorktreeModel::ignored(const std::vector<std::string>& paths) {
  if (options_.watcher) RESIDENT_CHECK(update());
  std::vector<bool> answers;
  if (!delegated_.empty()) {
    std::string input;
    for (const std::string& path : paths) input.append(path).push_back('\0');
    GitCommand command = git_command({"check-ignore", "-z", "--stdin"});
    command.input = std::move(input);
    RESIDENT_TRY(const GitOutput output, git_outputs_.ask(command, {"git check-ignore"}, asked()));
    std::set<std::string_view> found;
    for (std::string_view rest = output.out; !rest.empty();) {
      const size_t end = rest.find('\0');
      found.insert(rest.substr(0, end));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    for (const std::string& path : paths) answers.push_back(found.contains(path));
    return answers;
  }
  RESIDENT_CHECK(check_known());
  for (const std::string& path : paths) {
    Result<FileStat> stat = fs_.lstat(repository_.worktree + "/" + path);
    answers.push_back(tree_->is_ignored(path, stat.ok() && stat->kind == FileKind::kDirectory));
  }
  return answers;
}

Result<std::optional<std::string>> WorktreeModel::content(const std::string& path, int stage) {
  if (options_.watcher) RESIDENT_CHECK(update());
  if (!delegated_.empty()) {
    std::string object = stage < 0 ? "HEAD" : ":" + std::to_string(stage);
    object.append(":").append(path);
    RESIDENT_TRY(GitOutput output, git_outputs_.ask(git_command({"cat-file", "blob", object}),
                                                    {"git cat-file"}, asked()));
    if (output.exit_code != 0) return std::optional<std::string>();
    return std::optional(std::move(output.out));
  }
  RESIDENT_CHECK(check_known());
  std::optional<ObjectId> id;
  if (stage < 0) {
    RESIDENT_TRY(id, blob_in_tree(state_->head_tree(), path));
  } else if (auto position = index_->find_path(path)) {
    for (uint32_t i = *position, end = index_->end_of_path(*position); i < end; ++i) {
      if (index_->entries()[i].stage() == stage && !index_->entries()[i].intent_to_add()) {
        id = index_->id(i);
        break;
      }
    }
  } else if (stage == 0) {
    RESIDENT_TRY(id, blob_in_sparse(path));
  }
  if (!id) return std::optional<std::string>();
  RESIDENT_TRY(std::string blob, state_->objects().read_blob(*id));
  return std::optional(std::move(blob));
}

// The blob of a path below a sparse directory.
Result<std::optional<ObjectId>> WorktreeModel::blob_in_sparse(std::string_view path) {
  for (size_t slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    auto directory = index_->find_directory(path.substr(0, slash));
    if (!directory) break;
    if (auto tree = index_->sparse_tree(*directory)) {
      return blob_in_tree(tree, path.substr(slash + 1));
    }
  }
  return std::optional<ObjectId>();
}

Result<std::optional<ObjectId>> WorktreeModel::blob_in_tree(std::optional<ObjectId> tree,
                                                            std::string_view path) {
  while (tree) {
    const size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    RESIDENT_TRY(std::string content, state_->objects().read_tree(*tree));
    std::optional<TreeEntry> found;
    for (TreeIterator entries(content, repository_.algorithm); !found;) {
      RESIDENT_TRY(bool more, entries.next());
      if (!more) break;
      if (entries.entry().name == name) found = entries.entry();
    }
    if (!found || found->mode == kModeGitlink) return std::optional<ObjectId>();
    if (slash == std::string_view::npos) {
      return found->is_tree() ? std::optional<ObjectId>() : std::optional(found->id);
    }
    if (!found->is_tree()) return std::optional<ObjectId>();
    tree = found->id;
    path.remove_prefix(slash + 1);
  }
  return std::optional<ObjectId>();
}

}  // namespace resident
