#include "porcelain/status_request.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "config/config_value.h"
#include "diff/rename_config.h"
#include "fs/same_place.h"
#include "history/message_config.h"
#include "os/environment.h"
#include "os/standard_streams.h"
#include "porcelain/config_check.h"

namespace resident {

namespace {

using Format = StatusOptions::Format;

// The language of messages. The variables are in order of precedence.
std::string_view message_locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value && *value) return value;
  }
  return "C";
}

bool is_english(std::string_view locale) {
  return locale == "C" || locale == "POSIX" || locale.starts_with("C.") ||
         locale.starts_with("en_US") || locale == "en";
}

bool messages_are_english() {
  std::string_view locale = message_locale();
  if (locale == "C" || locale == "POSIX") return true;  // git ignores LANGUAGE then
  const char* language = std::getenv("LANGUAGE");
  return is_english(language && *language ? language : locale);
}

bool directory_has_other_name() {
  const char* name = std::getenv("PWD");
  const std::string here = working_directory();
  return name && !here.empty() && here != name && is_same_directory(name, here);
}

// `includeIf "gitdir:"` also matches the name of the directory in PWD.
bool depends_on_name_of_directory(const Config& config) {
  return std::any_of(
      config.entries().begin(), config.entries().end(),
      [](const ConfigEntry& entry) { return entry.key.starts_with("includeif.gitdir"); });
}

bool environment_flag(const char* name) {
  const char* value = std::getenv(name);
  return value && parse_config_bool(value).value_or(false);
}

// The short and the long format read status.short, status.branch and status.aheadBehind. The
// formats for scripts ignore them.
bool is_for_people(const StatusOptions& options) {
  return !options.null_terminated && options.format != Format::kPorcelainV1 &&
         options.format != Format::kPorcelainV2;
}

// Returns nullopt if git refuses.
std::optional<StatusFormat> format_of(const StatusOptions& options, const Config& config) {
  Format format = options.format.value_or(Format::kNone);
  if (options.null_terminated && format == Format::kNone) return StatusFormat::kPorcelainV1;
  if (!options.format && is_for_people(options) && config.get_bool("status.short", false)) {
    format = Format::kShort;
  }
  switch (format) {
    case Format::kShort:
      return StatusFormat::kShort;
    case Format::kPorcelainV1:
      return StatusFormat::kPorcelainV1;
    case Format::kPorcelainV2:
      return StatusFormat::kPorcelainV2;
    case Format::kNone:
      return StatusFormat::kLong;
    case Format::kLong:
      break;
  }
  if (options.null_terminated) return std::nullopt;
  return StatusFormat::kLong;
}

UntrackedMode untracked_of(const StatusOptions& options, const Config& config,
                           const GitRules& rules) {
  if (options.untracked) return *options.untracked;
  std::string_view mode = config.get("status.showUntrackedFiles").value_or("normal");
  if (rules.untracked_mode_may_be_boolean) {
    if (const auto flag = parse_config_bool(mode)) mode = *flag ? "normal" : "no";
  }
  if (mode == "no") return UntrackedMode::kNo;
  return mode == "all" ? UntrackedMode::kAll : UntrackedMode::kNormal;
}

// Unset if the command line does not decide: the answering process reads the config.
std::optional<RenameMode> renames_of(const StatusOptions& options, const Config& config) {
  std::optional<RenameMode> mode;
  if (options.renames) mode = *options.renames ? RenameMode::kRenames : RenameMode::kOff;
  if (!options.find_renames) return mode;
  RenameMode found = mode.value_or(configured_renames(config));
  return found == RenameMode::kOff ? RenameMode::kRenames : found;
}

bool pager_would_run(const Config& config, const StatusSurroundings& surroundings) {
  const ConfigEntry* pager = config.find("pager.status");
  if (!pager || !surroundings.output_is_terminal) return false;
  // A non-boolean value names a program.
  return !pager->value || parse_config_bool(*pager->value).value_or(true);
}

