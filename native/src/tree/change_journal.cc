#include "tree/change_journal.h"

#include <algorithm>
#include <charconv>
#include <random>

namespace resident {

namespace {

constexpr std::string_view kPrefix = "resident:";
constexpr std::string_view kGivenAll = ":all";
// Of a submodule's name in the journal: no path ends so.
constexpr std::string_view kInside = "//";
// As malloc gives them: a node of the map, its share of the table, a place in the log.
constexpr size_t kNameCost = 112;

size_t cost_of(const std::string& name) {
  return kNameCost + (name.size() <= std::string().capacity() ? 0 : name.size() + 24);
}

std::string new_identity() {
  std::random_device random;
  std::string identity;
  for (int word = 0; word < 4; ++word) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    uint32_t bits = random();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) identity += kDigits[bits & 15];
  }
  return identity;
}

bool parse_number(std::string_view& text, uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

ChangeJournal::ChangeJournal(const Limits& limits) : limits_(limits), identity_(new_identity()) {
}

void ChangeJournal::note(std::string_view path) {
  if (path.empty()) return restart();
  if (!asked_) return;
  is_open_ = true;
  const auto [known, is_new] = last_.try_emplace(std::string(path), 0);
  const uint64_t step = step_ + 1;
  if (known->second == step) return;
  known->second = step;
  log_.push_back({step, &known->first});
  if (is_new) bytes_ += cost_of(known->first);
  if (last_.size() > limits_.names || bytes_ > limits_.bytes) {
    forget_older_half();
  } else if (log_.size() > 2 * last_.size() + 64) {
    drop_repeated();
  }
}

void ChangeJournal::record_submodule(std::string_view path) {
  note(std::string(path).append(kInside));
}

void ChangeJournal::restart() {
  ++generation_;
  log_.clear();
  last_.clear();
  bytes_ = 0;
}

std::string ChangeJournal::issue_token(bool given_all) {
  return make_token(given_all, 0);
}

std::string ChangeJournal::issue_own_token(bool given_all) {
  return make_token(given_all, ++serial_);
}

bool ChangeJournal::is_told_only_changes(std::string_view token) {
  return token.starts_with(kPrefix) && !token.ends_with(kGivenAll) && token != no_token();
}

std::string ChangeJournal::make_token(bool given_all, uint64_t serial) {
  asked_ = true;
  if (is_open_) ++step_;
  is_open_ = false;
  std::string token(kPrefix);
  token.append(identity_).append(":").append(std::to_string(generation_));
  token.append(":").append(std::to_string(step_));
  if (serial != 0) token.append(".").append(std::to_string(serial));
  if (given_all) token += kGivenAll;
  return token;
}

std::optional<ChangeJournal::Position> ChangeJournal::parse(std::string_view token) const {
  const std::string ours = std::string(kPrefix) + identity_ + ":";
  if (!token.starts_with(ours)) return std::nullopt;
  token.remove_prefix(ours.size());
  uint64_t generation = 0;
  Position moment{};
  if (!parse_number(token, generation) || generation != generation_) return std::nullopt;
  if (!token.starts_with(':')) return std::nullopt;
  token.remove_prefix(1);
  if (!parse_number(token, moment.step)) return std::nullopt;
  if (token.starts_with('.')) {
    token.remove_prefix(1);
    uint64_t serial = 0;
    if (!parse_number(token, serial) || serial == 0 || serial > serial_) return std::nullopt;
  }
  moment.given_all = token == kGivenAll;
  if (!token.empty() && !moment.given_all) return std::nullopt;
  return moment;
}

std::optional<ChangeJournal::Since> ChangeJournal::since(std::string_view token) const {
  const std::optional<Position> moment = parse(token);
  if (!moment || !asked_ || moment->step > step_ || moment->step < forgotten_) return std::nullopt;
  Since since;
  since.given_all = moment->given_all;
  const auto first =
      std::upper_bound(log_.begin(), log_.end(), moment->step,
                       [](uint64_t step, const Noted& noted) { return step < noted.step; });
  for (auto noted = first; noted != log_.end(); ++noted) {
    if (!is_last(*noted)) continue;
    std::string_view name = *noted->name;
    const bool is_inside = name.ends_with(kInside);
    if (is_inside) name.remove_suffix(kInside.size());
    (is_inside ? since.submodules : since.names).push_back(name);
  }
  return since;
}

void ChangeJournal::drop_repeated() {
  std::erase_if(log_, [this](const Noted& noted) { return !is_last(noted); });
}

void ChangeJournal::forget_older_half() {
  drop_repeated();
  const auto end = log_.begin() + static_cast<std::ptrdiff_t>((log_.size() + 1) / 2);
  for (auto noted = log_.begin(); noted != end; ++noted) {
    forgotten_ = noted->step;
    bytes_ -= cost_of(*noted->name);
    last_.erase(last_.find(*noted->name));
  }
  log_.erase(log_.begin(), end);
}

}  // namespace resident
