#include "refs/ref_tables.h"

#include <set>
#include <utility>

#include "refs/loose_ref.h"

namespace resident {

namespace {

// These stay files, because there is more in them than an id.
bool is_always_a_file(std::string_view name) {
  return name == "FETCH_HEAD" || name == "MERGE_HEAD";
}

Error for_git(Error error) {
  if (error.code == ErrorCode::kCorrupt) error.code = ErrorCode::kUnsupported;
  return error;
}

}  // namespace

RefTables::RefTables(std::string git_dir, std::string common_dir, HashAlgorithm algorithm,
                     FileSystem& fs)
    : git_dir_(std::move(git_dir)),
      common_dir_(std::move(common_dir)),
      algorithm_(algorithm),
      fs_(fs) {
}

std::string RefTables::directory_of(const RefAddress& address) const {
  switch (address.owner) {
    case RefOwner::kThisWorktree:
      return git_dir_;
    case RefOwner::kOtherWorktree:
      return common_dir_ + "/worktrees/" + std::string(address.worktree);
    case RefOwner::kShared:
    case RefOwner::kMainWorktree:
      break;
  }
  return common_dir_;
}

ReftableStack& RefTables::stack_of(const RefAddress& address) {
  const std::string directory = directory_of(address);
  MutexLock lock(mutex_);
  std::unique_ptr<ReftableStack>& stack = stacks_[directory];
  if (!stack) {
    stack = std::make_unique<ReftableStack>(directory, algorithm_, fs_);
    for (int i = 0; i < readings_; ++i) stack->begin_reading();
  }
  return *stack;
}

void RefTables::begin_reading() {
  MutexLock lock(mutex_);
  ++readings_;
  for (const auto& [directory, stack] : stacks_) stack->begin_reading();
}

void RefTables::end_reading() {
  MutexLock lock(mutex_);
  --readings_;
  for (const auto& [directory, stack] : stacks_) stack->end_reading();
}

Result<RawRef> RefTables::read(const std::string& name) {
  if (is_always_a_file(name)) {
    RESIDENT_TRY(auto loose, read_loose_ref(fs_, place_of(name), algorithm_));
    return loose.value_or(RawRef());
  }
  const RefAddress address = address_of_ref(name);
  RawRef raw;
  Result<void> visited = stack_of(address).visit(ReftableSection::kRefs, address.name,
                                                 [&](const ReftableRecord& record) {
                                                   if (record.key == address.name) raw = record.ref;
                                                   return false;
                                                 });
  if (!visited.ok()) return for_git(std::move(visited).error());
  return raw;
}

Result<RefBackend::Listed> RefTables::below(const std::string& prefix) {
  Listed refs;
  bool is_named_well = true;
  ReftableStack& stack = stack_of(RefAddress());
  Result<void> visited =
      stack.visit(ReftableSection::kRefs, prefix, [&](const ReftableRecord& record) {
        if (!record.key.starts_with(prefix)) return false;
        is_named_well &= is_valid_ref_name(record.key);
        refs.emplace_back(record.key, record.ref);
        return is_named_well;
      });
  if (!visited.ok()) return for_git(std::move(visited).error());
  if (!is_named_well) return for_git(corrupt(place_of(refs.back().first) + ": not a ref name"));
  return refs;
}

Result<void> RefTables::visit_log_backwards(const std::string& name, const ReflogVisitor& visit) {
  const RefAddress address = address_of_ref(name);
  // The key goes on with the number of the update, the last one first.
  const std::string prefix = std::string(address.name) + '\0';
  Result<void> visited =
      stack_of(address).visit(ReftableSection::kLogs, prefix, [&](const ReftableRecord& record) {
        if (!record.key.starts_with(prefix)) return false;
        // What only says that there is a log.
        const bool is_mark = record.log.old_id.is_null() && record.log.new_id.is_null();
        return is_mark || visit(record.log);
      });
  if (!visited.ok()) return for_git(std::move(visited).error());
  return {};
}

std::vector<std::string> RefTables::files_of(const std::vector<std::string>& names) {
  std::set<std::string> files;
  std::set<ReftableStack*> stacks;
  for (const std::string& name : names) {
    if (is_always_a_file(name)) {
      files.insert(place_of(name));
    } else {
      stacks.insert(&stack_of(address_of_ref(name)));
    }
  }
  for (ReftableStack* stack : stacks) {
    for (std::string& file : stack->files()) files.insert(std::move(file));
  }
  return {files.begin(), files.end()};
}

std::vector<std::string> RefTables::files_below(const std::string&) {
  return stack_of(RefAddress()).files();
}

std::vector<std::string> RefTables::symbolic_below(const std::string& prefix) {
  std::vector<std::string> names;
  // What can be read before any damage counts: there is no list of the others either.
  [[maybe_unused]] auto visited =
      stack_of(RefAddress())
          .visit(ReftableSection::kRefs, prefix, [&](const ReftableRecord& record) {
            if (!record.key.starts_with(prefix)) return false;
            if (!record.ref.target.empty()) names.emplace_back(record.key);
            return true;
          });
  return names;
}

std::vector<std::string> RefTables::log_files_of(const std::string& name) {
  return stack_of(address_of_ref(name)).files();
}

std::string RefTables::place_of(const std::string& name) const {
  if (is_always_a_file(name)) return git_dir_ + "/" + name;
  return directory_of(address_of_ref(name)) + "/reftable, " + name;
}

}  // namespace resident