// Whether column.ui or column.status can put untracked files into columns. A value can override the
// value before it, so only values that never do are accepted.
bool columns_may_show(const Config& config, const StatusSurroundings& surroundings) {
  const bool for_terminal = surroundings.output_is_terminal || surroundings.pager_in_use;
  for (const char* key : {"column.ui", "column.status"}) {
    for (std::string_view value : config.get_all(key)) {
      if (value != "never" && (value != "auto" || for_terminal)) return true;
    }
  }
  return false;
}

bool wants_color(ColorChoice choice, const Config& config, const StatusSurroundings& surroundings) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  bool pager_shows_color = surroundings.pager_in_use && config.get_bool("color.pager", true);
  return (surroundings.output_is_terminal || pager_shows_color) && !surroundings.dumb_terminal;
}

// Whether git must print the long format: columns, or text that git's other programs add.
bool long_format_is_gits(const StatusOptions& options, const Config& config, const GitRules& rules,
                         const StatusSurroundings& surroundings) {
  if (rules.compares_with_push_branch && config.find("status.comparebranches")) return true;
  // Only git knows whether its own monitor works here.
  if (rules.points_to_help_when_slow && config.get_bool("core.fsmonitor", false)) return true;
  const bool summary = config.find("status.submodulesummary") &&
                       options.ignore_submodules != IgnoreSubmodules::kAll &&
                       config.get_bool("status.submodulesummary").value_or(true);
  return options.verbose || summary || columns_may_show(config, surroundings) ||
         !surroundings.english_messages;
}

// Returns nullopt if git refuses.
std::optional<LongFormatOptions> long_options(const Config& config, const GitRules& rules,
                                              const StatusQuery& query) {
  bool advises = true;
  if (const char* value = std::getenv("GIT_ADVICE"); value && rules.advice_by_environment) {
    const std::optional<bool> flag = parse_config_bool(value);
    if (!flag) return std::nullopt;
    advises = *flag;
  }
  LongFormatOptions options;
  options.hints = advises && config.get_bool("advice.statushints", true);
  options.tell_slow_enumerating = advises && config.get_bool("advice.statusuoption", true);
  options.tell_slow_counting = advises && config.get_bool("advice.statusaheadbehindwarning", true);
  if (config.get_bool("status.displaycommentprefix", false)) {
    options.comment = configured_comment(config, rules);
  }
  const std::string_view monitor = config.get("core.fsmonitor").value_or("");
  options.results_are_cached = !monitor.empty() && !parse_config_bool(monitor);
  options.untracked = query.untracked;
  options.ahead_behind = query.ahead_behind;
  return options;
}

// Returns nullopt if a variable is no boolean.
std::optional<PathspecSettings> pathspec_settings() {
  PathspecSettings settings;
  const std::pair<const char*, bool*> variables[] = {
      {"GIT_LITERAL_PATHSPECS", &settings.literal},
      {"GIT_GLOB_PATHSPECS", &settings.glob},
      {"GIT_NOGLOB_PATHSPECS", &settings.noglob},
      {"GIT_ICASE_PATHSPECS", &settings.ignore_case}};
  for (const auto& [name, setting] : variables) {
    const char* value = std::getenv(name);
    if (!value) continue;
    const std::optional<bool> flag = parse_config_bool(value);
    if (!flag) return std::nullopt;
    *setting = *flag;
  }
  return settings;
}

// Returns null if git refuses the arguments or must answer itself.
std::shared_ptr<const Pathspec> pathspec_of(const StatusOptions& options,
                                            const Repository& repository,
                                            const StatusSurroundings& surroundings) {
  if (!surroundings.pathspecs) return nullptr;
  Result<Pathspec> pathspec = Pathspec::parse(
      options.pathspecs, {repository.prefix, repository.worktree, *surroundings.pathspecs});
  return pathspec.ok() ? std::make_shared<const Pathspec>(std::move(pathspec).value()) : nullptr;
}

