#include "history/action_name.h"

#include <string_view>

namespace resident {

namespace {

// The first word, of a few digits; empty for anything else.
std::string count_in(const OperationFiles& files, std::string_view name) {
  constexpr size_t kMaxDigits = 10;
  const auto content = read_operation_file(files, name);
  if (!content.ok() || !*content) return {};
  const std::string word = (*content)->substr(0, (*content)->find_first_of(" \t\r\n"));
  const bool is_number =
      word.size() <= kMaxDigits && word.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? word : std::string();
}

constexpr std::string_view kRebaseStep[] = {"rebase-merge/msgnum", "rebase-merge/end"};
constexpr std::string_view kApplyStep[] = {"rebase-apply/next", "rebase-apply/last"};

std::string step_in(const OperationFiles& files, const std::string_view (&names)[2]) {
  const std::string now = count_in(files, names[0]);
  const std::string end = count_in(files, names[1]);
  if (now.empty() || end.empty()) return {};
  return now + "/" + end;
}

std::string with_step(std::string action, const std::string& step) {
  return step.empty() ? action : action + " " + step;
}

}  // namespace

std::string read_operation_step(const OperationSources& sources) {
  if (operation_file_exists(sources, "rebase-merge")) return step_in(sources, kRebaseStep);
  if (operation_file_exists(sources, "rebase-apply")) return step_in(sources, kApplyStep);
  return {};
}

std::vector<std::string> operation_step_files(const OperationSources& sources) {
  std::vector<std::string> files;
  const auto add = [&](const char* directory, const std::string_view(&names)[2]) {
    files.push_back(operation_file(sources, directory));
    if (!operation_file_exists(sources, directory)) return;
    for (const std::string_view name : names) files.push_back(operation_file(sources, name));
  };
  add("rebase-merge", kRebaseStep);
  add("rebase-apply", kApplyStep);
  return files;
}

std::string action_name(const OperationFiles& files,
                        const std::function<bool(const char* name)>& has_ref) {
  const auto exists = [&](std::string_view name) { return operation_file_exists(files, name); };
  if (exists("rebase-merge")) {
    const char* action = exists("rebase-merge/interactive") ? "rebase-i" : "rebase-m";
    return with_step(action, step_in(files, kRebaseStep));
  }
  if (exists("rebase-apply")) {
    const char* action = exists("rebase-apply/rebasing")   ? "rebase"
                         : exists("rebase-apply/applying") ? "am"
                                                           : "am/rebase";
    return with_step(action, step_in(files, kApplyStep));
  }
  if (exists("MERGE_HEAD")) return "merge";
  const bool is_sequence = exists("sequencer/todo");
  if (has_ref("REVERT_HEAD")) return is_sequence ? "revert-seq" : "revert";
  if (has_ref("CHERRY_PICK_HEAD")) return is_sequence ? "cherry-seq" : "cherry";
  return exists("BISECT_LOG") ? "bisect" : "";
}

std::string action_name(const OperationSources& sources) {
  return action_name(sources, [&](const char* name) { return sources.refs.is_there(name); });
}

std::vector<std::string> action_files(const OperationSources& sources) {
  std::vector<std::string> files;
  for (const char* name :
       {"rebase-merge", "rebase-merge/interactive", "rebase-merge/msgnum", "rebase-merge/end",
        "rebase-apply", "rebase-apply/rebasing", "rebase-apply/applying", "rebase-apply/next",
        "rebase-apply/last", "MERGE_HEAD", "sequencer/todo", "BISECT_LOG"}) {
    files.push_back(operation_file(sources, name));
  }
  for (const char* name : {"REVERT_HEAD", "CHERRY_PICK_HEAD"}) {
    for (std::string& file : sources.refs.files_of(name)) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace resident
