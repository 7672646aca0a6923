#include "repo_state/current_operation.h"

#include "history/action_name.h"

namespace resident {

Operation CurrentOperation::read_kind() const {
  const auto exists = [this](const char* name) {
    return fs_.lstat(parts_.repository.git_dir + "/" + name).ok();
  };
  RefStore& refs = parts_.refs;
  return exists("rebase-merge")              ? Operation::kRebase
         : exists("rebase-apply/applying")   ? Operation::kAm
         : exists("rebase-apply")            ? Operation::kRebase
         : exists("MERGE_HEAD")              ? Operation::kMerge
         : refs.is_there("CHERRY_PICK_HEAD") ? Operation::kCherryPick
         : refs.is_there("REVERT_HEAD")      ? Operation::kRevert
         : exists("BISECT_LOG")              ? Operation::kBisect
                                             : Operation::kNone;
}

void CurrentOperation::load() {
  RefStore& refs = parts_.refs;
  const OperationSources sources{
      fs_, refs, parts_.objects.get(), parts_.config.get(), parts_.git.rules(), parts_.repository};
  files_ = FileSet::record_found(fs_, [&] {
    const RefStore::Reading reading(refs);
    std::vector<std::string> files;
    for (const char* name : {"MERGE_HEAD", "rebase-apply/applying", "BISECT_LOG"}) {
      files.push_back(operation_file(sources, name));
    }
    for (const char* name : {"CHERRY_PICK_HEAD", "REVERT_HEAD"}) {
      append_files(files, refs.files_of(name));
    }
    append_files(files, operation_step_files(sources));
    return files;
  });
  const RefStore::Reading reading(refs);
  kind_ = read_kind();
  const bool has_steps = kind_ == Operation::kRebase || kind_ == Operation::kAm;
  step_ = has_steps ? read_operation_step(sources) : std::string();
}

}  // namespace resident
