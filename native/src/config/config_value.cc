#include "config/config_value.h"

#include <cerrno>
#include <cinttypes>
#include <climits>
#include <cstdlib>
#include <limits>

#include "base/ascii.h"
#include "base/cut_text.h"
#include "fs/real_path.h"
#include "os/user.h"

namespace resident {

namespace {

bool is_one_of_ignoring_case(std::string_view value,
                             std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (equal_bytes(value, word, true)) return true;
  }
  return false;
}

int64_t unit_factor(const char* suffix) {
  if (*suffix == '\0') return 1;
  if (suffix[1] != '\0') return 0;
  switch (ascii_lower(*suffix)) {
    case 'k':
      return int64_t{1} << 10;
    case 'm':
      return int64_t{1} << 20;
    case 'g':
      return int64_t{1} << 30;
    default:
      return 0;
  }
}

// "": the user of this process.
std::optional<std::string> home_directory(const std::string& user) {
  if (!user.empty()) return home_of(user);
  const char* home = std::getenv("HOME");
  return home ? std::optional<std::string>(home) : std::nullopt;
}

}  // namespace

std::string canonical_config_key(std::string_view key) {
  std::string canonical(key);
  size_t first = canonical.find('.');
  if (first == std::string::npos) first = canonical.size();
  size_t last = canonical.rfind('.');
  for (size_t i = 0; i < canonical.size(); ++i) {
    if (i < first || i > last) canonical[i] = ascii_lower(canonical[i]);
  }
  return canonical;
}

std::optional<bool> parse_config_bool(std::string_view value) {
  if (value.empty() || is_one_of_ignoring_case(value, {"false", "no", "off"})) return false;
  if (is_one_of_ignoring_case(value, {"true", "yes", "on"})) return true;
  std::optional<int64_t> number = parse_config_int(value);
  if (!number || *number > INT_MAX || *number < -INT_MAX) return std::nullopt;
  return *number != 0;
}

std::optional<int64_t> parse_config_int(std::string_view value) {
  std::string text(value);
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  intmax_t number = std::strtoimax(text.c_str(), &end, 0);
  if (errno == ERANGE || end == text.c_str()) return std::nullopt;
  int64_t factor = unit_factor(end);
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  if (factor == 0 || number > kMax / factor || number < -kMax / factor) return std::nullopt;
  return number * factor;
}

std::optional<std::string> expand_config_path(std::string_view value) {
  constexpr std::string_view kPrefix = "%(prefix)/";
  if (value.starts_with(kPrefix)) {
    return git_installation_prefix() + "/" + std::string(value.substr(kPrefix.size()));
  }
  if (!value.starts_with('~')) return std::string(value);
  size_t slash = value.find('/');
  if (slash == std::string_view::npos) slash = value.size();
  std::optional<std::string> home = home_directory(std::string(value.substr(1, slash - 1)));
  if (!home) return std::nullopt;
  return *home + std::string(value.substr(slash));
}

std::string git_installation_prefix() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::string candidate = std::string(cut(rest, ':')) + "/git";
    if (!may_execute(candidate)) continue;
    std::string prefix = real_path(candidate);
    if (prefix.empty()) continue;
    for (int level = 0; level < 2; ++level) {
      size_t slash = prefix.rfind('/');
      prefix.resize(slash == std::string::npos ? 0 : slash);
    }
    return prefix;
  }
  return {};
}

}  // namespace resident
