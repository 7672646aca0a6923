// Test fixture: a repository of either hash whose packs have multi-pack-indexes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fs/linux/posix_file_system.h"
#include "odb/object_database.h"
#include "testing/repo_builder.h"

namespace resident::testing {

class MultiPackIndexFixture : public ::testing::TestWithParam<const char*> {
 protected:
  MultiPackIndexFixture() { repo_.init({std::string("--object-format=") + GetParam()}); }

  std::string objects_dir() const { return repo_.work() + "/.git/objects"; }
  std::string pack_dir() const { return objects_dir() + "/pack"; }
  HashAlgorithm algorithm() const {
    return std::string(GetParam()) == "sha1" ? HashAlgorithm::kSha1 : HashAlgorithm::kSha256;
  }
  // Overwrites a file that git made read-only.
  static void damage(const std::string& path, const std::string& content) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    write_whole_file(path, content);
  }
  // All objects that git finds without multi-pack-indexes.
  std::vector<ObjectId> objects() {
    std::vector<ObjectId> ids;
    const std::string listed = repo_.git({"-c", "core.multiPackIndex=false", "cat-file",
                                          "--batch-all-objects", "--batch-check=%(objectname)"});
    const size_t size = 2 * hash_size(algorithm());
    for (size_t at = 0; at < listed.size(); at += size + 1) {
      ids.push_back(*ObjectId::from_hex(std::string_view(listed).substr(at, size)));
    }
    return ids;
  }
  // True if all objects can be read and the database has no problems.
  bool reads(const std::vector<ObjectId>& ids, const ObjectAids& aids = {}) {
    auto database =
        ObjectDatabase::open(posix_file_system(), objects_dir(), {.algorithm = algorithm()});
    if (!database.ok()) return false;
    (*database)->use(aids);
    if (!(*database)->problems().empty()) return false;
    return std::all_of(ids.begin(), ids.end(),
                       [&](const ObjectId& id) { return (*database)->read(id).ok(); });
  }
  bool git_says_only(const std::string& status) {
    const auto said = repo_.try_git({"status", "--porcelain"});
    return said.exit_code == 0 && said.err.empty() && said.out == status;
  }

  RepoBuilder repo_;
};

// Test fixture: a repository with a chain of multi-pack-indexes.
class MultiPackIndexChainFixture : public MultiPackIndexFixture {
 protected:
  std::string directory() const { return pack_dir() + "/multi-pack-index.d"; }
  std::string chain_path() const { return directory() + "/multi-pack-index-chain"; }
  std::string layer_path(const std::string& id, const std::string& suffix = ".midx") const {
    return directory() + "/multi-pack-index-" + id + suffix;
  }
  // Adds a layer that covers `pack`, also if git cannot write chains. Returns the layer's checksum.
  ObjectId add_layer_of(const std::string& pack) {
    repo_.git({"multi-pack-index", "write", "--stdin-packs"}, "pack-" + pack + ".idx\n");
    const std::string layer = read_whole_file(pack_dir() + "/multi-pack-index");
    const ObjectId id = ObjectId::from_bytes(as_bytes(layer).last(hash_size(algorithm())));
    std::filesystem::create_directories(directory());
    std::filesystem::rename(pack_dir() + "/multi-pack-index", layer_path(id.hex()));
    chain_ += id.hex() + "\n";
    write_whole_file(chain_path(), chain_);
    return id;
  }

 private:
  std::string chain_;
};

}  // namespace resident::testing
