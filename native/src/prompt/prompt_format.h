// The format of `git-resident prompt --format`: text with fields of PromptStatus in it.
//
//   %(name)              the field
//   %(name:before)       `before` and the field, where that is neither empty nor 0
//   %(name:before:after) the same with `after` behind it
//   %(name?text)         `text` alone, on the same condition
//   %%                   a percent sign
//
// Names are those of visit_prompt_fields() and visit_description_fields(), and "head": the branch,
// else the first seven digits of the commit. Control characters in a field become '?'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "prompt/prompt_status.h"

namespace resident {

inline constexpr std::string_view kDefaultPromptFormat =
    "%(head)%(action: |)%(behind: ⇣)%(ahead: ⇡)%(stashes: *)%(conflicted: ~)%(staged: +)"
    "%(unstaged: !)%(untracked: ?)";

// Who reads what is printed, and takes some of it for commands.
enum class PromptReader : uint8_t {
  kPlain,  // bash ($(...) in PS1), fish, starship
  kZsh,    // doubles '%'
  kTmux,   // doubles '#'
};

class PromptFormat {
 public:
  // kInvalid, for people, where it is malformed or names no field.
  static Result<PromptFormat> parse(std::string_view text);

  // Asks for what it prints, as far as that is not told in any case.
  void add_needs(PromptQuery& query) const;

  // Only fields are escaped for `reader`: the text around them is its writer's.
  std::string print(const PromptStatus& status, PromptReader reader) const;

 private:
  struct Part {
    std::string name;  // empty: only `before`
    std::string before;
    std::string after;
    bool always = false;      // print an empty field too
    bool shows_value = true;  // false: `before` alone
  };

  std::vector<Part> parts_;
};

}  // namespace resident
