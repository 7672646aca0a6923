#include "refs/ref_store.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>

#include "fs/linux/posix_file_system.h"
#include "testing/counting_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
using testing::write_whole_file;

class RefStoreTest : public ::testing::Test {
 protected:
  void init(const RepoBuilder::Arguments& options = {}) {
    repo_.init(options);
    algorithm_ = options.empty() ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
    repo_.git({"commit", "-q", "--allow-empty", "-m", "one"});
    one_ = id("HEAD");
    repo_.git({"commit", "-q", "--allow-empty", "-m", "two"});
    two_ = id("HEAD");
  }
  std::string git_dir() const { return repo_.path("repo/.git"); }
  RefStore store() { return RefStore(git_dir(), git_dir(), algorithm_, posix_file_system()); }
  ObjectId id(const std::string& name) {
    auto found = ObjectId::from_hex(repo_.git_line({"rev-parse", "--verify", name}));
    EXPECT_TRUE(found);
    return found.value_or(ObjectId());
  }
  // Every ref that git lists is what git says it is.
  int compare_with_git(RefStore& refs) {
    const std::string list = repo_.git({"for-each-ref", "--format=%(objectname) %(refname)"});
    int count = 0;
    for (size_t at = 0; at < list.size(); ++count) {
      const size_t space = list.find(' ', at), end = list.find('\n', at);
      const std::string name = list.substr(space + 1, end - space - 1);
      auto resolved = refs.resolve(name);
      EXPECT_TRUE(resolved.ok() && *resolved && (*resolved)->hex() == list.substr(at, space - at))
          << name;
      at = end + 1;
    }
    return count;
  }
  void make_many_refs() {
    std::string commands;
    for (int i = 0; i < 700; ++i) {
      commands += "create refs/" + std::string(i % 3 ? "heads" : "tags") + "/topic/" +
                  std::to_string(i * 7919) + " " + (i % 2 ? one_ : two_).hex() + "\n";
    }
    repo_.git({"update-ref", "--stdin"}, commands);
    repo_.git({"tag", "-a", "-m", "annotated", "v1"});
  }

  RepoBuilder repo_;
  HashAlgorithm algorithm_ = HashAlgorithm::kSha1;
  ObjectId one_, two_;
};

TEST_F(RefStoreTest, HeadOnABranch) {
  init();
  EXPECT_EQ(*store().head(), (Head{false, "refs/heads/main", two_}));
  repo_.git({"pack-refs", "--all", "--prune"});
  EXPECT_EQ(*store().head(), (Head{false, "refs/heads/main", two_}));
}

TEST_F(RefStoreTest, HeadDetachedAndUnborn) {
  init();
  repo_.git({"checkout", "-q", "--detach", one_.hex()});
  EXPECT_EQ(*store().head(), (Head{true, "", one_}));
  repo_.git({"checkout", "-q", "--orphan", "new/branch"});
  EXPECT_EQ(*store().head(), (Head{false, "refs/heads/new/branch", std::nullopt}));
}

TEST_F(RefStoreTest, HeadThroughSymbolicRefsAndAsALink) {
  init();
  repo_.git({"symbolic-ref", "refs/heads/alias", "refs/heads/main"});
  repo_.git({"symbolic-ref", "HEAD", "refs/heads/alias"});
  RefStore refs = store();
  EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", two_}));
  EXPECT_EQ(refs.files_of("HEAD"),
            (std::vector<std::string>{git_dir() + "/HEAD", git_dir() + "/refs/heads/alias",
                                      git_dir() + "/refs/heads/main", git_dir() + "/packed-refs"}));

  std::filesystem::remove(git_dir() + "/HEAD");
  std::filesystem::create_symlink("refs/heads/main", git_dir() + "/HEAD");
  EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", two_}));
  EXPECT_EQ(repo_.git_line({"symbolic-ref", "HEAD"}), "refs/heads/main");
  // A link that does not look like a ref is read like the file that it leads to.
  std::filesystem::remove(git_dir() + "/HEAD");
  write_whole_file(git_dir() + "/real", "ref: refs/heads/main\n");
  std::filesystem::create_symlink("real", git_dir() + "/HEAD");
  EXPECT_EQ(*refs.head(), (Head{false, "refs/heads/main", two_}));
}

