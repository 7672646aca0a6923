// Tests the object database with real repositories: each object must equal `git cat-file`'s.
#include "odb/object_database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <thread>

#include "fs/linux/posix_file_system.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

using testing::RepoBuilder;
namespace fs = std::filesystem;

std::string objects_dir(const RepoBuilder& repo) {
  return repo.work() + "/.git/objects";
}

std::unique_ptr<ObjectDatabase> open_database(const std::string& directory,
                                              ObjectDatabase::Options options = {}) {
  auto database = ObjectDatabase::open(posix_file_system(), directory, options);
  EXPECT_TRUE(database.ok());
  return database.ok() ? std::move(*database) : nullptr;
}

// Imports commits that change a few lines of a few files: packing then finds deltas. Adds a tag and
// a symbolic link. `unpack_limit` decides whether the objects are loose or packed.
void import_history(RepoBuilder& repo, int commits, const std::string& unpack_limit) {
  std::mt19937 random(7);
  std::vector<std::vector<std::string>> files(5);
  for (auto& lines : files) {
    for (int i = 0; i < 200; ++i) lines.push_back("line " + std::to_string(random()) + "\n");
  }
  std::string stream;
  auto data = [&](const std::string& content) {
    stream += "data " + std::to_string(content.size()) + "\n" + content + "\n";
  };
  for (int commit = 0; commit < commits; ++commit) {
    stream += "commit refs/heads/main\ncommitter A <a@x> " + std::to_string(1700000000 + commit) +
              " +0000\n";
    data("commit " + std::to_string(commit));
    for (size_t file = 0; file < files.size(); ++file) {
      for (int change = 0; change < 3; ++change) {
        files[file][random() % files[file].size()] = "new " + std::to_string(random()) + "\n";
      }
      std::string content;
      for (const std::string& line : files[file]) content += line;
      stream +=
          "M 100644 inline dir" + std::to_string(file % 2) + "/file" + std::to_string(file) + "\n";
      data(content);
    }
    stream += "M 120000 inline link\n";
    data("dir0/file" + std::to_string(commit % 3));
  }
  stream += "tag v1\nfrom refs/heads/main\ntagger A <a@x> 1700000000 +0000\n";
  data("a tag");
  repo.git({"-c", "fastimport.unpackLimit=" + unpack_limit, "fast-import", "--quiet"}, stream);
}

// Compares every object that git has in the repository. Returns their number.
int compare_with_git(RepoBuilder& repo, ObjectDatabase& database) {
  const std::string all = repo.git({"cat-file", "--batch-all-objects", "--batch", "--unordered"});
  int count = 0;
  for (size_t at = 0; at < all.size(); ++count) {
    const size_t line_end = all.find('\n', at);
    const std::string line = all.substr(at, line_end - at);
    const size_t space = line.find(' '), space2 = line.find(' ', space + 1);
    const ObjectId id = *ObjectId::from_hex(line.substr(0, space));
    const std::string type = line.substr(space + 1, space2 - space - 1);
    const size_t size = std::stoull(line.substr(space2 + 1));
    const std::string content = all.substr(line_end + 1, size);
    at = line_end + 1 + size + 1;

    auto object = database.read(id);
    if (!object.ok()) {
      ADD_FAILURE() << id.hex() << ": " << object.error().message;
      continue;
    }
    EXPECT_EQ(object_type_name(object->type), type) << id.hex();
    EXPECT_TRUE(object->content == content) << id.hex();
    auto info = database.read_info(id);
    EXPECT_TRUE(info.ok() && info->type == object->type && info->size == size) << id.hex();
    EXPECT_TRUE(database.contains(id));
    EXPECT_TRUE(database.verify(id).ok());
  }
  return count;
}

std::string pack_path(const RepoBuilder& repo, std::string_view suffix) {
  for (const auto& entry : fs::directory_iterator(objects_dir(repo) + "/pack")) {
    if (entry.path().string().ends_with(suffix)) return entry.path().string();
  }
  ADD_FAILURE() << "no " << suffix;
  return {};
}

TEST(ObjectDatabase, ReadsLooseObjects) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 10, "100000");
  auto database = open_database(objects_dir(repo));
  EXPECT_GT(compare_with_git(repo, *database), 80);
}

TEST(ObjectDatabase, ReadsPacksWithLongDeltaChains) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 60, "1");
  repo.git({"repack", "-adfq", "--depth=50", "--window=50"});
  auto database = open_database(objects_dir(repo));
  EXPECT_GT(compare_with_git(repo, *database), 400);
  // Repeat without a cache and with a tiny cache.
  for (size_t cache : {size_t{0}, size_t{9000}}) {
    auto small = open_database(objects_dir(repo), {.delta_base_cache_bytes = cache});
    compare_with_git(repo, *small);
  }
}

