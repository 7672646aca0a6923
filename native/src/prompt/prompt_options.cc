#include "prompt/prompt_options.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/cut_text.h"

namespace resident {

const char* const kPromptUsage =
    R"(usage: git-resident prompt [<option>...]
       git-resident prompt --format[=<format>] [--escape=none|zsh|tmux] [<directory>]

Without --format, this command answers requests on standard input in gitstatusd's protocol.
To use it, set GITSTATUS_DAEMON to this program. Options of gitstatusd:

  -l, --lock-fd=<n>                    exit when no process locks this descriptor
  -p, --parent-pid=<n>                 exit when process <n> ends
  -t, --num-threads=<n>                threads of a scan, at most the number of cores
  -v, --log-level=<level>              DEBUG, INFO, WARN, ERROR or FATAL
  -r, --repo-ttl-seconds=<n>           close a repository after this idle time; negative: never
  -z, --max-commit-summary-length=<n>  maximum bytes of the commit summary
  -s, --max-num-staged=<n>             maximum number of staged files; negative: no limit
  -u, --max-num-unstaged=<n>           maximum number of unstaged files
  -c, --max-num-conflicted=<n>         maximum number of conflicts
  -d, --max-num-untracked=<n>          maximum number of untracked files
  -m, --dirty-max-index-size=<n>       count no unstaged and untracked files if the index has more
                                       than <n> entries
  -e, --recurse-untracked-dirs         count files in untracked directories
  -U, --ignore-status-show-untracked-files
                                       ignore status.showUntrackedFiles
  -W, --ignore-bash-show-untracked-files
                                       ignore bash.showUntrackedFiles
  -D, --ignore-bash-show-dirty-state   ignore bash.showDirtyState
  -G, --version-glob=<glob>            accepted, without effect
  -V, --version                        print the version of gitstatusd
  -h, --help                           print this text

Options of git-resident:

      --watch-budget=<n>               maximum number of watched directories
      --trust                          run git, and filters that the repository's config names
      --format[=<format>]              print one line and exit
      --escape=none|zsh|tmux           double the characters that zsh or tmux interprets

Fields of a format:

  %(name)                              the value of the field
  %(name:before:after)                 the value with text around it, unless it is empty or 0
  %(name?text)                         the text, unless the value is empty or 0
  %(describe), %(describe-tags)        the output of git describe, git describe --tags
  %%                                   a percent sign

Names of fields: head branch commit summary encoding tag upstream remote remote-url ahead behind
push-remote push-url push-ahead push-behind action staged staged-new staged-deleted unstaged
unstaged-deleted conflicted untracked stashes index-size skip-worktree assume-unchanged
nearest-tag tag-distance worktree
)";

