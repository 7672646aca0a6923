#include "cli/terminal_keys.h"

#include <gtest/gtest.h>

#include <vector>

namespace resident {
namespace {

std::vector<Key> keys_of(std::string_view bytes, size_t piece) {
  KeyReader reader;
  std::vector<Key> keys;
  for (size_t at = 0; at < bytes.size(); at += piece) {
    reader.add(bytes.substr(at, piece));
    while (const std::optional<Key> key = reader.next()) keys.push_back(*key);
  }
  return keys;
}

TEST(TerminalKeys, AreTakenWhole) {
  struct {
    std::string_view bytes;
    std::vector<Key> keys;
  } const cases[] = {
      {"q", {Key::kQuit}},
      {"\003", {Key::kQuit}},
      {"\033[A\033[B", {Key::kUp, Key::kDown}},
      {"\033OA\033OB", {Key::kUp, Key::kDown}},
      {"\033[1;5A", {Key::kUp}},
      {"\033[5~\033[6;2~", {Key::kPageUp, Key::kPageDown}},
      {"\033[H\033[F\033OH\033OF", {Key::kHome, Key::kEnd, Key::kHome, Key::kEnd}},
      {"\033[1~\033[4~\033[7~\033[8~", {Key::kHome, Key::kEnd, Key::kHome, Key::kEnd}},
      {"jk b gG\f",
       {Key::kDown, Key::kUp, Key::kPageDown, Key::kPageUp, Key::kPageDown, Key::kHome, Key::kEnd,
        Key::kRedraw}},
      // Input without a meaning here.
      {"xyz\r\n\t\xff", {}},
      {"\033[3~\033[200~\033OP\033[?1;2cq", {Key::kQuit}},
      // The Escape key, and a key after it.
      {"\033q", {Key::kQuit}},
      {"\033\033[A", {Key::kUp}},
      // A sequence that another key interrupts.
      {"\033[12\003", {Key::kQuit}},
      {"\033[1\xff"
       "q",
       {Key::kQuit}},
  };
  for (const auto& [bytes, keys] : cases) {
    for (size_t piece = 1; piece <= bytes.size(); ++piece) {
      EXPECT_EQ(keys_of(bytes, piece), keys) << bytes << " " << piece;
    }
  }
}

TEST(TerminalKeys, ASequenceWithoutEndIsPassedOver) {
  EXPECT_EQ(keys_of("\033[" + std::string(100'000, '1') + "q", 1000), std::vector<Key>{Key::kQuit});
}

}  // namespace
}  // namespace resident