StatusQuery query_of(const StatusOptions& options, const Config& config, const GitRules& rules,
                     StatusFormat format) {
  const bool for_people = is_for_people(options);
  StatusQuery query;
  query.untracked = untracked_of(options, config, rules);
  // git searches for ignored files only together with untracked files.
  query.ignored = query.untracked == UntrackedMode::kNo ? IgnoredMode::kNo : options.ignored;
  query.ignore_submodules = options.ignore_submodules;
  query.renames = renames_of(options, config);
  if (options.find_renames) query.rename_score = options.rename_score;
  const bool is_long = format == StatusFormat::kLong;
  query.branch =
      is_long || options.branch.value_or(for_people && config.get_bool("status.branch", false));
  query.ahead_behind =
      options.ahead_behind.value_or(!for_people || config.get_bool("status.aheadBehind", true));
  query.stash = (is_long || format == StatusFormat::kPorcelainV2) &&
                options.show_stash.value_or(config.get_bool("status.showStash", false));
  query.operation = is_long;
  return query;
}

}  // namespace

StatusSurroundings status_surroundings() {
  StatusSurroundings surroundings;
  surroundings.output_is_terminal = is_terminal(kStandardOutput);
  const char* terminal = std::getenv("TERM");
  surroundings.dumb_terminal = !terminal || std::string_view(terminal) == "dumb";
  surroundings.pager_in_use = environment_flag("GIT_PAGER_IN_USE");
  surroundings.english_messages = messages_are_english();
  surroundings.directory_has_other_name = directory_has_other_name();
  surroundings.pathspecs = pathspec_settings();
  return surroundings;
}

std::optional<StatusRequest> status_request(const StatusOptions& options, const Config& config,
                                            const Repository& repository,
                                            const StatusSurroundings& surroundings,
                                            const GitRules& rules) {
  if (options.column) return std::nullopt;
  // In a subdirectory git has already left the directory that PWD names.
  if (surroundings.directory_has_other_name && repository.prefix.empty() &&
      depends_on_name_of_directory(config)) {
    return std::nullopt;
  }
  if (git_may_refuse(config, rules) || pager_would_run(config, surroundings)) return std::nullopt;
  std::optional<StatusFormat> format = format_of(options, config);
  if (!format) return std::nullopt;

  StatusRequest request;
  request.print.rules = rules;
  request.query = query_of(options, config, rules, *format);
  if (!options.pathspecs.empty()) {
    request.query.pathspec = pathspec_of(options, repository, surroundings);
    if (!request.query.pathspec) return std::nullopt;
  }
  // git refuses this combination.
  if (options.ignored == IgnoredMode::kMatching && request.query.untracked == UntrackedMode::kNo) {
    return std::nullopt;
  }
  if (*format == StatusFormat::kLong) {
    if (long_format_is_gits(options, config, rules, surroundings)) return std::nullopt;
    const auto options_of_long = long_options(config, rules, request.query);
    if (!options_of_long) return std::nullopt;
    request.print.long_format = *options_of_long;
  }
  // The short header is translated.
  if (*format == StatusFormat::kShort && request.query.branch && !surroundings.english_messages) {
    return std::nullopt;
  }
  request.print.format = *format;
  request.print.null_terminated = options.null_terminated;
  request.print.quote_high_bytes = config.get_bool("core.quotePath", true);
  request.print.algorithm = repository.algorithm;
  if (config.get_bool("status.relativePaths", true)) request.print.prefix = repository.prefix;
  if (*format == StatusFormat::kShort || *format == StatusFormat::kLong) {
    std::optional<ColorChoice> choice = color_choice_from(config);
    if (!choice) return std::nullopt;
    if (wants_color(*choice, config, surroundings)) {
      request.print.colors = palette_from(config);
      if (!request.print.colors) return std::nullopt;
    }
  }
  return request;
}

}  // namespace resident
