// Tables and stacks of them, made by ReftableWriter.
#include <gtest/gtest.h>

#include <filesystem>

#include "fs/linux/posix_file_system.h"
#include "refs/reftable_stack.h"
#include "testing/counting_file_system.h"
#include "testing/reftable_writer.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::CountingFileSystem;
using testing::ReftableLayout;
using testing::ReftableWriter;
using testing::RepoBuilder;
using testing::with_right_checksum;
using testing::write_reftables;
using testing::write_whole_file;

ObjectId numbered(size_t number, HashAlgorithm algorithm = HashAlgorithm::kSha1) {
  std::string hex = std::to_string(number + 1);
  hex.insert(0, 2 * hash_size(algorithm) - hex.size(), '0');
  return *ObjectId::from_hex(hex);
}

std::string branch(size_t number) {
  std::string digits = std::to_string(number);
  return "refs/heads/topic/" + std::string(6 - digits.size(), '0') + digits;
}

class ReftableTest : public ::testing::Test {
 protected:
  ReftableStack stack(HashAlgorithm algorithm = HashAlgorithm::kSha1) {
    return ReftableStack(directory_.root(), algorithm, posix_file_system());
  }
  void write(const std::vector<std::string>& tables) { write_reftables(directory_.root(), tables); }
  std::string list() const { return directory_.path("reftable/tables.list"); }

  // "<name>=<hex id or target>", by name.
  static std::vector<std::string> refs_from(ReftableStack& stack, const std::string& from) {
    std::vector<std::string> refs;
    auto visited = stack.visit(ReftableSection::kRefs, from, [&](const ReftableRecord& record) {
      refs.push_back(record.key + "=" + (record.ref.id ? record.ref.id->hex() : record.ref.target));
      return true;
    });
    if (!visited.ok()) refs.push_back(visited.error().message);
    return refs;
  }
  static std::optional<RawRef> find(ReftableStack& stack, const std::string& name) {
    std::optional<RawRef> found;
    auto visited = stack.visit(ReftableSection::kRefs, name, [&](const ReftableRecord& record) {
      if (record.key == name) found = record.ref;
      return false;
    });
    EXPECT_TRUE(visited.ok()) << visited.error().message;
    return found;
  }
  static Result<void> look(ReftableStack& stack) {
    return stack.visit(ReftableSection::kRefs, "", [](const ReftableRecord&) { return true; });
  }
  // The messages of a ref's log, newest first.
  static std::vector<std::string> log_of(ReftableStack& stack, const std::string& name) {
    std::vector<std::string> messages;
    const std::string prefix = name + '\0';
    auto visited = stack.visit(ReftableSection::kLogs, prefix, [&](const ReftableRecord& record) {
      if (!record.key.starts_with(prefix)) return false;
      messages.emplace_back(record.log.message);
      return true;
    });
    EXPECT_TRUE(visited.ok()) << visited.error().message;
    return messages;
  }

  RepoBuilder directory_;  // in place of a git directory
};

TEST_F(ReftableTest, EveryLayoutIsSearched) {
  constexpr size_t kRefs = 1500;
  for (const HashAlgorithm algorithm : {HashAlgorithm::kSha1, HashAlgorithm::kSha256}) {
    for (const uint32_t block_size : {200u, 1024u, 65536u}) {
      for (const bool padded : {true, false}) {
        for (const size_t index_from : {size_t{1}, size_t{4}, kRefs}) {
          ReftableLayout layout;
          layout.algorithm = algorithm;
          layout.version = algorithm == HashAlgorithm::kSha1 ? 1 : 2;
          layout.block_size = block_size;
          layout.padded = padded;
          layout.index_from = index_from;
          layout.restart_interval = index_from == 4 ? 16 : 3;
          layout.top_level = index_from == 4 ? 3 : 1;
          ReftableWriter writer(layout);
          for (size_t i = 0; i < kRefs; ++i) writer.ref(branch(2 * i), numbered(i, algorithm));
          write({writer.bytes()});
          ReftableStack refs = stack(algorithm);
          for (size_t i = 0; i < kRefs; i += i < 100 ? 1 : 61) {
            const auto found = find(refs, branch(2 * i));
            ASSERT_TRUE(found) << branch(2 * i) << " " << block_size << padded << index_from;
            EXPECT_EQ(found->id, numbered(i, algorithm));
            EXPECT_FALSE(find(refs, branch(2 * i + 1)));
          }
          EXPECT_TRUE(find(refs, branch(2 * (kRefs - 1))));
          EXPECT_FALSE(find(refs, "aaa"));
          EXPECT_FALSE(find(refs, "refs/heads/topic"));
          EXPECT_FALSE(find(refs, "zzz"));
          EXPECT_EQ(refs_from(refs, "").size(), kRefs);
          EXPECT_EQ(refs_from(refs, branch(2 * kRefs - 11)).size(), 5u);
        }
      }
    }
  }
}

