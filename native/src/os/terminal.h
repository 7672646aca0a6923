// Terminal: the second screen of a terminal, and its keys.
//
// Between enter() and leave() the terminal shows the second screen, without a cursor and without
// line wrapping. It delivers each key at once, without an echo. Ctrl-C, Ctrl-Z and Ctrl-S keep
// their effect. leave() restores all modes exactly. The handlers that enter() installs do the same
// if a signal ends the program with a core dump. Only one Terminal may exist at a time.
//
// No call waits for a terminal that accepts no output. Unwritten bytes are kept until it accepts
// them, and leave() gives up after a timeout.
//
// A port supplies the class. It gets bytes for a terminal that understands xterm's sequences.
//
// Threads: one; the signal handlers run on any thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/unique_fd.h"

namespace resident {

class Terminal {
 public:
  // Opens the terminal of `fd`. The caller keeps `fd`; it stays in blocking mode, because others
  // share it.
  static Result<Terminal> open(int fd);
  Terminal(Terminal&&) noexcept;
  ~Terminal();

  // Call it also after the program was stopped and continued. If the modes changed meanwhile,
  // leave() restores the new modes.
  Result<void> enter();
  void leave();

  // The descriptor for wait_for().
  int fd() const { return fd_.get(); }

  struct Size {
    size_t rows = 24;
    size_t columns = 80;
    friend bool operator==(const Size&, const Size&) = default;
  };
  Size size() const;

  // Returns the keys that are available now. Fails if the terminal is gone.
  Result<std::string> read();

  // Whether bytes for the terminal are still unwritten.
  bool is_writing() const { return !unwritten_.empty(); }
  void write(std::string_view bytes) { unwritten_ += bytes; }
  // Writes as much as the terminal accepts now. Fails if the terminal is gone.
  Result<void> flush();

 private:
  struct Modes;

  explicit Terminal(UniqueFd fd);

  UniqueFd fd_;
  bool is_entered_ = false;
  std::unique_ptr<Modes> modes_;  // our modes, as the terminal reports them
  std::string unwritten_;
};

}  // namespace resident
