#include "porcelain/colors.h"

#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/cut_text.h"
#include "config/config_value.h"

namespace resident {

namespace {

bool same_word(std::string_view word, std::string_view expected) {
  return equal_bytes(word, expected, true);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view next_word(std::string_view& text) {
  size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// The parameters of a colour in the foreground ("31", "38;5;200") and in the background. Both are
// empty for "normal".
struct Color {
  std::string foreground;
  std::string background;
};

Color ansi(int number) {
  return {std::to_string(number), std::to_string(number + 10)};
}

std::optional<Color> named_color(std::string_view word) {
  if (same_word(word, "normal")) return Color{};
  if (same_word(word, "default")) return ansi(39);
  int base = 30;
  if (word.size() >= 6 && same_word(word.substr(0, 6), "bright")) {
    base = 90;
    word.remove_prefix(6);
  }
  constexpr std::string_view kNames[] = {"black", "red",     "green", "yellow",
                                         "blue",  "magenta", "cyan",  "white"};
  for (int i = 0; i < 8; ++i) {
    if (same_word(word, kNames[i])) return ansi(base + i);
  }
  return std::nullopt;
}

std::optional<Color> rgb_color(std::string_view word) {
  if (word.size() != 7 || word[0] != '#') return std::nullopt;
  std::string parameters;
  for (size_t i = 1; i < 7; i += 2) {
    unsigned value = 0;
    if (!parse_number(word.substr(i, 2), value, 16)) return std::nullopt;
    parameters += ";" + std::to_string(value);
  }
  return Color{"38;2" + parameters, "48;2" + parameters};
}

std::optional<Color> numbered_color(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  int number = 0;
  if (!parse_number(word, number) || number < -1 || number > 255) return std::nullopt;
  if (number == -1) return Color{};
  if (number < 8) return ansi(30 + number);
  if (number < 16) return ansi(90 + number - 8);
  return Color{"38;5;" + std::to_string(number), "48;5;" + std::to_string(number)};
}

std::optional<Color> color_word(std::string_view word) {
  if (auto color = rgb_color(word)) return color;
  if (auto color = named_color(word)) return color;
  return numbered_color(word);
}

std::optional<int> attribute_word(std::string_view word) {
  struct Attribute {
    std::string_view name;
    int on;
    int off;
  };
  constexpr Attribute kAttributes[] = {{"bold", 1, 22},  {"dim", 2, 22},   {"italic", 3, 23},
                                       {"ul", 4, 24},    {"blink", 5, 25}, {"reverse", 7, 27},
                                       {"strike", 9, 29}};
  bool negated = word.starts_with("no");
  if (negated) word.remove_prefix(word.starts_with("no-") ? 3 : 2);
  for (const Attribute& attribute : kAttributes) {
    if (word == attribute.name) return negated ? attribute.off : attribute.on;
  }
  return std::nullopt;
}

std::string* slot_of(StatusPalette& palette, std::string_view name) {
  if (same_word(name, "header")) return &palette.header;
  if (same_word(name, "updated") || same_word(name, "added")) return &palette.updated;
  if (same_word(name, "changed")) return &palette.changed;
  if (same_word(name, "untracked")) return &palette.untracked;
  if (same_word(name, "nobranch")) return &palette.no_branch;
  if (same_word(name, "unmerged")) return &palette.unmerged;
  if (same_word(name, "localbranch")) return &palette.local_branch;
  if (same_word(name, "remotebranch")) return &palette.remote_branch;
  if (same_word(name, "branch")) return &palette.on_branch.emplace();
  return nullptr;
}

std::optional<ColorChoice> choice_of(const ConfigEntry& entry) {
  if (!entry.value) return ColorChoice::kAuto;
  if (same_word(*entry.value, "never")) return ColorChoice::kNever;
  if (same_word(*entry.value, "always")) return ColorChoice::kAlways;
  if (same_word(*entry.value, "auto")) return ColorChoice::kAuto;
  std::optional<bool> flag = parse_config_bool(*entry.value);
  if (!flag) return std::nullopt;
  return *flag ? ColorChoice::kAuto : ColorChoice::kNever;
}

}  // namespace

std::optional<std::string> parse_color(std::string_view value) {
  bool reset = false;
  std::optional<Color> foreground, background;
  uint32_t attributes = 0;
  for (std::string_view word = next_word(value); !word.empty(); word = next_word(value)) {
    if (same_word(word, "reset")) {
      reset = true;
    } else if (auto color = color_word(word)) {
      if (foreground && background) return std::nullopt;
      (foreground ? background : foreground) = std::move(color);
    } else if (auto attribute = attribute_word(word)) {
      attributes |= uint32_t{1} << *attribute;
    } else {
      return std::nullopt;
    }
  }
  std::string parameters;
  // A reset is an empty first parameter.
  bool first = !reset;
  auto add = [&](const std::string& parameter) {
    if (parameter.empty()) return;
    if (!first) parameters += ';';
    first = false;
    parameters += parameter;
  };
  for (int i = 0; i < 32; ++i) {
    if (attributes & (uint32_t{1} << i)) add(std::to_string(i));
  }
  if (foreground) add(foreground->foreground);
  if (background) add(background->background);
  if (parameters.empty() && !reset) return std::string();
  return "\033[" + parameters + "m";
}

std::optional<StatusPalette> palette_from(const Config& config) {
  StatusPalette palette;
  for (const ConfigEntry& entry : config.entries()) {
    std::string_view name = entry.key;
    constexpr std::string_view kSections[] = {"color.status.", "status.color."};
    for (std::string_view section : kSections) {
      if (!name.starts_with(section)) continue;
      std::string* slot = slot_of(palette, name.substr(section.size()));
      if (!slot) continue;
      std::optional<std::string> color;
      if (entry.value) color = parse_color(*entry.value);
      if (!color) return std::nullopt;
      *slot = *std::move(color);
    }
  }
  return palette;
}

std::optional<ColorChoice> color_choice_from(const Config& config) {
  std::optional<ColorChoice> status, ui;
  for (const ConfigEntry& entry : config.entries()) {
    bool is_status = entry.key == "color.status" || entry.key == "status.color";
    if (!is_status && entry.key != "color.ui") continue;
    std::optional<ColorChoice> choice = choice_of(entry);
    if (!choice) return std::nullopt;
    (is_status ? status : ui) = choice;
  }
  if (status) return status;
  return ui.value_or(ColorChoice::kAuto);
}

}  // namespace resident