TEST_F(RefStoreTest, LooseAndPackedRefs) {
  init();
  make_many_refs();
  RefStore refs = store();
  EXPECT_EQ(compare_with_git(refs), 702);
  repo_.git({"pack-refs", "--all", "--prune"});
  EXPECT_EQ(compare_with_git(refs), 702);
  // Loose wins over packed; a directory in a loose ref's place does not.
  repo_.git({"update-ref", "refs/heads/topic/0", one_.hex()});
  repo_.git({"update-ref", "refs/tags/topic/0", one_.hex()});
  std::filesystem::create_directories(git_dir() + "/refs/heads/main");
  EXPECT_EQ(compare_with_git(refs), 703);
  repo_.git({"pack-refs", "--all", "--prune"});
  EXPECT_EQ(compare_with_git(refs), 703);
  EXPECT_EQ(*refs.resolve("refs/heads/none"), std::nullopt);
  EXPECT_EQ(*refs.resolve("refs/heads/topic"), std::nullopt);
  EXPECT_EQ(*refs.resolve("refs/zzz"), std::nullopt);
  EXPECT_EQ(*refs.resolve("aaa"), std::nullopt);
}

TEST_F(RefStoreTest, RefsBelowAPrefix) {
  init();
  RefStore refs = store();
  auto names = [&](const std::string& prefix) {
    std::string all;
    auto below = refs.refs_below(prefix);
    EXPECT_TRUE(below.ok());
    if (!below.ok()) return all;
    for (const auto& [name, id] : *below) {
      EXPECT_EQ(id.hex(), repo_.git_line({"rev-parse", name}));
      all += name + " ";
    }
    return all;
  };
  EXPECT_EQ(names("refs/replace/"), "");
  EXPECT_NE(names("refs/heads/"), "");
  repo_.git({"update-ref", "refs/replace/deep/x", one_.hex()});
  repo_.git({"update-ref", "refs/replace/b", one_.hex()});
  EXPECT_EQ(names("refs/replace/"), "refs/replace/b refs/replace/deep/x ");
  repo_.git({"pack-refs", "--all", "--prune"});
  std::filesystem::create_directories(git_dir() + "/refs/replace/empty");
  repo_.git({"symbolic-ref", "refs/replace/a", "refs/heads/main"});
  EXPECT_EQ(names("refs/replace/"), "refs/replace/a refs/replace/b refs/replace/deep/x ");
  EXPECT_EQ(names("refs/replace/deep/"), "refs/replace/deep/x ");
  EXPECT_EQ(names("refs/replac/"), "");
  EXPECT_EQ(names("refs/zzz/"), "");
  // A loose ref is newer than a packed one.
  repo_.git({"update-ref", "refs/replace/b", repo_.git_line({"rev-parse", "main"})});
  EXPECT_EQ(names("refs/replace/"), "refs/replace/a refs/replace/b refs/replace/deep/x ");
  repo_.write(".git/refs/replace/b.lock", "");
  EXPECT_TRUE(refs.refs_below("refs/replace/").ok());
  repo_.write(".git/refs/replace/c", "garbage");
  EXPECT_FALSE(refs.refs_below("refs/replace/").ok());
}

TEST_F(RefStoreTest, ARefDeletedWhileTheyAreListedIsNoDamage) {
  init();
  repo_.git({"update-ref", "refs/replace/gone", one_.hex()});
  repo_.git({"update-ref", "refs/replace/kept", one_.hex()});
  testing::CountingFileSystem fs;
  fs.set_fault([&](auto call, std::string_view name) -> std::optional<Error> {
    // The listing is made; the ref is about to be read.
    if (call == testing::CountingFileSystem::Call::kRead && name == "gone")
      std::filesystem::remove(git_dir() + "/refs/replace/gone");
    return std::nullopt;
  });
  RefStore refs(git_dir(), git_dir(), algorithm_, fs);
  auto below = refs.refs_below("refs/replace/");
  ASSERT_TRUE(below.ok()) << below.error().message;
  ASSERT_EQ(below->size(), 1u);
  EXPECT_EQ(below->begin()->first, "refs/replace/kept");
  // A symbolic ref that is there, and leads nowhere, is.
  repo_.git({"symbolic-ref", "refs/replace/nowhere", "refs/heads/none"});
  EXPECT_FALSE(refs.refs_below("refs/replace/").ok());
}

