// HermeticEnvironment: makes this process's own git calls see what RepoBuilder's see: no system or
// user config, and the temporary directory as home. Undone at its end.
//
// Threads: like setenv; before any other thread runs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace resident::testing {

class HermeticEnvironment {
 public:
  explicit HermeticEnvironment(const std::string& home);
  ~HermeticEnvironment();
  HermeticEnvironment(const HermeticEnvironment&) = delete;
  HermeticEnvironment& operator=(const HermeticEnvironment&) = delete;

  void set(const char* name, const std::string& value);

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace resident::testing
