#include "index/entry_lookup.h"

#include <gtest/gtest.h>

#include "index/index_test_support.h"

namespace resident {
namespace {

using namespace testing;

// Each element of `paths` may have a stage after a tab.
std::shared_ptr<const Index> index_of(const std::vector<std::string>& paths) {
  RepoBuilder repo;
  repo.init();
  const std::string blob = repo.git_line({"hash-object", "-w", "--stdin"}, "x");
  std::string info;
  for (const std::string& path : paths) {
    const size_t tab = path.find('\t');
    const std::string stage = tab == std::string::npos ? "0" : path.substr(tab + 1);
    info += "100644 " + blob + " " + stage + "\t" + path.substr(0, tab) + "\n";
  }
  repo.git({"update-index", "--index-info"}, info);
  return load(repo);
}

TEST(EntryLookup, FindsWhatTheIndexFinds) {
  std::vector<std::string> paths{"a", "seven77", "eight888", "nine99999", "sixteen-sixteen-"};
  for (int i = 0; i < 300; ++i) {
    paths.push_back("d/a_common_prefix_" + std::to_string(i) + "_and_suffix.cc");
    paths.push_back("d/" + std::to_string(i));
  }
  const auto index = index_of(paths);
  EntryLookup lookup;
  for (uint32_t directory = 0; directory < index->directories().size(); ++directory) {
    lookup.assign(*index, directory);
    EXPECT_EQ(lookup.entries().size(), index->entries_of(directory).size());
    for (const IndexEntry& entry : index->entries()) {
      const std::string_view name = index->name(entry);
      for (const std::string& asked : {std::string(name), std::string(name.substr(1)),
                                       std::string(name) + "x", "x" + std::string(name)}) {
        const auto expected = index->find_entry(directory, asked);
        const auto found = lookup.find(asked);
        ASSERT_EQ(found.has_value(), expected.has_value()) << asked;
        if (found) {
          EXPECT_EQ(index->directories()[directory].first_entry + *found, *expected) << asked;
        }
      }
    }
  }
}

TEST(EntryLookup, OfSeveralStagesTheLowest) {
  const auto index = index_of({"a", "c\t1", "c\t2", "c\t3", "d\t2", "d\t3"});
  EntryLookup lookup;
  lookup.assign(*index, 0);
  EXPECT_EQ(lookup.find("a"), 0u);
  EXPECT_EQ(lookup.find("c"), 1u);
  EXPECT_EQ(lookup.find("d"), 4u);
  EXPECT_EQ(lookup.find("b"), std::nullopt);
}

TEST(EntryLookup, WithoutEntriesNothingIsFound) {
  const auto index = index_of({"d/a"});
  EntryLookup lookup;
  EXPECT_EQ(lookup.find("a"), std::nullopt);
  lookup.assign(*index, 1);
  EXPECT_EQ(lookup.find("a"), 0u);
  lookup.assign(*index, 0);
  EXPECT_EQ(lookup.find("a"), std::nullopt);
  lookup.assign(*index, kNoDirectory);
  EXPECT_EQ(lookup.find("a"), std::nullopt);
}

}  // namespace
}  // namespace resident
