// ChangeJournal: which names in a worktree may have changed since which step.
//
// A token stands for a moment: the journal's identity (of this journal alone, in any process), its
// generation and a step, and may have a serial number of its own. A new generation begins where it
// is not known what changed; a token of another one, of another journal, or of before what is still
// remembered means everything. More than what changed may be told, less never.
//
// Nothing is noted before the first token is given: nobody could ask.
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
  // Beyond either, the older half is forgotten.
  struct Limits {
    size_t names = 65'536;
    size_t bytes = size_t{8} << 20;
  };

  ChangeJournal() : ChangeJournal(Limits()) {}
  explicit ChangeJournal(const Limits& limits);

  // `path` from the root; one that ends in '/' is a directory and everything below. "" is
  // everything.
  void note(std::string_view path);
  // Something may be otherwise in the submodule at `path`, though not its name.
  void record_submodule(std::string_view path);
  // Everything may have changed.
  void restart();

  // What is noted from now on is after this token. `given_all`: its asker is told everything.
  std::string issue_token(bool given_all);
  // The same, but equal to no other token: whoever shows it is the one to whom it was given.
  std::string issue_own_token(bool given_all);
  // A token that is nobody's.
  static std::string no_token() { return "resident:none"; }
  // True for the token of any journal whose asker is told only changes by the next answer.
  static bool is_told_only_changes(std::string_view token);

  struct Since {
    // Until the next note; each once, the oldest change first.
    std::vector<std::string_view> names;
    std::vector<std::string_view> submodules;
    bool given_all = false;  // what the asker was told with the token
  };
  // nullopt: everything.
  std::optional<Since> since(std::string_view token) const;

 private:
  struct Noted {
    uint64_t step;
    const std::string* name;  // a key of last_
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
  bool asked_ = false;      // a token was given
  uint64_t step_ = 0;       // of the last token; notes are of the next one
  uint64_t serial_ = 0;     // of the last token of its own
  uint64_t forgotten_ = 0;  // the last step of which something is not remembered
  bool is_open_ = false;    // something was noted since the last token
  std::unordered_map<std::string, uint64_t> last_;  // name -> last step
  size_t bytes_ = 0;
  // By step. A name that was noted again stands here twice for a while.
  std::vector<Noted> log_;
};

}  // namespace resident
