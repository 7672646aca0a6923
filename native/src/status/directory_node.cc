#include "status/directory_node.h"

namespace resident {

namespace {

template <typename Children>
auto child_position(Children& children, std::string_view name) {
  return std::lower_bound(
      children.begin(), children.end(), name,
      [](const auto& child, std::string_view wanted) { return child->name < wanted; });
}

template <typename Others>
auto other_position(Others& others, std::string_view name) {
  return std::lower_bound(
      others.begin(), others.end(), name,
      [](const Other& other, std::string_view wanted) { return other.name.compare(wanted) < 0; });
}

// Whether what happens after `now` leaves another time. A time without a fraction may be one of a
// file system that keeps whole seconds.
bool is_settled(const Timestamp& time, const Timestamp& now) {
  return time.nanoseconds != 0 ? time < now : time.seconds + 1 < now.seconds;
}

}  // namespace

void DirectoryNode::append_path(std::string& out, std::string_view child) const {
  size_t length = child.size();
  for (const DirectoryNode* node = this; node->parent; node = node->parent) {
    length += node->name.size() + 1;
  }
  out.resize(out.size() + length);
  const auto put_before = [](char* end, std::string_view part) {
    return std::copy_backward(part.begin(), part.end(), end);
  };
  char* at = put_before(out.data() + out.size(), child);
  for (const DirectoryNode* node = this; node->parent; node = node->parent) {
    *--at = '/';
    at = put_before(at, node->name);
  }
}

std::string DirectoryNode::path_of(std::string_view child) const {
  std::string out;
  append_path(out, child);
  return out;
}

void DirectoryNode::record_stat(const FileStat& stat, const Timestamp& now) {
  device = stat.device;
  inode = stat.inode;
  permissions = stat.permissions;
  mtime = is_settled(stat.mtime, now) ? stat.mtime : Timestamp{};
  ctime = is_settled(stat.ctime, now) ? stat.ctime : Timestamp{};
}

bool DirectoryNode::is_as_read(const FileStat& stat) const {
  return was_read_from(stat) && stat.mtime == mtime && stat.ctime == ctime &&
         mtime != Timestamp{} && ctime != Timestamp{};
}

DirectoryNode* DirectoryNode::find_child(std::string_view child) const {
  auto at = child_position(children_, child);
  return at != children_.end() && (*at)->name == child ? at->get() : nullptr;
}

const Other* DirectoryNode::find_other(std::string_view other) const {
  auto at = other_position(others_, other);
  return at != others_.end() && at->name == other ? &*at : nullptr;
}

std::unique_ptr<DirectoryNode> DirectoryNode::remove_child(std::string_view child) {
  auto at = child_position(children_, child);
  if (at == children_.end() || (*at)->name != child) return nullptr;
  std::unique_ptr<DirectoryNode> removed = std::move(*at);
  children_.erase(at);
  return removed;
}

DirectoryNode& DirectoryNode::insert_child(std::unique_ptr<DirectoryNode> child) {
  withdraw_nothing_to_list();
  child->parent = this;
  return **children_.insert(child_position(children_, child->name), std::move(child));
}

void DirectoryNode::set_other(std::string_view other, const OtherKind* kind) {
  auto at = other_position(others_, other);
  const bool known = at != others_.end() && at->name == other;
  if (kind) withdraw_nothing_to_list();
  if (!kind) {
    if (known) others_.erase(at);
  } else if (known) {
    at->kind = *kind;
  } else {
    others_.insert(at, Other{std::string(other), *kind});
  }
}

void DirectoryNode::leave_index() {
  withdraw_nothing_to_list();
  index_directory = kNoDirectory;
}

void DirectoryNode::begin_reading() {
  withdraw_nothing_to_list();
  children_.clear();
  others_.clear();
  patterns = nullptr;
  has_dot_git = nested_repository_ = false;
  readable_ = patterns_readable_ = true;
}

void DirectoryNode::add_child(std::unique_ptr<DirectoryNode> child) {
  withdraw_nothing_to_list();
  child->parent = this;
  children_.push_back(std::move(child));
}

void DirectoryNode::add_other(std::string_view other, OtherKind kind) {
  withdraw_nothing_to_list();
  others_.push_back({std::string(other), kind});
}

void DirectoryNode::end_reading() {
  std::sort(others_.begin(), others_.end(),
            [](const Other& a, const Other& b) { return a.name < b.name; });
  std::sort(children_.begin(), children_.end(),
            [](const auto& a, const auto& b) { return a->name < b->name; });
}

bool DirectoryNode::lists_nothing_itself() const {
  return readable_ && patterns_readable_ && !nested_repository_ &&
         std::all_of(others_.begin(), others_.end(),
                     [](const Other& other) { return other.kind == OtherKind::kSpecial; });
}

void DirectoryNode::suppose_nothing_to_list() {
  nothing_to_list_ = lists_nothing_itself() && (holds_tracked() || submodule);
}

void DirectoryNode::withdraw_above() {
  if (parent && !submodule) parent->withdraw_nothing_to_list();
}

void DirectoryNode::find_nothing_to_list() const {
  nothing_to_list_ =
      lists_nothing_itself() &&
      std::all_of(children_.begin(), children_.end(), [](const auto& child) {
        return child->submodule || (child->holds_tracked() && child->nothing_to_list_);
      });
}

void DirectoryNode::set(bool& fact, bool now) {
  if (fact != now) withdraw_nothing_to_list();
  fact = now;
}

void DirectoryNode::withdraw_nothing_to_list() {
  for (DirectoryNode* node = this; node && node->nothing_to_list_; node = node->parent) {
    node->nothing_to_list_ = false;
  }
}

}  // namespace resident
