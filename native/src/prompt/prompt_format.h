// The format of `git-resident prompt --format`: text with fields of PromptStatus.
//
//    %(name)              the field
//    %(name:before)       `before` and the field, if the field is neither empty nor 0
//    %(name:before:after) the same, with `after` behind it
//    %(name?text)         only `text`, on the same condition
//    %%                   a percent sign
//
// Names are those of visit_prompt_fields() and visit_description_fields(), and "head". The field
// "head" is the branch, else the first seven digits of the commit. Control characters in a field
// become '?'.
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

// The program that reads the output. It can take parts of the output for commands.
enum class PromptReader : uint8_t {
  kPlain,  // bash ($(...) in PS1), fish, starship
  kZsh,    // doubles '%'
  kTmux,   // doubles '#'
};

class PromptFormat {
 public:
  // Fails with kInvalid, with a message for people, if the format is malformed or has an unknown
  // field.
  static Result<PromptFormat> parse(std::string_view text);

  // Requests exactly the optional fields that this format prints.
  void add_needs(PromptQuery& query) const;

  // Escapes only fields for `reader`. The author of the format must escape the other text.
  std::string print(const PromptStatus& status, PromptReader reader) const;

 private:
  struct Part {
    std::string name;  // empty: only `before`
    std::string before;
    std::string after;
    bool always = false;      // print an empty field too
    bool shows_value = true;  // false: only `before`
  };

  std::vector<Part> parts_;
};

}  // namespace resident
