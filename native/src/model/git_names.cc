#include "model/git_names.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace resident {

namespace {

// A name that no file has. If a file does have it, git only checks that file once more.
constexpr std::string_view kAnyName = "~resident~";

bool begins_like_dot_git(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    // A Mac's file system ignores some of these characters in names.
    if (static_cast<unsigned char>(c) < 0x80) plain += ascii_lower(c);
  }
  for (const std::string_view dot_git : {".git", "git~1"}) {
    if (!plain.starts_with(dot_git)) continue;
    if (plain.size() == dot_git.size()) return true;
    if (std::string_view(". :\\").find(plain[dot_git.size()]) != std::string_view::npos)
      return true;
  }
  return false;
}

// True for every name that git refuses under some core.protectNTFS and core.protectHFS, and for
// more names.
bool git_refuses(std::string_view component) {
  for (;;) {
    if (begins_like_dot_git(component)) return true;
    const size_t backslash = component.find('\\');
    if (backslash == std::string_view::npos) return false;
    component.remove_prefix(backslash + 1);
  }
}

}  // namespace

bool GitNames::reaches(std::string_view directory) {
  while (are_enough_ && !directory.empty()) {
    const size_t slash = directory.find('/');
    are_enough_ = !git_refuses(directory.substr(0, slash));
    directory.remove_prefix(slash + 1);
  }
  return are_enough_;
}

void GitNames::add(std::string_view path) {
  const size_t name = path.rfind('/') + 1;
  const std::string_view directory = path.substr(0, name);
  if (!reaches(directory)) return;
  if (git_refuses(path.substr(name))) {
    names_.push_back(std::string(directory).append(kAnyName));
  } else {
    names_.emplace_back(path);
  }
}

void GitNames::add_in(std::string_view directory) {
  if (reaches(directory)) names_.push_back(std::string(directory).append(kAnyName));
}

void GitNames::add_below(std::string_view directory) {
  add(directory.substr(0, directory.size() - 1));
  add_in(directory);
  if (are_enough_) names_.emplace_back(directory);
}

std::vector<std::string> GitNames::take() {
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  return std::exchange(names_, {});
}

}  // namespace resident
