// EntryState: the state of the worktree file of one index entry. One byte, because every file has
// one.
#pragma once

#include <cstdint>

namespace resident {

class EntryState {
 public:
  // Unknown: not examined yet.
  constexpr EntryState() = default;

  // Unchanged, or git is told to assume so.
  static constexpr EntryState clean() { return EntryState(1); }
  static constexpr EntryState absent() { return EntryState(2); }
  // Clean: marked skip-worktree and missing, or not examined.
  static constexpr EntryState skipped() { return EntryState(3); }
  // A file with git's mode `mode` (0100644, 0100755, 0120000, 0160000) exists. `differs`: it counts
  // as changed; without meaning for an unmerged entry.
  static constexpr EntryState present(uint32_t mode, bool differs) {
    uint8_t code = mode == 0100644 ? 0 : mode == 0100755 ? 1 : mode == 0120000 ? 2 : 3;
    return EntryState(static_cast<uint8_t>(4 | code << 3 | (differs ? 32 : 0)));
  }

  // git itself fails on this file, so only a failure is the right answer.
  static constexpr EntryState unanswerable(uint32_t mode) {
    return EntryState(static_cast<uint8_t>(present(mode, true).bits_ | 64));
  }
  // git cannot see the file: its path is too long, or its directory has no search permission. Then
  // git reports the file as unchanged and writes a warning to standard error.
  static constexpr EntryState unseen() { return EntryState(kGitWarns); }
  // The same state, but git writes a warning to standard error each time it examines the file.
  constexpr EntryState with_warning() const { return EntryState(bits_ | kGitWarns); }
  constexpr bool git_warns() const { return (bits_ & kGitWarns) != 0; }

  constexpr bool is_known() const { return bits_ != 0; }
  // Clean: status prints no row.
  constexpr bool is_clean() const { return bits_ == 1 || is_skipped(); }
  constexpr bool is_skipped() const { return bits_ == 3; }
  constexpr bool is_absent() const { return bits_ == 2; }
  constexpr bool is_present() const { return (bits_ & 4) != 0; }
  constexpr bool is_unseen() const { return bits_ == kGitWarns; }
  constexpr bool differs() const { return (bits_ & 32) != 0; }
  constexpr bool is_unanswerable() const { return (bits_ & 64) != 0; }
  // Only for is_present().
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
