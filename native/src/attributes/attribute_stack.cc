#include "attributes/attribute_stack.h"

#include <algorithm>
#include <utility>

namespace resident {
namespace {

using Assignments = std::span<const AttributeFile::Assignment>;

const std::shared_ptr<const AttributeFile>& builtin_file() {
  static const auto* const file = new std::shared_ptr<const AttributeFile>(
      AttributeFile::parse("[attr]binary -diff -merge -text\n", "", AttributeSource::kBuiltIn));
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

// Visits the assignments from the last to the first. The assignments of a macro follow directly
// after the macro. Calls `take(assignment, macro)` for each; it returns whether that decided the
// attribute. `macro` is the macro that the rule itself names, or "".
template <typename Take>
void AttributeStack::decide(Assignments assignments, const Take& take) const {
  std::vector<Assignments> pending = {assignments};
  std::string_view macro_of_rule;
  while (!pending.empty()) {
    if (pending.back().empty()) {
      pending.pop_back();
      continue;
    }
    const auto& assignment = pending.back().back();
    pending.back() = pending.back().first(pending.back().size() - 1);
    if (pending.size() == 1) macro_of_rule = {};
    if (!take(assignment, macro_of_rule)) continue;
    if (!assignment.value.is_set()) continue;
    auto macro = macros_->find(assignment.name);
    if (macro == macros_->end()) continue;
    if (pending.size() == 1) macro_of_rule = assignment.name;
    pending.push_back(macro->second);
  }
}

// Calls `visit(file, rule)` for the rules that match the path, from the highest precedence to the
// lowest.
template <typename Visit>
void AttributeStack::for_each_rule(std::string_view path, const PatternMatching& matching,
                                   const Visit& visit) const {
  const SplitPath parts = split(path);
  auto apply_file = [&](const AttributeFile& file) {
    for (size_t i = file.rules().size(); i > 0; --i) {
      const AttributeFile::Rule& rule = file.rules()[i - 1];
      if (rule.count > 0 && applies(rule.pattern, file.base(), parts, matching)) visit(file, rule);
    }
  };
  if (info_) apply_file(*info_);
  for (size_t i = files_.size(); i > 0; --i) apply_file(*files_[i - 1]);
}

PathAttributes AttributeStack::lookup(std::string_view path,
                                      const PatternMatching& matching) const {
  PathAttributes::Values values;
  for_each_rule(path, matching, [&](const AttributeFile& file, const AttributeFile::Rule& rule) {
    decide(file.assignments(rule), [&](const AttributeFile::Assignment& one, std::string_view) {
      return values.emplace(one.name, one.value).second;
    });
  });
  return PathAttributes(std::move(values));
}

std::vector<AttributeStack::Decision> AttributeStack::decisions(
    std::string_view path, const PatternMatching& matching) const {
  std::vector<Decision> decisions;
  std::unordered_set<std::string_view> decided;
  for_each_rule(path, matching, [&](const AttributeFile& file, const AttributeFile::Rule& rule) {
    decide(file.assignments(rule),
           [&](const AttributeFile::Assignment& one, std::string_view macro) {
             if (!decided.insert(one.name).second) return false;
             decisions.push_back({one.name, one.value, &file, &rule, macro});
             return true;
           });
  });
  std::sort(decisions.begin(), decisions.end(),
            [](const Decision& a, const Decision& b) { return a.name < b.name; });
  return decisions;
}

}  // namespace resident
