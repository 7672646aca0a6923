#include "porcelain/status_options.h"

#include <utility>

#include "porcelain/option_parser.h"

namespace resident {

namespace {

enum Id : int {
  kVerbose,
  kShort,
  kBranch,
  kShowStash,
  kAheadBehind,
  kPorcelain,
  kLong,
  kNull,
  kUntrackedFiles,
  kIgnored,
  kIgnoreSubmodules,
  kColumn,
  kNoRenames,
  kFindRenames,
};

constexpr auto kOptional = OptionSpec::Value::kOptional;
constexpr OptionSpec kSpecs[] = {
    {kVerbose, 'v', "verbose"},
    {kShort, 's', "short"},
    {kBranch, 'b', "branch"},
    {kShowStash, 0, "show-stash"},
    {kAheadBehind, 0, "ahead-behind"},
    {kPorcelain, 0, "porcelain", kOptional},
    {kLong, 0, "long"},
    {kNull, 'z', "null"},
    {kUntrackedFiles, 'u', "untracked-files", kOptional},
    {kIgnored, 0, "ignored", kOptional},
    {kIgnoreSubmodules, 0, "ignore-submodules", kOptional},
    {kColumn, 0, "column", kOptional},
    {kNoRenames, 0, "no-renames"},
    {kFindRenames, 'M', "find-renames", kOptional, false},
};

// "50%", "0.5" or "5" (tenths, "05": hundredths, ...) of 60000. What follows the number is not
// looked at.
int rename_score(std::string_view text) {
  constexpr unsigned long kMaxScore = 60000;
  unsigned long number = 0;
  unsigned long scale = 1;
  bool point = false;
  for (char c : text) {
    if (c == '.' && !point) {
      point = true;
      scale = 1;
    } else if (c == '%') {
      scale = point ? scale * 100 : 100;
      break;
    } else if (c >= '0' && c <= '9') {
      // Digits beyond this are below the scale's precision.
      if (scale < 100000) {
        scale *= 10;
        number = number * 10 + static_cast<unsigned long>(c - '0');
      }
    } else {
      break;
    }
  }
  return static_cast<int>(number >= scale ? kMaxScore : kMaxScore * number / scale);
}

template <typename Mode>
struct Word {
  std::string_view text;
  Mode mode;
};

template <typename Mode, size_t kCount>
std::optional<Mode> mode_from(const std::string& text, const Word<Mode> (&words)[kCount]) {
  for (const Word<Mode>& word : words) {
    if (text == word.text) return word.mode;
  }
  return std::nullopt;
}

using Format = StatusOptions::Format;

constexpr Word<Format> kFormats[] = {{"v1", Format::kPorcelainV1},
                                     {"1", Format::kPorcelainV1},
                                     {"v2", Format::kPorcelainV2},
                                     {"2", Format::kPorcelainV2}};
constexpr Word<UntrackedMode> kUntrackedModes[] = {
    {"no", UntrackedMode::kNo}, {"normal", UntrackedMode::kNormal}, {"all", UntrackedMode::kAll}};
constexpr Word<IgnoredMode> kIgnoredModes[] = {{"no", IgnoredMode::kNo},
                                               {"traditional", IgnoredMode::kTraditional},
                                               {"matching", IgnoredMode::kMatching}};
constexpr Word<IgnoreSubmodules> kSubmoduleModes[] = {{"none", IgnoreSubmodules::kNone},
                                                      {"untracked", IgnoreSubmodules::kUntracked},
                                                      {"dirty", IgnoreSubmodules::kDirty},
                                                      {"all", IgnoreSubmodules::kAll}};

// Folds the options in their order. Modes are words until the end, because only the last one must
// be valid.
class Collector {
 public:
  // False where git refuses at once.
  bool take(const GivenOption& given) {
    switch (given.id) {
      case kVerbose:
        options_.verbose = !given.negated;
        return true;
      case kShort:
        options_.format = given.negated ? Format::kNone : Format::kShort;
        return true;
      case kLong:
        options_.format = given.negated ? Format::kNone : Format::kLong;
        return true;
      case kPorcelain:
        return parse_porcelain(given);
      case kBranch:
        options_.branch = !given.negated;
        return true;
      case kShowStash:
        options_.show_stash = !given.negated;
        return true;
      case kAheadBehind:
        options_.ahead_behind = !given.negated;
        return true;
      case kNull:
        options_.null_terminated = !given.negated;
        return true;
      case kUntrackedFiles:
        next_word(given, "all", untracked_);
        return true;
      case kIgnored:
        next_word(given, "traditional", ignored_);
        return true;
      case kIgnoreSubmodules:
        next_word(given, "all", submodules_);
        return true;
      case kColumn:
        options_.column = true;
        return true;
      case kNoRenames:
        options_.renames = given.negated;
        return true;
      case kFindRenames:
        parse_find_renames(given);
        return true;
    }
    return false;
  }

