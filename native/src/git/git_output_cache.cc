#include "git/git_output_cache.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "git/git_program.h"

namespace resident {

namespace {

// Lengths go ahead of the texts, so that no two questions have one key.
void add_text(std::string& key, std::string_view text) {
  key.append(std::to_string(text.size())).append(":").append(text);
}

std::string key_of(const GitCommand& command) {
  // Each field is named: one more does not build until it is decided here whether it matters.
  const auto& [arguments, options, input] = command;
  const auto& [program, cwd, no_input, environment, time_limit, byte_limit, stop] = options;
  std::string key;
  add_text(key, program);
  // Another git on PATH may say something else.
  const std::optional<GitProgram> git = git_on_path();
  add_text(key, git ? identity_of(*git) : std::string());
  add_text(key, cwd);
  add_text(key, input.value_or(""));
  add_text(key, std::to_string(environment.size()));
  for (const std::string& variable : environment) add_text(key, variable);
  for (const std::string& argument : arguments) add_text(key, argument);
  return key;
}

}  // namespace

GitOutputCache::~GitOutputCache() {
  for (const Kept& kept : kept_) {
    if (kept.task != 0) tasks_.cancel(kept.task);
  }
}

size_t GitOutputCache::Kept::size() const {
  return question.size() + (output.ok() ? output->out.size() + output->err.size() : 0);
}

Result<GitOutput> GitOutputCache::ask(const GitCommand& command, const GitTasks::Subject& subject,
                                      RequestId since, Digest digest) {
  std::string question = key_of(command);
  const auto find = [&] {
    return std::find_if(kept_.begin(), kept_.end(),
                        [&](const Kept& kept) { return kept.question == question; });
  };
  const auto answers = [&](const Kept& kept) {
    return kept.asked != 0 && (kept.is_current || kept.asked >= since);
  };
  auto known = find();
  if (known == kept_.end()) {
    kept_.push_back({.question = question});
    known = std::prev(kept_.end());
  }
  if (!answers(*known) && known->task == 0) {
    ++runs_;
    known->changed_meanwhile = false;
    known->task = tasks_.start(command, subject, [this, question, digest](auto output) {
      if (digest && output.ok()) output->out = digest(output->out);
      take(question, std::move(output));
    });
    if (tasks_.runs_in_place()) tasks_.deliver();
    known = find();
  }
  if (known == kept_.end() || !answers(*known)) {
    return Error{ErrorCode::kPending, subject.name + " has not answered yet"};
  }
  if (known->size() <= byte_limit_) return known->output;
  Result<GitOutput> output = std::move(known->output);
  kept_.erase(known);
  return output;
}

void GitOutputCache::take(const std::string& question, Result<GitOutput> output) {
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.question == question; });
  if (known == kept_.end()) return;
  known->asked = std::exchange(known->task, 0);
  known->is_current = output.ok() && !known->changed_meanwhile;
  known->output = std::move(output);
  make_room(*known);
}

void GitOutputCache::make_room(const Kept& for_this) {
  // What is too much alone is for who asked, and kept no longer.
  if (for_this.size() > byte_limit_) return;
  size_t bytes = 0;
  for (const Kept& kept : kept_) bytes += kept.size();
  for (auto at = kept_.begin(); at != kept_.end() && bytes > byte_limit_;) {
    const bool stays = &*at == &for_this || at->task != 0;
    if (!stays) bytes -= at->size();
    at = stays ? std::next(at) : kept_.erase(at);
  }
}

const Result<GitOutput>* GitOutputCache::last_said(const GitCommand& command, RequestId after) {
  const std::string question = key_of(command);
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.question == question; });
  return known != kept_.end() && known->asked > after ? &known->output : nullptr;
}

void GitOutputCache::forget() {
  for (Kept& kept : kept_) {
    kept.is_current = false;
    kept.changed_meanwhile = true;
  }
  if (tasks_.runs_in_place()) drop_forgotten();
}

void GitOutputCache::drop_forgotten() {
  std::erase_if(kept_, [](const Kept& kept) { return kept.task == 0 && !kept.is_current; });
}

}  // namespace resident
