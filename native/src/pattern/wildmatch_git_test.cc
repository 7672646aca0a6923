// Compares with recorded results of git's own matcher for each line of fuzz/corpus/wildmatch.lines.
// They cover text and path, each with and without case folding. Source: .dev/wildmatch-corpus.mjs.
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

#include "pattern/wildmatch.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(Wildmatch, SaysWhatGitsMatcherSays) {
  std::istringstream lines(testing::read_whole_file(RESIDENT_WILDMATCH_LINES));
  std::set<std::string> outcomes;
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    ASSERT_NE(second, std::string::npos) << line;
    const std::string pattern = line.substr(first + 1, second - first - 1);
    const std::string text = line.substr(second + 1);
    std::string said;
    for (bool pathname : {false, true}) {
      for (bool ignore_case : {false, true}) {
        said += wildmatch(pattern, text, {pathname, ignore_case}) ? '1' : '0';
      }
    }
    EXPECT_EQ(said, line.substr(0, first)) << "pattern <" << pattern << "> text <" << text << ">";
    outcomes.insert(std::move(said));
  }
  EXPECT_GT(count, 200u);
  EXPECT_GE(outcomes.size(), 8u);
}

}  // namespace
}  // namespace resident
