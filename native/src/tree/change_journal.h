// ChangeJournal: records the names in a worktree that may have changed, by step.
//
// A token has the journal's identity (unique in all processes), its generation and a step, and
// optionally a serial number. A new generation begins if the changed names are unknown. A token of
// another generation or journal, or of a forgotten step, means that any name may have changed. The
// names from since() may be too many, but never too few.
//
// Nothing is recorded before the first token is issued, because no caller could ask.
//
// Threads: one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace resident {

class ChangeJournal {
 public:
  // Beyond either limit, the older half is forgotten.
  struct Limits {
    size_t names = 65'536;
    size_t bytes = size_t{8} << 20;
  };

  ChangeJournal() : ChangeJournal(Limits()) {}
  explicit ChangeJournal(const Limits& limits);

  // `path` is from the root. With a '/' at its end it means a directory and everything below. ""
  // means everything.
  void note(std::string_view path);
  // The state of the submodule at `path` may have changed, but not its name.
  void record_submodule(std::string_view path);
  // Any name may have changed. Starts a new generation.
  void restart();

  // Later changes belong to the next step. The token stores `given_all`: its asker got the answer
  // that anything may have changed.
  std::string issue_token(bool given_all);
  // The same, but unique: only the caller that got this token can send it.
  std::string issue_own_token(bool given_all);
  // A token that is never issued.
  static std::string no_token() { return "resident:none"; }
  // True for a token of any journal without `given_all`: the next answer to its asker lists only
  // changes.
  static bool is_told_only_changes(std::string_view token);

  struct Since {
    // Valid until the next note(). Each name is listed once, the oldest change first.
    std::vector<std::string_view> names;
    std::vector<std::string_view> submodules;
    bool given_all = false;  // stored in the token
  };
  // nullopt: any name may have changed.
  std::optional<Since> since(std::string_view token) const;

 private:
  struct Noted {
    uint64_t step;
    const std::string* name;  // points to a key of last_
  };
  struct Position {
    uint64_t step;
    bool given_all;
  };
  std::string make_token(bool given_all, uint64_t serial);
  std::optional<Position> parse(std::string_view token) const;
  bool is_last(const Noted& noted) const { return last_.at(*noted.name) == noted.step; }
  void drop_repeated();
  void forget_older_half();

  const Limits limits_;
  std::string identity_;
  uint64_t generation_ = 1;
  bool asked_ = false;      // a token was issued
  uint64_t step_ = 0;       // step of the last token; new notes belong to the next step
  uint64_t serial_ = 0;     // last serial number
  uint64_t forgotten_ = 0;  // the last step with forgotten names
  bool is_open_ = false;    // something was recorded since the last token
  std::unordered_map<std::string, uint64_t> last_;  // name -> its last step
  size_t bytes_ = 0;
  // Sorted by step. A name that changed again has several elements until drop_repeated().
  std::vector<Noted> log_;
};

}  // namespace resident