TEST_F(ReftableTest, EveryKindOfRef) {
  write({ReftableWriter({.version = 2})
             .ref("refs/heads/main", numbered(1))
             .tag("refs/tags/v1", numbered(2), numbered(3))
             .symbolic("HEAD", "refs/heads/main")
             .bytes()});
  ReftableStack refs = stack();
  EXPECT_EQ(refs_from(refs, ""), (std::vector<std::string>{"HEAD=refs/heads/main",
                                                           "refs/heads/main=" + numbered(1).hex(),
                                                           "refs/tags/v1=" + numbered(2).hex()}));
  EXPECT_EQ(find(refs, "refs/tags/v1")->peeled, numbered(3));
  EXPECT_EQ(find(refs, "refs/heads/main")->peeled, std::nullopt);
}

TEST_F(ReftableTest, ANewerTableHidesAnOlderOne) {
  write({ReftableWriter().ref("a", numbered(1)).ref("b", numbered(1)).ref("c", numbered(1)).bytes(),
         ReftableWriter().ref("b", numbered(2)).deletion("c").deletion("d").bytes(),
         ReftableWriter().deletion("b").ref("d", numbered(3)).bytes(), ReftableWriter().bytes()});
  ReftableStack refs = stack();
  EXPECT_EQ(refs_from(refs, ""),
            (std::vector<std::string>{"a=" + numbered(1).hex(), "d=" + numbered(3).hex()}));
  EXPECT_FALSE(find(refs, "b"));
  // Compacted into one.
  write({ReftableWriter().ref("a", numbered(1)).ref("d", numbered(3)).bytes()});
  EXPECT_EQ(refs_from(refs, "b"), std::vector<std::string>{"d=" + numbered(3).hex()});
  std::filesystem::remove_all(directory_.path("reftable"));
  EXPECT_EQ(refs_from(refs, ""), std::vector<std::string>());
}

TEST_F(ReftableTest, LogsNewestFirst) {
  for (const size_t index_from : {size_t{1}, size_t{1000}}) {
    for (const bool has_refs : {true, false}) {
      ReftableLayout layout;
      layout.block_size = 512;
      layout.index_from = index_from;
      ReftableWriter old_table(layout), new_table(layout);
      for (size_t i = 0; has_refs && i < 40; ++i) old_table.ref(branch(i), numbered(i));
      for (uint64_t update = 1; update <= 60; ++update) {
        const std::string words = "update " + std::to_string(update) + std::string(40, 'x');
        old_table.log("HEAD", update, numbered(update), numbered(update + 1), words);
        old_table.log("HEAD2", update, numbered(update), numbered(update + 1), words);
      }
      new_table.log_deletion("HEAD", 60).log("HEAD", 61, numbered(61), numbered(62), "last");
      write({old_table.bytes(), new_table.bytes()});
      ReftableStack refs = stack();
      const std::vector<std::string> log = log_of(refs, "HEAD");
      ASSERT_EQ(log.size(), 60u);
      EXPECT_EQ(log[0], "last");
      EXPECT_EQ(log[1], "update 59" + std::string(40, 'x'));
      EXPECT_EQ(log[59], "update 1" + std::string(40, 'x'));
      EXPECT_EQ(log_of(refs, "HEAD2").size(), 60u);
      EXPECT_EQ(log_of(refs, "HEAD1").size(), 0u);
      EXPECT_EQ(refs_from(refs, "").size(), has_refs ? 40u : 0u);
    }
  }
}

