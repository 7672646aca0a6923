#include "tree/change_journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace resident {
namespace {

using Names = std::vector<std::string>;

std::optional<Names> names_since(const ChangeJournal& journal, const std::string& token) {
  const auto since = journal.since(token);
  if (!since) return std::nullopt;
  return Names(since->names.begin(), since->names.end());
}

TEST(ChangeJournal, TellsWhatWasNotedAfterTheToken) {
  ChangeJournal journal;
  const std::string first = journal.issue_token(true);
  EXPECT_EQ(names_since(journal, first), Names());
  journal.note("a");
  journal.note("b/");
  journal.note("a");
  EXPECT_EQ(names_since(journal, first), (Names{"a", "b/"}));
  const std::string second = journal.issue_token(false);
  EXPECT_EQ(names_since(journal, second), Names());
  journal.note("a");
  EXPECT_EQ(names_since(journal, second), Names{"a"});
  EXPECT_EQ(names_since(journal, first), (Names{"b/", "a"}));
}

TEST(ChangeJournal, ATokenSaysWhetherTheNextAnswerHasOnlyChanges) {
  ChangeJournal journal;
  EXPECT_TRUE(ChangeJournal::is_told_only_changes(journal.issue_token(false)));
  EXPECT_TRUE(ChangeJournal::is_told_only_changes(journal.issue_own_token(false)));
  EXPECT_FALSE(ChangeJournal::is_told_only_changes(journal.issue_own_token(true)));
  EXPECT_FALSE(ChangeJournal::is_told_only_changes(ChangeJournal::no_token()));
  EXPECT_FALSE(ChangeJournal::is_told_only_changes("builtin:0.1:2"));
}

TEST(ChangeJournal, TellsSubmodulesApartFromNames) {
  ChangeJournal journal;
  const std::string token = journal.issue_token(false);
  journal.record_submodule("a/b");
  journal.note("a/b");
  journal.record_submodule("a/b");
  ASSERT_TRUE(journal.since(token));
  EXPECT_EQ(journal.since(token)->names, std::vector<std::string_view>{"a/b"});
  EXPECT_EQ(journal.since(token)->submodules, std::vector<std::string_view>{"a/b"});
}

TEST(ChangeJournal, TokensStandStillWhileNothingHappens) {
  ChangeJournal journal;
  const std::string token = journal.issue_token(false);
  EXPECT_EQ(journal.issue_token(false), token);
  journal.note("a");
  EXPECT_NE(journal.issue_token(false), token);
}

TEST(ChangeJournal, TokensOfTheirOwnAreUnlikeAllOthers) {
  ChangeJournal journal;
  std::set<std::string> tokens = {journal.issue_token(false), journal.issue_token(true)};
  for (int i = 0; i < 20; ++i) {
    const bool given_all = i % 2 == 0;
    const std::string token = journal.issue_own_token(given_all);
    EXPECT_TRUE(tokens.insert(token).second) << token;
    ASSERT_TRUE(journal.since(token)) << token;
    EXPECT_EQ(journal.since(token)->given_all, given_all);
  }
  const std::string last = journal.issue_own_token(false);
  journal.note("a");
  EXPECT_EQ(names_since(journal, last), Names{"a"});
  const std::string before_serial = last.substr(0, last.rfind('.') + 1);
  for (const std::string& bad :
       {last + "0", last + ".1", last + ":", before_serial, before_serial + "0",
        before_serial + "-1", before_serial + "99999999999999999999999"}) {
    EXPECT_FALSE(journal.since(bad)) << bad;
  }
}

TEST(ChangeJournal, RemembersWhatWasTold) {
  ChangeJournal journal;
  const std::string all = journal.issue_token(true);
  const std::string some = journal.issue_token(false);
  EXPECT_TRUE(journal.since(all)->given_all);
  EXPECT_FALSE(journal.since(some)->given_all);
}

TEST(ChangeJournal, EverythingForATokenThatIsNotOurs) {
  ChangeJournal journal;
  const ChangeJournal other;
  const std::string token = journal.issue_token(false);
  EXPECT_FALSE(other.since(token));
  EXPECT_FALSE(ChangeJournal(ChangeJournal::Limits()).since(token));
  for (const std::string& bad :
       {std::string(), std::string("1700000000000000000"), std::string("fake"),
        ChangeJournal::no_token(), token + "7", token + ":", token + ":al", token + ":all:",
        token.substr(0, token.size() - 1), token.substr(0, token.rfind(':')), " " + token}) {
    EXPECT_FALSE(journal.since(bad)) << bad;
  }
  const std::string before_number = token.substr(0, token.rfind(':') + 1);
  EXPECT_FALSE(journal.since(before_number + "99999999999999999999999"));
  EXPECT_FALSE(journal.since(before_number + "-1"));
  EXPECT_TRUE(journal.since(before_number + "0"));
}

TEST(ChangeJournal, EverythingAfterARestart) {
  ChangeJournal journal;
  const std::string token = journal.issue_token(false);
  journal.note("a");
  journal.restart();
  EXPECT_FALSE(journal.since(token));
  const std::string next = journal.issue_token(false);
  journal.note("");
  EXPECT_FALSE(journal.since(next));
}

TEST(ChangeJournal, ANoteOfBeforeARestartIsNotAfterALaterToken) {
  ChangeJournal journal;
  (void)journal.issue_token(false);
  journal.note("a");
  journal.restart();
  const std::string token = journal.issue_token(false);
  EXPECT_EQ(names_since(journal, token), Names());
}

TEST(ChangeJournal, NothingIsKeptBeforeSomebodyAsks) {
  ChangeJournal journal({.names = 2, .bytes = 1 << 20});
  for (int i = 0; i < 10; ++i) journal.note(std::to_string(i));
  const std::string token = journal.issue_token(false);
  journal.note("a");
  EXPECT_EQ(names_since(journal, token), Names{"a"});
}

TEST(ChangeJournal, BeyondItsLimitsOldTokensMeanEverything) {
  ChangeJournal journal({.names = 4, .bytes = 1 << 20});
  const std::string old = journal.issue_token(false);
  for (const char* name : {"a", "b", "c"}) journal.note(name);
  const std::string young = journal.issue_token(false);
  for (const char* name : {"d", "e"}) journal.note(name);
  EXPECT_FALSE(journal.since(old));
  EXPECT_EQ(names_since(journal, young), (Names{"d", "e"}));
}

TEST(ChangeJournal, MoreThanItsLimitsAtOnceIsEverything) {
  ChangeJournal journal({.names = 4, .bytes = 1 << 20});
  const std::string token = journal.issue_token(false);
  for (int i = 0; i < 100; ++i) journal.note(std::to_string(i));
  EXPECT_FALSE(journal.since(token));
  // Until that step has ended no token is of after it.
  const std::string next = journal.issue_token(false);
  EXPECT_EQ(names_since(journal, next), Names());
}

TEST(ChangeJournal, BytesAreBoundedToo) {
  ChangeJournal journal({.names = 1 << 20, .bytes = 4096});
  const std::string token = journal.issue_token(false);
  for (int i = 0; i < 8; ++i) journal.note(std::string(1000, 'x') + std::to_string(i));
  EXPECT_FALSE(journal.since(token));
}

// Beside a list of all that was ever noted: never less, and nothing else while nothing is lost.
TEST(ChangeJournal, NeverLessThanWhatWasNoted) {
  for (const size_t limit : {size_t{3}, size_t{20}, size_t{10'000}}) {
    ChangeJournal journal({.names = limit, .bytes = 1 << 20});
    std::mt19937 random(7);
    std::map<std::string, std::set<std::string>> expected;  // token -> noted since
    for (int i = 0; i < 3000; ++i) {
      if (random() % 4 == 0) {
        expected.try_emplace(journal.issue_token(random() % 2 == 0));
      } else if (random() % 200 == 0) {
        journal.restart();
        for (const auto& [token, names] : expected) ASSERT_FALSE(journal.since(token));
        expected.clear();
      } else {
        const std::string name = std::to_string(random() % 40);
        journal.note(name);
        for (auto& [token, names] : expected) names.insert(name);
      }
      for (const auto& [token, names] : expected) {
        const auto told = names_since(journal, token);
        if (!told) {
          ASSERT_LT(limit, size_t{40});
          continue;
        }
        ASSERT_EQ(std::set<std::string>(told->begin(), told->end()), names);
        ASSERT_EQ(told->size(), names.size());
      }
      if (expected.size() > 50) expected.erase(expected.begin());
    }
  }
}

}  // namespace
}  // namespace resident