TEST_F(RefStoreTest, ListedRefsAreReadWithoutAStat) {
  init();
  for (const char* name : {"a", "b", "deep/c"}) repo_.git({"tag", name});
  std::filesystem::create_symlink("a", git_dir() + "/refs/tags/link");
  repo_.git({"symbolic-ref", "refs/tags/symbolic", "refs/tags/a"});
  testing::CountingFileSystem fs;
  RefStore refs(git_dir(), git_dir(), algorithm_, fs);
  const auto below = refs.refs_below("refs/tags/");
  ASSERT_TRUE(below.ok()) << below.error().message;
  EXPECT_EQ(below->size(), 5u);
  EXPECT_EQ(below->at("refs/tags/link"), id("HEAD"));
  EXPECT_EQ(fs.calls().stat, 2u + 2u + 1u)
      << "of the link, of the symbolic ref and where it leads, of packed-refs";
}

TEST_F(RefStoreTest, WhatGitPassesOverInItsLists) {
  init();
  repo_.git({"tag", "-a", "-m", "x", "heavy"});
  for (const char* name : {"light", "hidden", "behind-a-link"}) repo_.git({"tag", name});
  repo_.git({"pack-refs", "--all"});
  const std::string hex = one_.hex() + "\n";
  const auto tag = [&](const std::string& name, const std::string& content) {
    repo_.write(".git/refs/tags/" + name, content);
  };
  const auto link = [&](const std::string& name, const std::string& target) {
    std::filesystem::create_symlink(target, git_dir() + "/refs/tags/" + name);
  };
  tag("good", hex);
  tag("deep/good", hex);
  RefStore refs = store();
  // By name, and whether git takes it for a ref.
  const auto expect_as_git = [&](const std::string& what) {
    const auto listed = refs.list_below("refs/tags/");
    ASSERT_TRUE(listed.ok()) << what << ": " << listed.error().message;
    std::string ours;
    for (const RefStore::Listed& ref : *listed) ours += ref.id.hex() + " " + ref.name + "\n";
    EXPECT_EQ(ours, repo_.git({"for-each-ref", "--format=%(objectname) %(refname)", "refs/tags"}))
        << what;
  };
  expect_as_git("good ones");
  EXPECT_TRUE(refs.refs_below("refs/tags/").ok());
  repo_.git({"symbolic-ref", "refs/tags/nowhere", "refs/heads/none"});
  expect_as_git("a symbolic ref that leads nowhere");
  EXPECT_EQ(refs.refs_below("refs/tags/").error().code, ErrorCode::kCorrupt);
  tag("hidden", "");
  expect_as_git("an empty one, before a packed one");
  tag("a..b", hex);
  tag("null", std::string(40, '0') + "\n");
  tag("rubbish", "rubbish\n");
  tag("to-invalid", "ref: refs/heads/..\n");
  expect_as_git("badly named and damaged ones");
  tag(".dot/a", hex);
  tag("b.lock/a", hex);
  expect_as_git("directories that none can be in");
  for (int i = 1; i < 6; ++i) {
    tag("chain" + std::to_string(i), "ref: refs/tags/chain" + std::to_string(i + 1));
  }
  tag("chain6", hex);
  tag("circle", "ref: refs/tags/circle\n");
  expect_as_git("chains that are too long");
  link("behind-a-link", "/nowhere");
  link("link", "good");
  link("circular-link", "circular-link");
  link("old", "refs/heads/main");
  expect_as_git("links to files and to nothing");
  repo_.write("elsewhere/v9", hex);
  repo_.write("elsewhere/deep/v9", "ref: refs/heads/main\n");
  link("directory", repo_.work() + "/elsewhere");
  expect_as_git("a link to a directory");
  EXPECT_EQ(refs.refs_below("refs/tags/directory/")->size(), 2u);
  std::filesystem::create_symlink(".", repo_.work() + "/elsewhere/circle");
  expect_as_git("one in a circle, as far as the system follows it");
  std::filesystem::create_symlink(".", repo_.work() + "/elsewhere/another");
  EXPECT_EQ(refs.list_below("refs/tags/").error().code, ErrorCode::kUnsupported);
  (void)refs.files_below("refs/tags/");
}

