#include "porcelain/config_check.h"

#include <algorithm>
#include <climits>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "config/config_value.h"
#include "history/upstream.h"
#include "os/user.h"
#include "porcelain/colors.h"
#include "porcelain/config_keys.h"
#include "refs/ref_name.h"

namespace resident {

namespace {

// Limits that a plain number check misses.
bool in_range(std::string_view key, int64_t number) {
  if (key == "core.abbrev") return number >= 4 && number <= 40;
  if (key == "index.version") return number >= 2 && number <= 4;
  if (key.ends_with("compression")) return number >= -1 && number <= 9;
  if (key == "diff.context" || key == "diff.interhunkcontext") return number <= INT_MAX;
  return true;
}

bool is_one_of(std::string_view value, const std::vector<std::string_view>& words) {
  return std::find(words.begin(), words.end(), value) != words.end();
}

bool is_list_of(std::string_view value, const std::vector<std::string_view>& words) {
  for (;;) {
    size_t comma = value.find(',');
    std::string_view word = value.substr(0, comma);
    if (!is_one_of(word, words)) return false;
    if (comma == std::string_view::npos) return true;
    value.remove_prefix(comma + 1);
  }
}

bool accepts(const ConfigKey& key, const ConfigEntry& entry) {
  using Kind = ConfigKey::Kind;
  if (!entry.value) return key.kind == Kind::kBool;
  const std::string& value = *entry.value;
  if (key.kind == Kind::kList) return is_list_of(value, key.words);
  if (is_one_of(value, key.words)) return true;
  if (key.kind == Kind::kString) return key.words.empty();
  if (key.kind == Kind::kBool || key.kind == Kind::kGivenBool) {
    return parse_config_bool(value).has_value();
  }
  std::optional<int64_t> number = parse_config_int(value);
  if (!number || !in_range(entry.key, *number)) return false;
  if (key.kind == Kind::kInt) return *number >= -INT_MAX && *number <= INT_MAX;
  return *number >= 0;
}

bool accepts_column(const ConfigEntry& entry) {
  constexpr std::string_view kWords[] = {"always", "never", "auto",  "plain",
                                         "column", "row",   "dense", "nodense"};
  if (!entry.value) return false;
  return std::find(std::begin(kWords), std::end(kWords), *entry.value) != std::end(kWords);
}

bool accepts_color(const ConfigEntry& entry) {
  return entry.value && parse_color(*entry.value).has_value();
}

bool accepts_submodule_ignore(const ConfigEntry& entry) {
  return accepts(*find_config_key("diff.ignoresubmodules"), entry);
}

// Sections whose strings git reads here. A variable without a value is an error in them.
bool wants_values(std::string_view key) {
  constexpr std::string_view kSections[] = {
      "core.", "diff.",   "status.", "color.",     "column.",  "user.", "author.", "push.",
      "i18n.", "branch.", "pack.",   "committer.", "mailmap.", "url.",  "attr.",   "filter."};
  return std::any_of(std::begin(kSections), std::end(kSections),
                     [&](std::string_view section) { return key.starts_with(section); });
}

bool is_true_or_bool(const ConfigEntry& entry) {
  return !entry.value || parse_config_bool(*entry.value).has_value();
}

// Whether this is a push refspec without expressions, like nearly all of them.
bool is_plain_refspec(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return is_valid_ref_name(text);
  size_t stars = 0;
  for (std::string_view side : {text.substr(0, colon), text.substr(colon + 1)}) {
    std::string name(side);
    if (const size_t star = name.find('*'); star != std::string::npos) {
      name[star] = 'x';
      ++stars;
    }
    if (!is_valid_ref_name(name)) return false;
  }
  return stars != 1;
}

// remote.<name>.*, which git reads for the branch's upstream.
bool accepts_remote(const ConfigEntry& entry, const GitRules& rules) {
  const std::string_view key = entry.key;
  const std::string_view variable = key.substr(key.rfind('.') + 1);
  // git ignores a name that begins with '/', and a second receivepack or uploadpack. It warns about
  // each.
  if (key.starts_with("remote./") || variable == "receivepack" || variable == "uploadpack") {
    return false;
  }
  constexpr std::string_view kFlags[] = {"mirror", "skipdefaultupdate", "skipfetchall",
                                         "prune",  "prunetags",         "promisor"};
  if (std::find(std::begin(kFlags), std::end(kFlags), variable) != std::end(kFlags)) {
    return is_true_or_bool(entry);
  }
  if (!entry.value) return false;
  if (variable == "push") return is_plain_refspec(*entry.value);
  if (variable == "fetch") {
    if (entry.value->starts_with('^') && !rules.refspecs_may_be_negative) return false;
    return find_tracking_ref({*entry.value}, "HEAD").ok();
  }
  if (variable == "followremotehead") {
    constexpr std::string_view kWords[] = {"never", "create", "warn", "always"};
    return std::find(std::begin(kWords), std::end(kWords), *entry.value) != std::end(kWords);
  }
  return true;
}

// branch.<name>.*: git fails for an empty name, and some versions fail for an empty remote.
bool accepts_branch(const ConfigEntry& entry) {
  return entry.value && !entry.key.starts_with("branch..") &&
         !(entry.value->empty() && entry.key.ends_with(".remote"));
}

// diff.<driver>.*
bool accepts_diff_driver(const ConfigEntry& entry) {
  const std::string_view variable = std::string_view(entry.key).substr(entry.key.rfind('.') + 1);
  if (variable == "cachetextconv") return is_true_or_bool(entry);
  if (variable == "binary") return is_true_or_bool(entry) || *entry.value == "auto";
  return entry.value.has_value();
}

bool is_comment_string(std::string_view text) {
  return !text.empty() && text.find('\n') == std::string_view::npos;
}

// Whether this is our own hook (`git-resident fsmonitor`), which prints only the answer for git.
// git must be able to run it, without a shell.
bool is_own_monitor(const ConfigEntry& entry) {
  if (!entry.value || !entry.value->starts_with('/') || !entry.value->ends_with("/git-resident")) {
    return false;
  }
  constexpr const char* kForShell = "|&;<>()$`\\\"' \t\n*?[#~=%";
  return entry.value->find_first_of(kForShell) == std::string::npos && may_execute(*entry.value);
}

// Newer versions of git know more words.
bool is_known_word(const ConfigEntry& entry, const GitRules& rules) {
  if (entry.key == "core.fsmonitor") {
    return rules.fsmonitor_may_be_boolean || (entry.value && entry.value->empty());
  }
  if (!entry.value) return true;
  if (entry.key == "core.abbrev") {
    return rules.abbrev_may_be_off || parse_config_int(*entry.value) || *entry.value == "auto";
  }
  if (entry.key != "branch.autosetupmerge") return true;
  if (*entry.value == "inherit") return rules.tracking_may_be_inherited;
  return *entry.value != "simple" || rules.tracking_may_be_simple;
}

bool accepts_entry(const ConfigEntry& entry, const GitRules& rules) {
  std::string_view key = entry.key;
  if (key == "core.fsmonitor" && is_own_monitor(entry)) return true;
  if (!is_known_word(entry, rules)) return false;
  if (key == "status.showuntrackedfiles" && rules.untracked_mode_may_be_boolean && entry.value &&
      parse_config_bool(*entry.value)) {
    return true;
  }
  if (key.starts_with("remote.")) return accepts_remote(entry, rules);
  // git would write a trace of its work.
  if (key.starts_with("trace2.")) return false;
  if (const ConfigKey* known = find_config_key(key)) return accepts(*known, entry);
  // git reports that no remote can have such a name.
  if (key == "extensions.partialclone") return entry.value && !entry.value->starts_with('/');
  if (key == "column.ui" || key == "column.status") return accepts_column(entry);
  for (std::string_view section :
       {"color.status.", "status.color.", "color.diff.", "diff.color.", "color.advice."}) {
    if (key.starts_with(section)) return accepts_color(entry);
  }
  if (key.starts_with("advice.")) return is_true_or_bool(entry);
  const bool has_subsection = key.find('.') != key.rfind('.');
  if (has_subsection && key.starts_with("branch.")) return accepts_branch(entry);
  if (has_subsection && key.starts_with("diff.")) return accepts_diff_driver(entry);
  if (key.starts_with("filter.") && key.ends_with(".required")) return is_true_or_bool(entry);
  if (key.starts_with("submodule.") && key.ends_with(".ignore")) {
    return accepts_submodule_ignore(entry);
  }
  if (key == "core.commentchar") {
    return entry.value && (equal_bytes(*entry.value, "auto", true) || entry.value->size() == 1 ||
                           (rules.comment_may_be_string && is_comment_string(*entry.value)));
  }
  if (key == "core.commentstring") {
    return entry.value && is_comment_string(*entry.value);
  }
  if (key == "core.hookspath" || (key.starts_with("core.") && key.ends_with("file"))) {
    return entry.value && expand_config_path(*entry.value).has_value();
  }
  return entry.value.has_value() || !wants_values(key);
}

}  // namespace

// git may also print a warning and continue.
bool git_may_refuse(const Config& config, const GitRules& rules) {
  return !std::all_of(config.entries().begin(), config.entries().end(),
                      [&](const ConfigEntry& entry) { return accepts_entry(entry, rules); });
}

}  // namespace resident
