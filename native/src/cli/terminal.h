// Terminal: the second screen of a terminal, and the keys that it sends.
//
// Between enter() and leave() it shows the second screen, without a cursor and without wrapping
// lines, and hands keys over one by one, without an echo; Ctrl-C, Ctrl-Z and Ctrl-S work as before.
// leave() restores all of it exactly, and so does a signal that ends the program with a core dump
// (handlers that enter() installs). One Terminal at a time.
//
// Nothing here waits for a terminal that takes nothing: what is to be written is kept until it
// does, and leave() gives up after a while.
//
// Threads: one; the handlers run on any.
#pragma once

#include <termios.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace resident {

class Terminal {
 public:
  // Of the terminal behind `fd`, which stays the caller's and is left blocking: others share it.
  static Result<Terminal> open(int fd);
  Terminal(Terminal&&) = default;
  ~Terminal();

  // Also after the program was stopped and goes on, whoever has changed the modes meanwhile: they
  // are what leave() restores then.
  Result<void> enter();
  void leave();

  // For poll().
  int fd() const { return fd_.get(); }

  struct Size {
    size_t rows = 24;
    size_t columns = 80;
    friend bool operator==(const Size&, const Size&) = default;
  };
  Size size() const;

  // The keys that wait; an error where the terminal is gone.
  Result<std::string> read();

  // Bytes on their way to the terminal.
  bool is_writing() const { return !unwritten_.empty(); }
  void write(std::string_view bytes) { unwritten_ += bytes; }
  // Writes what the terminal takes now. An error where it is gone.
  Result<void> flush();

 private:
  explicit Terminal(UniqueFd fd) : fd_(std::move(fd)) {}

  UniqueFd fd_;
  bool is_entered_ = false;
  termios modes_ = {};  // ours, as the terminal has them
  std::string unwritten_;
};

}  // namespace resident
