// Replays every corpus input through its target, without libFuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

namespace fs = std::filesystem;

// The files of corpus/<name>/, and the lines of corpus/<name>.lines.
std::vector<std::string> corpus_of(std::string_view name) {
  const fs::path base = fs::path(RESIDENT_FUZZ_CORPUS) / name;
  std::vector<std::string> inputs;
  if (fs::is_directory(base)) {
    for (const auto& file : fs::directory_iterator(base)) {
      inputs.push_back(testing::read_whole_file(file.path().native()));
    }
  }
  const std::string lines = base.native() + ".lines";
  if (fs::exists(lines)) {
    std::istringstream stream(testing::read_whole_file(lines));
    for (std::string line; std::getline(stream, line);) inputs.push_back(line);
  }
  return inputs;
}

class FuzzCorpus : public ::testing::TestWithParam<std::string_view> {};

TEST_P(FuzzCorpus, IsReadInPeace) {
  const FuzzTarget::Run run = FuzzTarget::all().at(GetParam());
  const std::vector<std::string> inputs = corpus_of(GetParam());
  EXPECT_FALSE(inputs.empty());
  run({});
  for (const std::string& input : inputs) run(as_bytes(input));
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> found;
  for (const auto& [name, run] : FuzzTarget::all()) found.push_back(name);
  return found;
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, ::testing::ValuesIn(names()),
                         [](const auto& made) { return std::string(made.param); });

}  // namespace
}  // namespace resident
