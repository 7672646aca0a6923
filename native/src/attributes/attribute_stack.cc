#include "attributes/attribute_stack.h"

#include <utility>

namespace resident {
namespace {

using Assignments = std::span<const AttributeFile::Assignment>;

const std::shared_ptr<const AttributeFile>& builtin_file() {
  static const auto* const file = new std::shared_ptr<const AttributeFile>(
      AttributeFile::parse("[attr]binary -diff -merge -text\n", "", AttributeSource::kFile));
  return *file;
}

struct SplitPath {
  std::string_view path;  // without a trailing '/'
  std::string_view basename;
  bool is_directory;
};

SplitPath split(std::string_view path) {
  SplitPath result{path, {}, path.ends_with('/')};
  if (result.is_directory) result.path.remove_suffix(1);
  result.basename = result.path.substr(result.path.rfind('/') + 1);
  return result;
}

bool applies(const PathPattern& pattern, const std::string& base, const SplitPath& path,
             const PatternMatching& matching) {
  if (pattern.must_be_directory && !path.is_directory) return false;
  if (pattern.matches_basename) return pattern.matches_name(path.basename, matching);
  return path.path.size() > base.size() &&
         pattern.matches_path(path.path.substr(base.size()), matching);
}

}  // namespace

std::shared_ptr<const AttributeStack> AttributeStack::create(const BaseAttributeFiles& files) {
  auto stack = std::shared_ptr<AttributeStack>(new AttributeStack());
  auto macros = std::make_shared<Macros>();
  auto add_macros = [&](const AttributeFile& file) {
    for (const auto& macro : file.macros()) {
      macros->insert_or_assign(macro.name, file.assignments(macro));
    }
  };
  for (const auto& file : {builtin_file(), files.system, files.user, files.root}) {
    if (!file) continue;
    add_macros(*file);
    stack->files_.push_back(file);
  }
  stack->info_ = files.info;
  if (stack->info_) add_macros(*stack->info_);
  stack->macros_ = std::move(macros);
  for (const auto& file : stack->files_) stack->add_mentioned(*file);
  if (stack->info_) stack->add_mentioned(*stack->info_);
  return stack;
}

std::shared_ptr<const AttributeStack> AttributeStack::with_directory(
    std::shared_ptr<const AttributeFile> file) const {
  auto stack = std::shared_ptr<AttributeStack>(new AttributeStack(*this));
  stack->add_mentioned(*file);
  stack->files_.push_back(std::move(file));
  return stack;
}

void AttributeStack::add_mentioned(const AttributeFile& file) {
  std::vector<Assignments> pending;
  for (const auto& rule : file.rules()) pending.push_back(file.assignments(rule));
  while (!pending.empty()) {
    Assignments assignments = pending.back();
    pending.pop_back();
    for (const auto& assignment : assignments) {
      if (!mentioned_.insert(assignment.name).second) continue;
      auto macro = macros_->find(assignment.name);
      if (macro != macros_->end()) pending.push_back(macro->second);
    }
  }
}

// Takes the assignments from the last to the first, each macro's own at once after it. What is
// decided already stays.
void AttributeStack::decide(Assignments assignments, PathAttributes::Values& values) const {
  std::vector<Assignments> pending = {assignments};
  while (!pending.empty()) {
    if (pending.back().empty()) {
      pending.pop_back();
      continue;
    }
    const auto& assignment = pending.back().back();
    pending.back() = pending.back().first(pending.back().size() - 1);
    if (!values.emplace(assignment.name, assignment.value).second) continue;
    if (!assignment.value.is_set()) continue;
    auto macro = macros_->find(assignment.name);
    if (macro != macros_->end()) pending.push_back(macro->second);
  }
}

PathAttributes AttributeStack::lookup(std::string_view path,
                                      const PatternMatching& matching) const {
  PathAttributes::Values values;
  const SplitPath parts = split(path);
  auto apply_file = [&](const AttributeFile& file) {
    for (size_t i = file.rules().size(); i > 0; --i) {
      const AttributeFile::Rule& rule = file.rules()[i - 1];
      if (rule.count > 0 && applies(rule.pattern, file.base(), parts, matching)) {
        decide(file.assignments(rule), values);
      }
    }
  };
  if (info_) apply_file(*info_);
  for (size_t i = files_.size(); i > 0; --i) apply_file(*files_[i - 1]);
  return PathAttributes(std::move(values));
}

}  // namespace resident
