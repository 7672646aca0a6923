// Names of refs, valid and short, against git.
#include "refs/ref_name.h"

#include <gtest/gtest.h>

#include "fs/linux/posix_file_system.h"
#include "git/git_rules.h"
#include "refs/ref_store.h"
#include "testing/repo_builder.h"
#include "testing/value_of.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::value_of;

TEST(RefName, IsValidAsForGit) {
  RepoBuilder repo;
  for (const std::string name : {"refs/heads/main",
                                 "main",
                                 "@",
                                 "a@",
                                 "a/@",
                                 "@{",
                                 "a@{b",
                                 "a..b",
                                 "a.b",
                                 ".a",
                                 "a/.b",
                                 "a.",
                                 "a./b",
                                 "a.lock",
                                 "a.lock/b",
                                 "a.locked",
                                 "a//b",
                                 "/a",
                                 "a/",
                                 "a b",
                                 "a\tb",
                                 "a~",
                                 "a^",
                                 "a:",
                                 "a?",
                                 "a*",
                                 "a[",
                                 "a]",
                                 "a\\",
                                 "a\x7f",
                                 "\xc3\xa4/\xff",
                                 ""}) {
    const bool valid = repo.try_git({"check-ref-format", "--allow-onelevel", name}).exit_code == 0;
    EXPECT_EQ(is_valid_ref_name(name), valid) << name;
  }
}

TEST(RefName, IsShortAsForGit) {
  RepoBuilder repo;
  repo.init();
  repo.git({"commit", "-q", "--allow-empty", "-m", "one"});
  // core.warnAmbiguousRefs would make for-each-ref strict, which status is not.
  repo.git({"config", "core.warnAmbiguousRefs", "false"});
  const std::string git_dir = repo.path("repo/.git");
  RefStore refs(git_dir, git_dir, HashAlgorithm::kSha1, posix_file_system());
  const bool strips_head = value_of(current_git_rules()).strips_head_of_remotes;
  for (const char* made :
       {"refs/remotes/origin/main", "refs/remotes/origin/HEAD", "refs/top", "refs/odd/x",
        "refs/heads/origin/main", "refs/tags/origin/main", "refs/tags/main", "refs/remotes/main",
        "refs/origin/main", "refs/heads/remotes/origin/main"}) {
    repo.git({"update-ref", made, "HEAD"});
    const std::string list = repo.git({"for-each-ref", "--format=%(refname) %(refname:short)"});
    for (size_t at = 0; at < list.size();) {
      const size_t space = list.find(' ', at), end = list.find('\n', at);
      const std::string name = list.substr(at, space - at);
      const auto exists = [&](const std::string& candidate) { return refs.exists(candidate); };
      EXPECT_EQ(shorten_unambiguous_ref(name, strips_head, exists),
                list.substr(space + 1, end - space - 1))
          << name << " beside " << made;
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace resident