TEST_F(ReftableTest, DamageIsNamed) {
  const std::string good = ReftableWriter({.block_size = 256, .index_from = 2})
                               .ref("refs/heads/a", numbered(1))
                               .ref("refs/heads/b", numbered(2))
                               .bytes();
  const auto error_of = [&](const std::string& table) {
    write({table});
    ReftableStack refs = stack();
    const Result<void> looked = look(refs);
    if (looked.ok()) return std::string("none");
    EXPECT_EQ(looked.error().code, ErrorCode::kCorrupt);
    std::string message = looked.error().message;
    EXPECT_TRUE(message.starts_with(directory_.path("reftable/table-"))) << message;
    return message.substr(message.find(": ") + 2);
  };
  const auto with = [&](size_t at, char byte) {
    std::string table = good;
    table[at] = byte;
    return table;
  };
  const size_t footer = good.size() - 68;
  EXPECT_EQ(error_of(good), "none");
  EXPECT_EQ(error_of(""), "not a reftable");
  EXPECT_EQ(error_of("REFT"), "truncated");
  EXPECT_EQ(error_of(with(4, 3)), "unknown version 3");
  EXPECT_EQ(error_of(good.substr(0, 80)), "truncated");
  EXPECT_EQ(error_of(good.substr(0, good.size() - 1)), "the header and the footer differ");
  EXPECT_EQ(error_of(with(footer + 30, 1)), "the footer's checksum is wrong");
  EXPECT_EQ(error_of(ReftableWriter({.algorithm = HashAlgorithm::kSha256, .version = 2}).bytes()),
            "the hash is not the repository's");
  EXPECT_EQ(error_of(with_right_checksum(with(footer + 24 + 15, 32))),
            "the object section has no names");
  // Blocks and records.
  EXPECT_EQ(error_of(with(24, 'x')), "none") << "nothing says that there are refs";
  EXPECT_EQ(error_of(with(25, 1)), "block at 0, byte 24: longer than the table");
  EXPECT_EQ(error_of(with(27, 3)), "block at 0, byte 24: too short");
  EXPECT_EQ(error_of(with(footer - 1, 99)),
            "block at 0, byte " + std::to_string(footer) + ": too many restarts");
  EXPECT_EQ(error_of(with(footer - 3, 5)), "block at 0, byte 5: a restart is outside the records");
  EXPECT_EQ(error_of(with(28, 1)), "block at 0, byte 28: a restart does not have a whole key");
  EXPECT_EQ(error_of(ReftableWriter().raw("a", 4, "").bytes()),
            "block at 0, byte 28: malformed record");
  EXPECT_EQ(error_of(ReftableWriter().raw("a", 1, "short").bytes()),
            "block at 0, byte 28: malformed record");
  EXPECT_EQ(error_of(ReftableWriter().raw("a", 3, "\x7fshort").bytes()),
            "block at 0, byte 28: malformed record");
  // The list.
  write({good});
  ReftableStack refs = stack();
  for (const char* names : {"../x\n", "table"}) {
    write_whole_file(list(), names);
    EXPECT_EQ(look(refs).error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(look(refs).error().message.starts_with(list() + ": not the name of a table: "));
  }
  write_whole_file(list(), "gone.ref\n");
  EXPECT_EQ(look(refs).error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(look(refs).error().message.ends_with(", and " + list() + " lists it"));
}

TEST_F(ReftableTest, AnIndexThatLeadsUpwardsIsDamaged) {
  ReftableWriter writer({.block_size = 200, .padded = false, .index_from = 1});
  for (size_t i = 0; i < 200; ++i) writer.ref(branch(i), numbered(i));
  std::string table = writer.bytes();
  // The last record of the top level ends with its position.
  const size_t footer = table.size() - 68;
  table[footer - 6] = 0x7f;
  table[footer - 7] = static_cast<char>(0xff);
  write({table});
  ReftableStack refs = stack();
  const Result<void> looked =
      refs.visit(ReftableSection::kRefs, branch(199), [](const ReftableRecord&) { return true; });
  ASSERT_FALSE(looked.ok());
  EXPECT_NE(looked.error().message.find("the index points to byte "), std::string::npos)
      << looked.error().message;
}

TEST_F(ReftableTest, AnyByteMayBeWrong) {
  ReftableLayout layout;
  layout.block_size = 200;
  layout.index_from = 2;
  ReftableWriter writer(layout);
  for (size_t i = 0; i < 12; ++i) writer.ref(branch(i), numbered(i));
  writer.symbolic("HEAD", branch(3))
      .deletion(branch(5))
      .tag("refs/tags/v", numbered(1), numbered(2));
  writer.log("HEAD", 1, numbered(1), numbered(2), "one").log_deletion("HEAD", 2);
  const std::string good = writer.bytes();
  const auto read_all = [&](const std::string& table) {
    write({table});
    ReftableStack refs = stack();
    (void)look(refs);
    for (const auto section : {ReftableSection::kRefs, ReftableSection::kLogs}) {
      for (const char* from : {"HEAD", "refs/heads/topic/000007", "refs/tags/v"}) {
        (void)refs.visit(section, from, [](const ReftableRecord&) { return true; });
      }
    }
  };
  for (size_t at = 0; at < good.size(); ++at) {
    read_all(with_right_checksum(good.substr(0, at)));
    for (const int change : {0x01, 0x80, 0xff}) {
      std::string table = good;
      table[at] = static_cast<char>(table[at] ^ change);
      read_all(with_right_checksum(table));
    }
  }
}

TEST_F(ReftableTest, AListThatChangesWhileTablesAreOpenedIsReadAgain) {
  const std::string one = ReftableWriter().ref("a", numbered(1)).bytes();
  const std::string two = ReftableWriter().ref("a", numbered(2)).bytes();
  write({one});
  CountingFileSystem fs;
  int times = 0;
  fs.set_fault([&](auto call, std::string_view path) -> std::optional<Error> {
    // The list is read; the table that it names is about to be opened.
    if (call == CountingFileSystem::Call::kStat && path.ends_with(".ref") && times++ == 0) {
      write({two});
    }
    return std::nullopt;
  });
  ReftableStack refs(directory_.root(), HashAlgorithm::kSha1, fs);
  EXPECT_EQ(refs_from(refs, ""), std::vector<std::string>{"a=" + numbered(2).hex()});
  EXPECT_EQ(times, 2);
}

TEST_F(ReftableTest, WhatIsOpenIsNotOpenedAgain) {
  CountingFileSystem fs;
  fs.run_ahead(10);
  write({ReftableWriter().ref("a", numbered(1)).bytes()});
  ReftableStack refs(directory_.root(), HashAlgorithm::kSha1, fs);
  (void)find(refs, "a");
  const auto reads = fs.calls().read_file.load();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(find(refs, "a"));
  EXPECT_EQ(fs.calls().read_file.load(), reads);
}

// A list is young right after each change of a ref, and then nothing but its bytes can be relied
// on.
TEST_F(ReftableTest, AReadingIsOfOneMomentAndLooksAtAYoungListOnce) {
  CountingFileSystem fs;
  write({ReftableWriter().ref("a", numbered(1)).bytes()});
  ReftableStack refs(directory_.root(), HashAlgorithm::kSha1, fs);
  (void)find(refs, "a");
  const auto reads = fs.calls().read_file.load();
  refs.begin_reading();
  refs.begin_reading();
  const std::vector<std::string> before = refs_from(refs, "");
  const std::vector<std::string> files = refs.files();
  write({ReftableWriter().ref("a", numbered(2)).bytes()});
  refs.end_reading();
  EXPECT_EQ(refs_from(refs, ""), before) << "the outer one goes on";
  EXPECT_EQ(fs.calls().read_file.load(), reads + 1);
  refs.end_reading();
  EXPECT_EQ(refs_from(refs, ""), std::vector<std::string>{"a=" + numbered(2).hex()});
  refs.begin_reading();
  EXPECT_NE(refs_from(refs, ""), before) << "no earlier than its beginning";
  refs.end_reading();
}

TEST_F(ReftableTest, ATableThatIsWrittenInPlaceIsSeenOnceItsFilesWereAskedFor) {
  write({ReftableWriter().ref("a", numbered(1)).bytes()});
  ReftableStack refs = stack();
  EXPECT_TRUE(find(refs, "a"));
  const std::vector<std::string> files = refs.files();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0], list());
  write_whole_file(files[1], "rubbish");
  EXPECT_EQ(refs.files(), files);
  EXPECT_FALSE(look(refs).ok());
}

}  // namespace
}  // namespace resident