TEST(ObjectDatabase, ReadsRefDeltas) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 20, "1");
  repo.git({"-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq", "--depth=50"});
  auto database = open_database(objects_dir(repo));
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, ReadsPackIndexVersion1) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 20, "1");
  repo.git({"-c", "pack.indexVersion=1", "repack", "-adfq"});
  EXPECT_NE(testing::read_whole_file(pack_path(repo, ".idx")).substr(0, 4), "\377tOc");
  auto database = open_database(objects_dir(repo));
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, ReadsSeveralPacks) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 10, "1");
  std::mt19937 random(3);
  for (int i = 0; i < 6; ++i) {
    std::string noise(700 * 1024, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    repo.write("noise" + std::to_string(i), noise);
  }
  repo.git({"add", "."});
  repo.git({"commit", "-qm", "noise"});
  repo.git({"-c", "pack.packSizeLimit=1m", "repack", "-adfq"});
  int packs = 0;
  for (const auto& entry : fs::directory_iterator(objects_dir(repo) + "/pack")) {
    packs += entry.path().extension() == ".pack";
  }
  EXPECT_GT(packs, 3);
  auto database = open_database(objects_dir(repo));
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, Reads64BitOffsets) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 20, "1");
  repo.git({"repack", "-adfq"});
  const std::string index = pack_path(repo, ".idx");
  const size_t size = fs::file_size(index);
  fs::remove(index);
  repo.git({"index-pack", "--index-version=2,0x40", "-o", index, pack_path(repo, ".pack")});
  EXPECT_GT(fs::file_size(index), size);
  auto database = open_database(objects_dir(repo));
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, ReadsSha256Repositories) {
  RepoBuilder repo;
  repo.init({"--object-format=sha256"});
  import_history(repo, 20, "1");
  repo.git({"repack", "-adfq", "--depth=50"});
  repo.write("loose", "one loose object\n");
  repo.git({"add", "loose"});
  auto database = open_database(objects_dir(repo), {.algorithm = HashAlgorithm::kSha256});
  EXPECT_GT(compare_with_git(repo, *database), 100);
}

TEST(ObjectDatabase, FollowsAlternates) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 5, "1");
  const std::string head = repo.git_line({"rev-parse", "HEAD"});
  repo.git({"clone", "-q", "--shared", repo.work(), repo.path("second")});
  repo.git({"clone", "-q", "--shared", repo.path("second"), repo.path("third")});
  repo.enter("third");
  repo.write("own", "an object of the third repository\n");
  repo.git({"add", "own"});
  auto database = open_database(objects_dir(repo));
  EXPECT_GT(compare_with_git(repo, *database), 20);

  // Alternates by relative path, then through the environment.
  repo.write(".git/objects/info/alternates",
             "../../../second/.git/objects\n# a comment\n/nowhere\n");
  auto relative = open_database(objects_dir(repo));
  EXPECT_TRUE(relative->contains(*ObjectId::from_hex(head)));
  ASSERT_EQ(relative->problems().size(), 1u);
  EXPECT_NE(relative->problems()[0].message.find("/nowhere"), std::string::npos);
  repo.write(".git/objects/info/alternates", "");
  EXPECT_FALSE(open_database(objects_dir(repo))->contains(*ObjectId::from_hex(head)));
  auto by_environment = open_database(
      objects_dir(repo),
      {.alternate_directories = "/nowhere:\"" + repo.path("repo") + "/.git/obj\\145cts\""});
  EXPECT_TRUE(by_environment->contains(*ObjectId::from_hex(head)));
}

TEST(ObjectDatabase, SurvivesARepackUnderneath) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 10, "1");
  auto database = open_database(objects_dir(repo));
  const ObjectId head = *ObjectId::from_hex(repo.git_line({"rev-parse", "HEAD"}));
  const ObjectId first =
      *ObjectId::from_hex(repo.git_line({"rev-list", "--max-parents=0", "HEAD"}));
  auto untouched = open_database(objects_dir(repo));  // the index is open, the pack is not
  ASSERT_TRUE(database->read(head).ok());

  repo.write("later", "written after opening\n");
  repo.git({"add", "later"});
  repo.git({"commit", "-qm", "later"});
  repo.git({"repack", "-adfq", "--depth=5"});
  repo.git({"prune-packed"});
  // Reads from the mapping of the removed pack, then from the new pack. The second database misses
  // the old pack first.
  EXPECT_TRUE(database->read(first).ok());
  compare_with_git(repo, *database);
  EXPECT_TRUE(untouched->read(first).ok());
  compare_with_git(repo, *untouched);
  database->refresh();
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, ToleratesAMultiPackIndex) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 5, "1");
  repo.git({"multi-pack-index", "write"});
  auto database = open_database(objects_dir(repo));
  compare_with_git(repo, *database);
}

