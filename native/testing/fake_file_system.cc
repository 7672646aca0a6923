#include "testing/fake_file_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "base/ascii.h"

namespace resident::testing {

namespace {
constexpr int kMaxLinks = 40;
}  // namespace

struct FakeFileSystem::Node {
  FileKind kind;
  uint64_t inode;
  Timestamp mtime;
  Timestamp ctime;
  bool executable = false;
  bool forbidden = false;
  std::string content;  // a file's content; a link's target
  std::map<std::string, NodePtr, std::less<>> children;
  std::weak_ptr<Node> parent;
};

FakeFileSystem::FakeFileSystem(const Capabilities& capabilities) : FileSystem(capabilities) {
  MutexLock lock(mutex_);
  root_ = make(FileKind::kDirectory);
  root_->parent = root_;
}

FakeFileSystem::~FakeFileSystem() = default;

FakeFileSystem::NodePtr FakeFileSystem::make(FileKind kind) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->inode = next_inode_++;
  node->mtime = node->ctime = now_;
  return node;
}

// --- Paths
// -------------------------------------------------------------------------------------------------------

Result<FakeFileSystem::NodePtr> FakeFileSystem::resolve(NodePtr start, std::string_view path,
                                                        bool follow, int depth) const {
  const std::string whole(path);
  if (depth > kMaxLinks) return error_from_errno(ELOOP, whole);
  NodePtr at = path.starts_with('/') ? root_ : std::move(start);
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view name = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (name.empty()) continue;
    if (at->kind != FileKind::kDirectory) return error_from_errno(ENOTDIR, whole);
    if (at->forbidden) return error_from_errno(EACCES, whole);
    if (name == ".") continue;
    if (name == "..") {
      at = at->parent.lock();
      continue;
    }
    auto child = at->children.find(name);
    if (child == at->children.end() && !capabilities().case_sensitive) {
      child = std::find_if(at->children.begin(), at->children.end(), [name](const auto& known) {
        return equal_bytes(known.first, name, /*ignore_case=*/true);
      });
    }
    if (child == at->children.end()) return error_from_errno(ENOENT, whole);
    const bool last = path.empty();
    if (child->second->kind == FileKind::kSymlink && (!last || follow)) {
      RESIDENT_TRY(at, resolve(at, child->second->content, true, depth + 1));
    } else {
      at = child->second;
    }
  }
  return at;
}

FakeFileSystem::NodePtr FakeFileSystem::existing(const std::string& path) const {
  Result<NodePtr> node = resolve(root_, path, false);
  EXPECT_TRUE(node.ok()) << path;
  return node.ok() ? *node : root_;
}

std::pair<FakeFileSystem::NodePtr, std::string> FakeFileSystem::parent_of(const std::string& path) {
  NodePtr at = root_;
  size_t begin = 1;
  for (size_t slash; (slash = path.find('/', begin)) != std::string::npos; begin = slash + 1) {
    const std::string name = path.substr(begin, slash - begin);
    NodePtr& child = at->children[name];
    if (!child) {
      child = make(FileKind::kDirectory);
      child->parent = at;
      at->mtime = at->ctime = now_;
    }
    at = child;
  }
  return {at, path.substr(begin)};
}

void FakeFileSystem::attach(const std::string& path, NodePtr node) {
  auto [parent, name] = parent_of(path);
  node->parent = parent;
  parent->children[name] = std::move(node);
  parent->mtime = parent->ctime = now_;
}

FakeFileSystem::NodePtr FakeFileSystem::detach(const std::string& path) {
  auto [parent, name] = parent_of(path);
  auto at = parent->children.find(name);
  EXPECT_NE(at, parent->children.end()) << path;
  if (at == parent->children.end()) return make(FileKind::kRegular);
  NodePtr node = std::move(at->second);
  parent->children.erase(at);
  parent->mtime = parent->ctime = now_;
  return node;
}

// --- What the test does
// ------------------------------------------------------------------------------------------

void FakeFileSystem::make_directory(const std::string& path) {
  MutexLock lock(mutex_);
  attach(path, make(FileKind::kDirectory));
}

void FakeFileSystem::write(const std::string& path, std::string content) {
  MutexLock lock(mutex_);
  auto [parent, name] = parent_of(path);
  NodePtr& node = parent->children[name];
  if (!node || node->kind != FileKind::kRegular) {
    node = make(FileKind::kRegular);
    node->parent = parent;
    parent->mtime = parent->ctime = now_;
  }
  node->content = std::move(content);
  node->mtime = node->ctime = now_;
}

void FakeFileSystem::make_symlink(const std::string& path, std::string target) {
  MutexLock lock(mutex_);
  NodePtr node = make(FileKind::kSymlink);
  node->content = std::move(target);
  attach(path, std::move(node));
}

void FakeFileSystem::make_special(const std::string& path) {
  MutexLock lock(mutex_);
  attach(path, make(FileKind::kOther));
}

void FakeFileSystem::remove(const std::string& path) {
  MutexLock lock(mutex_);
  (void)detach(path);
}

void FakeFileSystem::rename(const std::string& from, const std::string& to) {
  MutexLock lock(mutex_);
  NodePtr node = detach(from);
  node->ctime = now_;
  attach(to, std::move(node));
}

void FakeFileSystem::set_executable(const std::string& path, bool executable) {
  MutexLock lock(mutex_);
  NodePtr node = existing(path);
  node->executable = executable;
  node->ctime = now_;
}

