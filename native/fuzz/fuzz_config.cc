// Any bytes as output of `git config --list -z --show-origin --show-scope`; every value goes
// through every reader of values.
#include <string>

#include "config/config.h"
#include "config/config_files.h"
#include "config/config_listing.h"
#include "config/config_value.h"
#include "filter/conversion_config.h"
#include "fuzz/fuzz_target.h"
#include "git/git_rules.h"
#include "porcelain/colors.h"
#include "porcelain/config_check.h"

namespace resident {
namespace {

void check_value(const std::string& value) {
  const auto number = parse_config_int(value);
  if (number) {
    expect(parse_config_int(std::to_string(*number)) == number);
    const auto flag = parse_config_bool(value);
    if (flag) expect(*flag == (*number != 0));
  }
  if (const auto color = parse_color(value)) {
    expect(color->empty() || (color->starts_with("\033[") && color->ends_with('m')));
  }
  const auto path = expand_config_path(value);
  if (!value.starts_with('~') && !value.starts_with("%(prefix)/")) expect(path == value);
}

void check_entry(const Config& config, const ConfigEntry& entry) {
  expect(canonical_config_key(canonical_config_key(entry.key)) == canonical_config_key(entry.key));
  if (is_include_key(entry.key)) (void)include_target(entry);
  if (entry.value) check_value(*entry.value);
  if (canonical_config_key(entry.key) != entry.key) return;  // git prints no such key
  const ConfigEntry* last = config.find(entry.key);
  expect(last != nullptr && last->key == entry.key);
  expect(config.get(entry.key) == config.get_all(entry.key).back());
  (void)config.get_bool(entry.key);
  (void)config.get_int(entry.key);
}

const FuzzTarget config_target("config", [](Bytes bytes) {
  Result<std::vector<ConfigEntry>> entries = parse_config_listing(as_text(bytes), "/worktree");
  if (!entries.ok()) return;
  const Config config = Config::from_entries(*std::move(entries));
  for (const ConfigEntry& entry : config.entries()) check_entry(config, entry);
  (void)ConversionConfig::read(config);
  (void)palette_from(config);
  (void)color_choice_from(config);
  // Rules of the newest and of the oldest git.
  for (const GitRules& rules : {GitRules(), git_rules(kOldestGit)}) {
    (void)git_may_refuse(config, rules);
  }
});

}  // namespace
}  // namespace resident