  std::optional<StatusOptions> finish() && {
    if (untracked_) {
      options_.untracked = mode_from(*untracked_, kUntrackedModes);
      if (!options_.untracked) return std::nullopt;
    }
    if (ignored_) {
      std::optional<IgnoredMode> mode = mode_from(*ignored_, kIgnoredModes);
      if (!mode) return std::nullopt;
      options_.ignored = *mode;
    }
    if (submodules_) {
      options_.ignore_submodules = mode_from(*submodules_, kSubmoduleModes);
      if (!options_.ignore_submodules) return std::nullopt;
    }
    return std::move(options_);
  }

 private:
  static void next_word(const GivenOption& given, const char* fallback,
                        std::optional<std::string>& word) {
    word.reset();
    if (!given.negated) word = given.value.value_or(fallback);
  }

  bool parse_porcelain(const GivenOption& given) {
    options_.format = Format::kPorcelainV1;
    if (given.negated) {
      options_.format = Format::kNone;
    } else if (given.value) {
      options_.format = mode_from(*given.value, kFormats);
    }
    return options_.format.has_value();
  }

  void parse_find_renames(const GivenOption& given) {
    options_.find_renames = true;
    options_.rename_score.reset();
    if (!given.value) return;
    std::string_view text = *given.value;
    if (text.starts_with('=')) text.remove_prefix(1);
    options_.rename_score = rename_score(text);
  }

  StatusOptions options_;
  std::optional<std::string> untracked_, ignored_, submodules_;
};

std::optional<StatusOptions> options_from(const std::vector<std::string>& arguments) {
  std::optional<GivenArguments> given = parse_options(kSpecs, arguments);
  if (!given) return std::nullopt;
  Collector collector;
  for (const GivenOption& option : given->options) {
    if (!collector.take(option)) return std::nullopt;
  }
  std::optional<StatusOptions> options = std::move(collector).finish();
  if (options) options->pathspecs = std::move(given->operands);
  return options;
}

}  // namespace

std::optional<StatusCommandLine> parse_status_command_line(
    const std::vector<std::string>& arguments) {
  constexpr Word<AnswerSource> kSources[] = {{"--source=auto", AnswerSource::kAuto},
                                             {"--source=scan", AnswerSource::kScan},
                                             {"--source=resident", AnswerSource::kResident}};
  StatusCommandLine line;
  bool operands = false;
  for (const std::string& argument : arguments) {
    operands = operands || argument == "--" || argument == "--end-of-options";
    if (!operands && (argument == "--source" || argument.starts_with("--source="))) {
      std::optional<AnswerSource> source = mode_from(argument, kSources);
      if (!source) return std::nullopt;
      line.source = *source;
    } else {
      line.git_arguments.push_back(argument);
    }
  }
  line.options = options_from(line.git_arguments);
  return line;
}

}  // namespace resident
