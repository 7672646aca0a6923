// EntryState: how the worktree stands to one index entry, in one byte, since there is one for every
// file.
#pragma once

#include <cstdint>

namespace resident {

class EntryState {
 public:
  // Not looked at.
  constexpr EntryState() = default;

  // The worktree has what the index says, or git is told to believe so.
  static constexpr EntryState clean() { return EntryState(1); }
  static constexpr EntryState absent() { return EntryState(2); }
  // Clean, because it is marked skip-worktree and not there (or not to be looked for).
  static constexpr EntryState skipped() { return EntryState(3); }
  // There is something of git mode `mode` (0100644, 0100755, 0120000, 0160000); `differs`: it
  // counts as changed. For an unmerged entry `differs` means nothing.
  static constexpr EntryState present(uint32_t mode, bool differs) {
    uint8_t code = mode == 0100644 ? 0 : mode == 0100755 ? 1 : mode == 0120000 ? 2 : 3;
    return EntryState(static_cast<uint8_t>(4 | code << 3 | (differs ? 32 : 0)));
  }

  // A file of which git itself cannot tell whether it changed: its answer is a failure.
  static constexpr EntryState unanswerable(uint32_t mode) {
    return EntryState(static_cast<uint8_t>(present(mode, true).bits_ | 64));
  }
  // It cannot be seen (a path too long, a directory that may not be searched): git reports it as
  // unchanged, and says so on standard error.
  static constexpr EntryState unseen() { return EntryState(kGitWarns); }
  // The same, where git says something about it on standard error each time that it looks.
  constexpr EntryState with_warning() const { return EntryState(bits_ | kGitWarns); }
  constexpr bool git_warns() const { return (bits_ & kGitWarns) != 0; }

  constexpr bool is_known() const { return bits_ != 0; }
  // Clean: no row.
  constexpr bool is_clean() const { return bits_ == 1 || is_skipped(); }
  constexpr bool is_skipped() const { return bits_ == 3; }
  constexpr bool is_absent() const { return bits_ == 2; }
  constexpr bool is_present() const { return (bits_ & 4) != 0; }
  constexpr bool is_unseen() const { return bits_ == kGitWarns; }
  constexpr bool differs() const { return (bits_ & 32) != 0; }
  constexpr bool is_unanswerable() const { return (bits_ & 64) != 0; }
  // Of a present one.
  constexpr uint32_t mode() const {
    constexpr uint32_t kModes[] = {0100644, 0100755, 0120000, 0160000};
    return kModes[bits_ >> 3 & 3];
  }
  friend constexpr bool operator==(EntryState, EntryState) = default;

 private:
  static constexpr uint8_t kGitWarns = 128;
  explicit constexpr EntryState(uint8_t bits) : bits_(bits) {}
  uint8_t bits_ = 0;
};

}  // namespace resident
