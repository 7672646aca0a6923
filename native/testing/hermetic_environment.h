// HermeticEnvironment: gives this process's own git calls the environment of RepoBuilder: no system
// or user config, and the temporary directory as home. The destructor restores the old environment.
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
