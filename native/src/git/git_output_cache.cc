#include "git/git_output_cache.h"

#include <algorithm>
#include <optional>

#include "git/git_program.h"

namespace resident {

namespace {

// Lengths go ahead of the texts, so that no two questions have one key.
void add_text(std::string& key, std::string_view text) {
  key.append(std::to_string(text.size())).append(":").append(text);
}

std::string key_of(const std::vector<std::string>& arguments, const GitRunOptions& options) {
  std::string key;
  add_text(key, options.program);
  // Another git on PATH may say something else.
  const std::optional<GitProgram> git = git_on_path();
  add_text(key, git ? identity_of(*git) : std::string());
  add_text(key, options.cwd);
  add_text(key, options.input.value_or(""));
  add_text(key, std::to_string(options.environment.size()));
  for (const std::string& variable : options.environment) add_text(key, variable);
  for (const std::string& argument : arguments) add_text(key, argument);
  return key;
}

}  // namespace

size_t GitOutputCache::size_of(const Kept& kept) {
  return kept.question.size() + kept.output.out.size() + kept.output.err.size();
}

Result<GitOutput> GitOutputCache::run(const std::vector<std::string>& arguments,
                                      const GitRunOptions& options) {
  std::string key = key_of(arguments, options);
  const auto known = std::find_if(kept_.begin(), kept_.end(),
                                  [&key](const Kept& kept) { return kept.question == key; });
  if (known != kept_.end()) return known->output;
  ++runs_;
  RESIDENT_TRY(GitOutput output, run_git(arguments, options));
  Kept kept{std::move(key), std::move(output)};
  const size_t size = size_of(kept);
  if (size > byte_limit_) return std::move(kept.output);
  while (bytes_ + size > byte_limit_) {
    bytes_ -= size_of(kept_.front());
    kept_.pop_front();
  }
  bytes_ += size;
  kept_.push_back(std::move(kept));
  return kept_.back().output;
}

void GitOutputCache::forget() {
  kept_.clear();
  bytes_ = 0;
}

}  // namespace resident