TEST_F(RefStoreTest, FilesOfLooseRefsAndOfWhatTheyLeadTo) {
  init();
  repo_.git({"tag", "a"});
  repo_.git({"tag", "deep/b"});
  repo_.git({"symbolic-ref", "refs/tags/s", "refs/heads/next"});
  repo_.git({"symbolic-ref", "refs/heads/next", "refs/heads/none"});
  repo_.write("elsewhere/v9", one_.hex());
  std::filesystem::create_directory_symlink(repo_.work() + "/elsewhere",
                                            git_dir() + "/refs/tags/l");
  std::filesystem::create_symlink("/nowhere", git_dir() + "/refs/tags/m");
  RefStore refs = store();
  const auto files = [&] {
    std::vector<std::string> all = refs.files_below("refs/tags/");
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::string names;
    for (const std::string& file : all) names += file.substr(git_dir().size() + 1) + " ";
    return names;
  };
  const std::string led_to = "packed-refs refs/heads/next refs/heads/none refs/tags/ ";
  EXPECT_EQ(files(), led_to +
                         "refs/tags/a refs/tags/deep/ refs/tags/deep/b refs/tags/l/ "
                         "refs/tags/l/v9 refs/tags/m refs/tags/s ");
  // So many that they are not named one by one, but for the symbolic one.
  for (int i = 0; i < 150; ++i) {
    repo_.write(".git/refs/tags/deep/t" + std::to_string(i), one_.hex() + "\n");
  }
  const std::string links = "refs/tags/deep/ refs/tags/l/ refs/tags/m refs/tags/s ";
  EXPECT_EQ(files(), led_to + links);
  repo_.git({"symbolic-ref", "refs/tags/deep/t7", "refs/heads/other"});
  const std::string more =
      "packed-refs refs/heads/next refs/heads/none refs/heads/other refs/tags/ refs/tags/deep/ "
      "refs/tags/deep/t7 refs/tags/l/ refs/tags/m refs/tags/s ";
  EXPECT_EQ(files(), more);
  repo_.git({"update-ref", "--no-deref", "refs/tags/deep/t7", one_.hex()});
  EXPECT_EQ(files(), led_to + links);
}

// Who tells all of them apart reads each of them.
TEST_F(RefStoreTest, ManyLooseRefsAreNotReadAgainToFindTheSymbolicOnes) {
  init();
  for (int i = 0; i < 150; ++i) {
    repo_.write(".git/refs/tags/t" + std::to_string(i), one_.hex() + "\n");
  }
  testing::CountingFileSystem fs;
  fs.run_ahead(100);
  RefStore refs(git_dir(), git_dir(), algorithm_, fs);
  const auto reads = [&] {
    fs.calls().reset();
    (void)refs.files_below("refs/tags/");
    return fs.calls().read_file_at.load();
  };
  EXPECT_EQ(reads(), 150u);
  EXPECT_EQ(reads(), 0u);
  repo_.git({"tag", "one-more"});
  EXPECT_EQ(reads(), 151u);
}

TEST_F(RefStoreTest, UnsortedPackedRefs) {
  init();
  make_many_refs();
  repo_.git({"pack-refs", "--all", "--prune"});
  std::string text = repo_.read(".git/packed-refs");
  const size_t first_line = text.find('\n') + 1;
  // The same records from last to first, and no header.
  std::vector<std::string> records;
  for (size_t at = first_line; at < text.size();) {
    const size_t end = text.find('\n', at) + 1;
    if (text[at] == '^') {
      records.back() += text.substr(at, end - at);
    } else {
      records.push_back(text.substr(at, end - at));
    }
    at = end;
  }
  std::string reversed;
  for (auto record = records.rbegin(); record != records.rend(); ++record) reversed += *record;
  repo_.write(".git/packed-refs", reversed);
  RefStore refs = store();
  EXPECT_EQ(compare_with_git(refs), 702);
}