TEST(ObjectDatabase, SaysWhatIsNotThere) {
  RepoBuilder repo;
  repo.init();
  auto database = open_database(objects_dir(repo));
  const ObjectId id = *ObjectId::from_hex(std::string(40, '1'));
  auto object = database->read(id);
  ASSERT_FALSE(object.ok());
  EXPECT_EQ(object.error().code, ErrorCode::kNotFound);
  EXPECT_NE(object.error().message.find(id.hex()), std::string::npos);
  EXPECT_FALSE(database->contains(id));
  EXPECT_FALSE(ObjectDatabase::open(posix_file_system(), repo.path("nothing"), {}).ok());
}

TEST(ObjectDatabase, TheEmptyTreeNeedsNoFile) {
  RepoBuilder repo;
  repo.init();
  auto database = open_database(objects_dir(repo));
  const ObjectId id = *ObjectId::from_hex("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  EXPECT_EQ(*database->read_tree(id), "");
}

TEST(ObjectDatabase, TypedReadsAndPeeling) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 2, "1");
  auto database = open_database(objects_dir(repo));
  auto id_of = [&](const std::string& name) {
    return *ObjectId::from_hex(repo.git_line({"rev-parse", name}));
  };
  EXPECT_EQ(*database->tree_of_commit(id_of("HEAD")), id_of("HEAD^{tree}"));
  EXPECT_EQ(*database->tree_of_commit(id_of("v1")), id_of("HEAD^{tree}"));
  EXPECT_FALSE(database->tree_of_commit(id_of("HEAD:link")).ok());
  EXPECT_EQ(*database->read_blob(id_of("HEAD:link")), repo.git({"cat-file", "blob", "HEAD:link"}));
  EXPECT_TRUE(database->read_tree(id_of("HEAD^{tree}")).ok());
  auto wrong = database->read_tree(id_of("HEAD"));
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message.find("is a commit, not a tree"), std::string::npos);
}

TEST(ObjectDatabase, ObjectsOverTheLimitAreLeftToGit) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 10, "1");
  repo.git({"repack", "-adfq"});
  const ObjectId packed = *ObjectId::from_hex(repo.git_line({"rev-parse", "HEAD:dir0/file0"}));
  const ObjectId loose = *ObjectId::from_hex(
      repo.git_line({"hash-object", "-w", "--stdin"}, std::string(100000, 'x')));
  auto database = open_database(objects_dir(repo), {.max_object_bytes = 1000});
  for (const ObjectId& id : {packed, loose}) {
    auto object = database->read(id);
    ASSERT_FALSE(object.ok());
    EXPECT_EQ(object.error().code, ErrorCode::kUnsupported) << object.error().message;
  }
}

TEST(ObjectDatabase, ManyThreadsReadAtOnce) {
  RepoBuilder repo;
  repo.init();
  import_history(repo, 30, "1");
  repo.git({"repack", "-adfq", "--depth=50"});
  std::vector<ObjectId> ids;
  const std::string list =
      repo.git({"cat-file", "--batch-all-objects", "--batch-check=%(objectname)"});
  for (size_t at = 0; at < list.size(); at += 41)
    ids.push_back(*ObjectId::from_hex(list.substr(at, 40)));
  auto database = open_database(objects_dir(repo), {.delta_base_cache_bytes = 50000});
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < 300; ++i) {
        if (!database->verify(ids[random() % ids.size()]).ok()) ++failures;
        if (i % 50 == 0 && database->contains(*ObjectId::from_hex(std::string(40, '2'))))
          ++failures;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
}

TEST(ObjectDatabase, ReplacedObjectsAreReadInTheirPlace) {
  RepoBuilder repo;
  repo.init();
  std::vector<ObjectId> ids;
  for (const char* content : {"0", "11", "222", "3333", "44444", "555555"}) {
    ids.push_back(*ObjectId::from_hex(repo.git_line({"hash-object", "-w", "--stdin"}, content)));
  }
  auto database = open_database(objects_dir(repo));
  ObjectDatabase::Replacements chain;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    repo.git({"update-ref", "refs/replace/" + ids[i].hex(), ids[i + 1].hex()});
    chain.emplace(ids[i], ids[i + 1]);
  }
  EXPECT_FALSE(database->has_replacements());
  database->set_replacements(std::move(chain));
  EXPECT_TRUE(database->has_replacements());
  for (size_t i = 0; i < ids.size(); ++i) {
    auto ours = database->read_blob(ids[i]);
    auto gits = repo.try_git({"cat-file", "blob", ids[i].hex()});
    ASSERT_EQ(ours.ok(), gits.exit_code == 0) << i;
    if (ours.ok()) {
      EXPECT_EQ(*ours, gits.out) << i;
      EXPECT_EQ(database->read_info(ids[i])->size, gits.out.size());
      EXPECT_TRUE(database->verify(ids[i]).ok());
    } else {
      EXPECT_EQ(ours.error().code, ErrorCode::kUnsupported);
      EXPECT_FALSE(database->read_info(ids[i]).ok());
    }
  }
  EXPECT_FALSE(database->read_blob(ids[0]).ok());
  EXPECT_TRUE(database->read_blob(ids[1]).ok());
}

}  // namespace
}  // namespace resident