void FakeFileSystem::set_mtime(const std::string& path, Timestamp mtime) {
  MutexLock lock(mutex_);
  NodePtr node = existing(path);
  node->mtime = mtime;
  node->ctime = now_;
}

void FakeFileSystem::forbid(const std::string& path, bool forbidden) {
  MutexLock lock(mutex_);
  NodePtr node = existing(path);
  node->forbidden = forbidden;
  node->ctime = now_;
}

void FakeFileSystem::tick(int64_t nanoseconds) {
  MutexLock lock(mutex_);
  const int64_t sum = now_.nanoseconds + nanoseconds;
  now_.seconds += sum / 1'000'000'000;
  now_.nanoseconds = static_cast<uint32_t>(sum % 1'000'000'000);
}

size_t FakeFileSystem::open_directories() const {
  MutexLock lock(mutex_);
  return opened_.size();
}

// --- FileSystem
// --------------------------------------------------------------------------------------------------

FileStat FakeFileSystem::stat_of(const Node& node) {
  FileStat stat;
  stat.kind = node.kind;
  stat.executable = node.executable;
  stat.permissions = node.executable || node.kind == FileKind::kDirectory ? 0755 : 0644;
  stat.device = 1;
  stat.inode = node.inode;
  stat.links = 1;
  stat.size = node.content.size();
  stat.mtime = node.mtime;
  stat.ctime = node.ctime;
  return stat;
}

Result<std::string> FakeFileSystem::read(const Result<NodePtr>& node, std::string_view path) {
  if (!node.ok()) return node.error();
  if ((*node)->forbidden) return error_from_errno(EACCES, std::string(path));
  if ((*node)->kind != FileKind::kRegular) {
    return Error{ErrorCode::kInvalid, std::string(path) + ": not a regular file"};
  }
  return (*node)->content;
}

FakeFileSystem::NodePtr FakeFileSystem::opened(const Directory& directory) const {
  return opened_.at(directory.handle());
}

Result<Directory> FakeFileSystem::open(Result<NodePtr> node, std::string_view path) {
  if (!node.ok()) return std::move(node).error();
  if ((*node)->kind != FileKind::kDirectory) return error_from_errno(ENOTDIR, std::string(path));
  if ((*node)->forbidden) return error_from_errno(EACCES, std::string(path));
  const intptr_t handle = next_handle_++;
  opened_.emplace(handle, std::move(node).value());
  return Directory(this, handle);
}

void FakeFileSystem::close_directory(intptr_t handle) {
  MutexLock lock(mutex_);
  opened_.erase(handle);
}

Result<Directory> FakeFileSystem::open_directory(const std::string& path) {
  ++calls_.open;
  MutexLock lock(mutex_);
  return open(resolve(root_, path, true), path);
}

Result<Directory> FakeFileSystem::open_directory_at(const Directory& parent,
                                                    std::string_view name) {
  ++calls_.open;
  MutexLock lock(mutex_);
  return open(resolve(opened(parent), name, false), name);
}

Result<FileStat> FakeFileSystem::stat_directory(const Directory& directory) {
  ++calls_.stat_directory;
  MutexLock lock(mutex_);
  return stat_of(*opened(directory));
}

Result<void> FakeFileSystem::list(const Directory& directory, DirectoryListing& out) {
  ++calls_.list;
  MutexLock lock(mutex_);
  out.clear();
  const NodePtr node = opened(directory);
  if (node->forbidden) return error_from_errno(EACCES, "directory");
  for (const auto& [name, child] : node->children) {
    out.add(name, hide_kinds_ ? FileKind::kUnknown : child->kind);
  }
  return {};
}

Result<FileStat> FakeFileSystem::stat_at(const Directory& directory, std::string_view name) {
  ++calls_.stat_at;
  MutexLock lock(mutex_);
  RESIDENT_TRY(NodePtr node, resolve(opened(directory), name, false));
  return stat_of(*node);
}

Result<std::string> FakeFileSystem::read_link_at(const Directory& directory,
                                                 std::string_view name) {
  ++calls_.read_link;
  MutexLock lock(mutex_);
  RESIDENT_TRY(NodePtr node, resolve(opened(directory), name, false));
  if (node->kind != FileKind::kSymlink) return error_from_errno(EINVAL, std::string(name));
  return node->content;
}

Result<std::string> FakeFileSystem::read_file_at(const Directory& directory,
                                                 std::string_view name) {
  ++calls_.read_file_at;
  MutexLock lock(mutex_);
  return read(resolve(opened(directory), name, false), name);
}

Result<FileStat> FakeFileSystem::stat(const std::string& path) {
  ++calls_.stat;
  MutexLock lock(mutex_);
  RESIDENT_TRY(NodePtr node, resolve(root_, path, true));
  return stat_of(*node);
}

Result<FileStat> FakeFileSystem::lstat(const std::string& path) {
  ++calls_.stat;
  MutexLock lock(mutex_);
  RESIDENT_TRY(NodePtr node, resolve(root_, path, false));
  return stat_of(*node);
}

Result<std::string> FakeFileSystem::read_file(const std::string& path) {
  ++calls_.read_file;
  MutexLock lock(mutex_);
  return read(resolve(root_, path, true), path);
}

Timestamp FakeFileSystem::now() {
  MutexLock lock(mutex_);
  return now_;
}

}  // namespace resident::testing