TEST_F(RefStoreTest, WhatPackedTagsLeadToStandsBesideThem) {
  init();
  repo_.git({"tag", "light", two_.hex()});
  repo_.git({"tag", "-a", "-m", "x", "heavy", two_.hex()});
  repo_.git({"tag", "-a", "-m", "x", "nested", "heavy"});
  repo_.git({"pack-refs", "--all"});
  repo_.git({"tag", "-a", "-m", "x", "loose", two_.hex()});
  const std::string packed = repo_.read(".git/packed-refs");
  const std::string unsorted = packed.substr(packed.find('\n') + 1);
  for (const std::string& text : {packed, unsorted}) {
    repo_.write(".git/packed-refs", text);
    RefStore refs = store();
    const auto listed = refs.list_below("refs/tags/");
    ASSERT_TRUE(listed.ok()) << listed.error().message;
    ASSERT_EQ(listed->size(), 4u);
    const std::array<std::string, 4> names = {"heavy", "light", "loose", "nested"};
    for (size_t i = 0; i < names.size(); ++i) {
      const RefStore::Listed& ref = (*listed)[i];
      EXPECT_EQ(ref.name, "refs/tags/" + names[i]);
      EXPECT_EQ(ref.id, id(ref.name));
      const bool is_noted = names[i] == "heavy" || names[i] == "nested";
      EXPECT_EQ(ref.peeled, is_noted ? std::optional(two_) : std::nullopt) << ref.name;
    }
  }
  for (const std::string& line :
       {std::string("^rubbish\n"), "^" + two_.hex() + " \n", "^" + two_.hex().substr(1) + "\n"}) {
    std::string damaged = packed;
    damaged.replace(damaged.find('^'), two_.hex().size() + 2, line);
    repo_.write(".git/packed-refs", damaged);
    RefStore refs = store();
    EXPECT_EQ(refs.list_below("refs/tags/").error().code, ErrorCode::kCorrupt) << line;
  }
}

TEST_F(RefStoreTest, Sha256) {
  init({"--object-format=sha256"});
  repo_.git({"pack-refs", "--all", "--prune"});
  RefStore refs = store();
  EXPECT_EQ(compare_with_git(refs), 1);
  EXPECT_EQ(refs.head()->id->size(), 32u);
}

TEST_F(RefStoreTest, LinkedWorktrees) {
  init();
  repo_.git({"worktree", "add", "-q", "-b", "side", repo_.path("linked"), one_.hex()});
  repo_.enter("linked");
  repo_.git({"update-ref", "refs/bisect/bad", two_.hex()});
  repo_.git({"update-ref", "refs/worktree/mine", one_.hex()});
  RefStore linked(git_dir() + "/worktrees/linked", git_dir(), algorithm_, posix_file_system());
  RefStore main = store();
  EXPECT_EQ(*linked.head(), (Head{false, "refs/heads/side", one_}));
  EXPECT_EQ(*main.head(), (Head{false, "refs/heads/main", two_}));
  EXPECT_EQ(*linked.resolve("refs/heads/main"), two_);
  for (const char* name : {"refs/bisect/bad", "refs/worktree/mine"}) {
    EXPECT_EQ(*linked.resolve(name), id(name));
    EXPECT_EQ(*main.resolve(name), std::nullopt);
  }
  EXPECT_EQ(*linked.resolve("main-worktree/HEAD"), two_);
  EXPECT_EQ(*main.resolve("worktrees/linked/HEAD"), one_);
}

TEST_F(RefStoreTest, BadHeadsAreNamed) {
  init();
  RefStore refs = store();
  const std::string head = git_dir() + "/HEAD";
  auto error_of = [&](std::string_view content) {
    write_whole_file(head, content);
    auto result = refs.head();
    EXPECT_FALSE(result.ok());
    return result.ok() ? "none" : result.error().message;
  };
  const std::string neither = head + ": contains neither an object id nor a ref name";
  const std::string invalid = head + ": points at an invalid ref name";
  EXPECT_EQ(error_of(""), neither);
  EXPECT_EQ(error_of("garbage\n"), neither);
  EXPECT_EQ(error_of(two_.hex() + "f\n"), neither);
  EXPECT_EQ(error_of(std::string(64, '1')), neither);
  EXPECT_EQ(error_of("ref:"), invalid);
  EXPECT_EQ(error_of("ref: ../../etc/passwd"), invalid);
  EXPECT_EQ(error_of("ref: refs/heads/a\nb"), invalid);
  EXPECT_EQ(error_of(std::string("ref: refs/heads/a\0b", 19)), invalid);
  // git's isspace() knows neither of these two.
  EXPECT_EQ(error_of("ref: refs/heads/main\n\f"), invalid);
  EXPECT_EQ(error_of("ref: refs/heads/main\n\v\n"), invalid);
  EXPECT_EQ(error_of("ref: main"), head + ": points outside refs/");

  write_whole_file(head, "ref: refs/heads/.invalid");
  EXPECT_EQ(refs.head().error().code, ErrorCode::kCorrupt);
  std::filesystem::remove(head);
  EXPECT_EQ(refs.head().error().code, ErrorCode::kNotFound);
  EXPECT_EQ(refs.head().error().message, head + ": does not exist");
}

