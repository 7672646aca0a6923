// What tests of scanning share: a real repository, scanned without a model around.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "status/ask_git.h"
#include "status/content.h"
#include "status/scan.h"
#include "status/untracked_view.h"
#include "testing/hermetic_environment.h"
#include "testing/repo_builder.h"

namespace resident {

// A scan of the worktree with what it needs kept alive.
struct Scanned {
  std::shared_ptr<const Index> index;
  std::vector<EntryState> states;
  std::unique_ptr<DirectoryNode> top = std::make_unique<DirectoryNode>();
  ScanFindings findings;

  // Everything that was found, as text: equal for equal scans.
  std::string text() const {
    std::string out;
    for_each_node(*top, [&out](DirectoryNode& node) {
      out += "/" + node.path() + (node.ignored ? " ignored" : "") +
             (node.nested_repository() ? " nested" : "") + (node.submodule ? " submodule" : "") +
             (node.readable() ? "" : " unreadable") + (node.patterns ? " patterns" : "") + " " +
             std::to_string(node.index_directory) + "\n";
      for (const Other& other : node.others()) {
        out += "  " + other.name + " " + std::to_string(static_cast<int>(other.kind)) + "\n";
      }
    });
    for (uint32_t i = 0; i < states.size(); ++i) {
      const EntryState s = states[i];
      out +=
          index->path(i) +
          (s.is_clean()    ? " clean"
           : s.is_absent() ? " absent"
           : s.is_known()  ? " present"
                           : " ?") +
          (s.is_present() ? " " + std::to_string(s.mode()) + (s.differs() ? " differs" : "") : "") +
          "\n";
    }
    return out;
  }
};

// What a scan is asked for.
struct Asked {
  UntrackedNeed untracked = UntrackedNeed::kAll;
  PathLimit limit = {};
  bool once = false;
};

class ScanTest : public ::testing::Test {
 protected:
  ScanTest() : environment_(repo_.root()) {
    repo_.set_environment("GIT_OPTIONAL_LOCKS", "0");
    repo_.init();
  }
  std::string at(std::string_view path) const { return repo_.work() + "/" + std::string(path); }

  Scanned scan(unsigned threads = 1, FileSystem& fs = posix_file_system(),
               Watcher* watcher = nullptr, const Asked& asked = {}) {
    return scan_by(
        [](const ScanContext& context, Scanned& out, Directory root) {
          out.findings = scan_subtree(context, *out.top, std::move(root));
        },
        threads, fs, watcher, asked);
  }

  // `scanner(context, out, root)` is what scans.
  template <typename Scanner>
  Scanned scan_by(Scanner&& scanner, unsigned threads = 1, FileSystem& fs = posix_file_system(),
                  Watcher* watcher = nullptr, const Asked& asked = {}) {
    Scanned out;
    auto index = Index::load(at(".git/index"), {});
    EXPECT_TRUE(index.ok());
    out.index = *index;
    out.states.resize(out.index->entries().size());
    out.top->index_directory = 0;
    FileContent content({fs, repo_.work(), HashAlgorithm::kSha1, true});
    FileContent::Rules conversions;
    conversions.index = out.index;
    content.set_rules(std::move(conversions));
    ExcludeRules rules;
    if (auto exclude = fs.read_file(at(".git/info/exclude")); exclude.ok()) {
      rules.info_exclude = PatternList::parse(std::move(exclude).value(), "");
    }
    const WorktreeSettings settings;
    const ContentCache known;
    const std::string root = repo_.work();
    const ScanContext context{{fs, root, *out.index, settings, content, known},
                              out.states,
                              rules,
                              nullptr,
                              watcher,
                              at(".git"),
                              [](uint32_t) -> Result<std::string> {
                                return Error{ErrorCode::kNotFound, "none"};
                              },
                              threads,
                              nullptr,
                              nullptr,
                              nullptr,
                              asked.limit,
                              false,
                              asked.untracked,
                              asked.once};
    auto directory = fs.open_directory(root);
    EXPECT_TRUE(directory.ok());
    scanner(context, out, std::move(directory).value());
    return out;
  }

  testing::RepoBuilder repo_;
  testing::HermeticEnvironment environment_;
};

}  // namespace resident