namespace {

constexpr char kHasValue = ':';

struct OptionRow {
  char letter;  // '\0': none
  std::string_view name;
  char value = '\0';  // kHasValue
};
constexpr OptionRow kOptions[] = {
    {'l', "lock-fd", kHasValue},
    {'p', "parent-pid", kHasValue},
    {'t', "num-threads", kHasValue},
    {'v', "log-level", kHasValue},
    {'r', "repo-ttl-seconds", kHasValue},
    {'z', "max-commit-summary-length", kHasValue},
    {'s', "max-num-staged", kHasValue},
    {'u', "max-num-unstaged", kHasValue},
    {'c', "max-num-conflicted", kHasValue},
    {'d', "max-num-untracked", kHasValue},
    {'m', "dirty-max-index-size", kHasValue},
    {'e', "recurse-untracked-dirs"},
    {'U', "ignore-status-show-untracked-files"},
    {'W', "ignore-bash-show-untracked-files"},
    {'D', "ignore-bash-show-dirty-state"},
    {'G', "version-glob", kHasValue},
    {'V', "version"},
    {'h', "help"},
    {'\0', "watch-budget", kHasValue},
    {'\0', "trust"},
    {'\0', "escape", kHasValue},
};

Error invalid(std::string what) {
  return Error{ErrorCode::kInvalid, std::move(what)};
}

Result<int64_t> number(std::string_view name, std::string_view text) {
  int64_t value = 0;
  if (!parse_number(text, value)) {
    return invalid("--" + std::string(name) + ": not an integer: " + std::string(text));
  }
  return value;
}

// Sets a limit. A negative number means no limit.
Result<void> set_limit(std::string_view name, std::string_view text, uint64_t& limit) {
  RESIDENT_TRY(const int64_t value, number(name, text));
  limit = value < 0 ? PromptLimits::kNone : static_cast<uint64_t>(value);
  return {};
}

// Sets a number. A negative number unsets it.
Result<void> set_int(std::string_view name, std::string_view text, std::optional<int>& value) {
  RESIDENT_TRY(const int64_t parsed, number(name, text));
  if (parsed < std::numeric_limits<int>::min() || parsed > std::numeric_limits<int>::max()) {
    return invalid("--" + std::string(name) + ": out of range: " + std::string(text));
  }
  value.reset();
  if (parsed >= 0) value = static_cast<int>(parsed);
  return {};
}

Result<void> set_threads(std::string_view name, std::string_view text,
                         std::optional<unsigned>& threads) {
  constexpr int64_t kMax = 1024;
  RESIDENT_TRY(const int64_t value, number(name, text));
  if (value <= 0) return invalid("--num-threads: must be above 0: " + std::string(text));
  threads = static_cast<unsigned>(std::min(value, kMax));
  return {};
}

Result<void> set_idle(std::string_view name, std::string_view text,
                      std::optional<std::chrono::seconds>& idle) {
  constexpr int64_t kMax = int64_t{366} * 24 * 60 * 60;
  RESIDENT_TRY(const int64_t value, number(name, text));
  idle.reset();
  if (value >= 0) idle = std::chrono::seconds(std::min(value, kMax));
  return {};
}

Result<void> set_log_level(std::string_view text, bool& logs_errors) {
  constexpr std::string_view kLevels[] = {"DEBUG", "INFO", "WARN", "ERROR", "FATAL"};
  if (std::find(std::begin(kLevels), std::end(kLevels), text) == std::end(kLevels)) {
    return invalid("--log-level: unknown level: " + std::string(text));
  }
  logs_errors = text != "FATAL";
  return {};
}

Result<void> set_reader(std::string_view text, PromptReader& reader) {
  if (text == "none") {
    reader = PromptReader::kPlain;
  } else if (text == "zsh") {
    reader = PromptReader::kZsh;
  } else if (text == "tmux") {
    reader = PromptReader::kTmux;
  } else {
    return invalid("--escape: must be none, zsh or tmux, not " + std::string(text));
  }
  return {};
}

Result<void> set(const OptionRow& option, std::string_view value, PromptOptions& options) {
  using Action = PromptOptions::Action;
  const std::string_view name = option.name;
  PromptLimits& limits = options.limits;
  switch (option.letter) {
    case 'l':
      return set_int(name, value, options.lock_fd);
    case 'p':
      return set_int(name, value, options.parent_pid);
    case 't':
      return set_threads(name, value, options.threads);
    case 'v':
      return set_log_level(value, options.logs_errors);
    case 'r':
      return set_idle(name, value, options.idle);
    case 'z':
      return set_limit(name, value, limits.summary_bytes);
    case 's':
      return set_limit(name, value, limits.staged);
    case 'u':
      return set_limit(name, value, limits.unstaged);
    case 'c':
      return set_limit(name, value, limits.conflicted);
    case 'd':
      return set_limit(name, value, limits.untracked);
    case 'm':
      return set_limit(name, value, limits.index_size);
    case 'e':
      options.query.recurse_untracked = true;
      return {};
    case 'U':
      options.query.ignore_status_show_untracked = true;
      return {};
    case 'W':
      options.query.ignore_bash_show_untracked = true;
      return {};
    case 'D':
      options.query.ignore_bash_show_dirty = true;
      return {};
    case 'V':
      options.action = Action::kVersion;
      return {};
    case 'h':
      options.action = Action::kHelp;
      return {};
    default:
      break;
  }
  if (name == "trust") options.trust = true;
  if (name == "escape") return set_reader(value, options.reader);
  if (name == "watch-budget") {
    options.watch_budget = 0;
    return set_limit(name, value, *options.watch_budget);
  }
  return {};
}

// `argument` has no dashes. Like in getopt, an unambiguous abbreviation is accepted.
Result<const OptionRow*> find_long(std::string_view argument) {
  const OptionRow* found = nullptr;
  for (const OptionRow& option : kOptions) {
    if (option.name == argument) return &option;
    if (!option.name.starts_with(argument)) continue;
    if (found) return invalid("--" + std::string(argument) + " is ambiguous");
    found = &option;
  }
  if (!found) return invalid("unknown option: --" + std::string(argument));
  return found;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<PromptOptions> parse() {
    bool only_words = false;
    while (next_ < arguments_.size() && options_.action != PromptOptions::Action::kVersion &&
           options_.action != PromptOptions::Action::kHelp) {
      const std::string_view argument = arguments_[next_++];
      if (only_words || argument.size() < 2 || argument[0] != '-') {
        words_.push_back(argument);
      } else if (argument == "--") {
        only_words = true;
      } else if (argument[1] == '-') {
        RESIDENT_CHECK(parse_long(argument.substr(2)));
      } else {
        RESIDENT_CHECK(parse_letters(argument.substr(1)));
      }
    }
    if (options_.action == PromptOptions::Action::kServe && !words_.empty()) {
      return invalid("unexpected argument: " + std::string(words_[0]));
    }
    if (words_.size() > 1) return invalid("unexpected argument: " + std::string(words_[1]));
    if (!words_.empty()) options_.directory = words_[0];
    return options_;
  }

 private:
  Result<void> parse_long(std::string_view argument) {
    const size_t equals = argument.find('=');
    const std::string_view name = argument.substr(0, equals);
    const bool is_given = equals != std::string_view::npos;
    if (name == "format") {
      options_.action = PromptOptions::Action::kPrint;
      options_.format = is_given ? argument.substr(equals + 1) : kDefaultPromptFormat;
      return {};
    }
    RESIDENT_TRY(const OptionRow* option, find_long(name));
    if (option->value != kHasValue) {
      if (is_given) return invalid("--" + std::string(option->name) + " takes no value");
      return set(*option, {}, options_);
    }
    if (is_given) return set(*option, argument.substr(equals + 1), options_);
    return set_from_next(*option);
  }

  Result<void> parse_letters(std::string_view letters) {
    while (!letters.empty()) {
      const auto* option =
          std::find_if(std::begin(kOptions), std::end(kOptions),
                       [&](const OptionRow& row) { return row.letter == letters[0]; });
      if (option == std::end(kOptions) || letters[0] == '\0') {
        return invalid("unknown option: -" + std::string(letters.substr(0, 1)));
      }
      letters.remove_prefix(1);
      if (option->value == kHasValue) {
        return letters.empty() ? set_from_next(*option) : set(*option, letters, options_);
      }
      RESIDENT_CHECK(set(*option, {}, options_));
    }
    return {};
  }

  Result<void> set_from_next(const OptionRow& option) {
    if (next_ == arguments_.size()) {
      return invalid("--" + std::string(option.name) + " needs a value");
    }
    return set(option, arguments_[next_++], options_);
  }

  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
  PromptOptions options_;
  std::vector<std::string_view> words_;
};

}  // namespace

Result<PromptOptions> parse_prompt_options(const std::vector<std::string>& arguments) {
  return Parser(arguments).parse();
}

}  // namespace resident