TEST_F(RefStoreTest, GarbageAndCirclesInRefs) {
  init();
  RefStore refs = store();
  repo_.write(".git/refs/heads/bad", "rubbish\n");
  repo_.write(".git/refs/heads/a", "ref: refs/heads/b\n");
  repo_.write(".git/refs/heads/b", "ref: refs/heads/a\n");
  auto bad = refs.resolve("refs/heads/bad");
  ASSERT_FALSE(bad.ok());
  EXPECT_TRUE(bad.error().message.starts_with(git_dir() + "/refs/heads/bad: "));
  auto circle = refs.resolve("refs/heads/a");
  ASSERT_FALSE(circle.ok());
  EXPECT_TRUE(
      circle.error().message.starts_with(git_dir() + "/refs/heads/a: symbolic refs form a loop"));
  repo_.write(".git/HEAD", "ref: refs/heads/a\n");
  EXPECT_EQ(refs.head().error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE(refs.exists("refs/heads/a"));
  EXPECT_FALSE(refs.exists("refs/heads/none"));
  EXPECT_TRUE(refs.exists("refs/heads/main"));
  EXPECT_EQ(*refs.resolve("refs/heads/../heads/main"), std::nullopt);
}

TEST_F(RefStoreTest, WhatANameMayMean) {
  init();
  RefStore refs = store();
  repo_.git({"symbolic-ref", "refs/heads/other", "refs/heads/main"});
  auto found = refs.look_up("refs/heads/other");
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->name, "refs/heads/main");
  EXPECT_EQ((*found)->id.hex(), repo_.git_line({"rev-parse", "main"}));
  auto none = refs.look_up("refs/heads/none");
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  repo_.git({"symbolic-ref", "refs/heads/dangling", "refs/heads/none"});
  EXPECT_EQ(refs.look_up("refs/heads/dangling").error().code, ErrorCode::kCorrupt);
  repo_.write(".git/refs/heads/bad", "rubbish\n");
  EXPECT_EQ(refs.look_up("refs/heads/bad").error().code, ErrorCode::kCorrupt);
}

TEST_F(RefStoreTest, DamagedPackedRefs) {
  init();
  make_many_refs();
  repo_.git({"pack-refs", "--all", "--prune"});
  RefStore refs = store();
  const std::string good = repo_.read(".git/packed-refs");
  auto error_of = [&](const std::string& content) {
    repo_.write(".git/packed-refs", content);
    auto result = refs.resolve("refs/heads/main");
    EXPECT_FALSE(result.ok());
    return result.ok() ? "none" : result.error().message;
  };
  const std::string path = git_dir() + "/packed-refs: ";
  EXPECT_EQ(error_of(good + "x"), path + "the last line is incomplete");
  EXPECT_EQ(error_of("# what\n"), path + "unexpected line: # what");
  EXPECT_EQ(error_of("# pack-refs with: sorted"),
            path + "unexpected line: # pack-refs with: sorted");
  EXPECT_EQ(error_of("rubbish\n"), path + "unexpected line: rubbish");
  EXPECT_EQ(error_of("# pack-refs with: sorted \nrubbish\n"), path + "unexpected line: rubbish");
  EXPECT_EQ(error_of("^" + two_.hex() + "\n"), path + "unexpected line: ^" + two_.hex());
  const std::string bad_id = std::string(40, 'x') + " refs/heads/main";
  EXPECT_EQ(error_of(bad_id + "\n"), path + "unexpected line: " + bad_id);
  // Cut anywhere: an answer or an error, never a crash.
  for (size_t length = 0; length < 400; ++length) {
    repo_.write(".git/packed-refs", good.substr(0, length));
    [[maybe_unused]] auto result = refs.resolve("refs/heads/main");
  }
  repo_.write(".git/packed-refs", good);
  EXPECT_EQ(*refs.resolve("refs/heads/main"), two_);
}

}  // namespace
}  // namespace resident
