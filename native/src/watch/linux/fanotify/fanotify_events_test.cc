#include "watch/linux/fanotify/fanotify_events.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/fanotify.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "os/unique_fd.h"
#include "testing/repo_builder.h"

namespace resident {
namespace {

constexpr uint64_t kCreate = 0x100;

std::string number(uint64_t value, size_t size) {
  std::string bytes(size, '\0');
  std::memcpy(bytes.data(), &value, size);
  return bytes;
}

// Makes a record with its type, the file system's id, a handle and a name, padded like the
// kernel's.
std::string record(uint8_t type, const std::string& handle, const std::string& name) {
  std::string rest = std::string("filesyst") + number(handle.size(), 4) + number(1, 4) + handle;
  if (type == 2) rest += name + '\0';
  rest.resize((rest.size() + 3) / 4 * 4);
  return number(type, 2) + number(4 + rest.size(), 2) + rest;
}

std::string event(uint64_t mask, const std::string& records) {
  fanotify_event_metadata head{};
  head.event_len = static_cast<uint32_t>(sizeof head + records.size());
  head.vers = FANOTIFY_METADATA_VERSION;
  head.metadata_len = sizeof head;
  head.mask = mask;
  head.fd = FAN_NOFD;
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + records;
}

struct Told {
  uint64_t mask;
  std::string directory, name;
  bool operator==(const Told&) const = default;
};

// Uses a heap block of the exact size, so that sanitizers find a read beyond it.
bool read(const std::string& bytes, std::vector<Told>& told) {
  const auto exact = std::make_unique<char[]>(bytes.size());
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  return for_each_event({exact.get(), bytes.size()}, [&](const FanotifyEvent& event) {
    told.push_back({event.mask, std::string(event.directory), std::string(event.name)});
  });
}

const std::string kHandle = "eightbyt";
const std::string kKey = "filesyst" + number(8, 4) + number(1, 4) + kHandle;

TEST(FanotifyEvents, TellADirectoryAndAName) {
  std::vector<Told> told;
  EXPECT_TRUE(read(event(kCreate, record(2, kHandle, "name")) + event(4, record(2, kHandle, ".")) +
                       event(4, record(3, kHandle, "")) +
                       event(2, record(1, "other", "") + record(2, kHandle, "of a file")) +
                       event(FAN_Q_OVERFLOW, ""),
                   told));
  EXPECT_EQ(told, (std::vector<Told>{{kCreate, kKey, "name"},
                                     {4, kKey, ""},
                                     {4, kKey, ""},
                                     {2, kKey, "of a file"},
                                     {FAN_Q_OVERFLOW, "", ""}}));
}

TEST(FanotifyEvents, OneWithoutADirectoryIsNone) {
  std::vector<Told> told;
  EXPECT_FALSE(read(event(kCreate, ""), told));
  EXPECT_FALSE(read(event(kCreate, record(1, kHandle, "")), told));
  EXPECT_TRUE(told.empty());
}

TEST(FanotifyEvents, ATruncatedOneIsNone) {
  const std::string one = event(kCreate, record(2, kHandle, "name"));
  const std::string two = one + event(2, record(2, kHandle, "other"));
  for (size_t size = 0; size < two.size(); ++size) {
    std::vector<Told> told;
    EXPECT_EQ(read(two.substr(0, size), told), size == 0 || size == one.size()) << size;
    EXPECT_EQ(told.size(), size >= one.size() ? 1u : 0u) << size;
  }
}

TEST(FanotifyEvents, LengthsThatLieAreFoundOut) {
  const std::string whole = event(kCreate, record(2, kHandle, "name"));
  const size_t head = sizeof(fanotify_event_metadata);
  std::vector<Told> told;
  const auto with = [&](size_t at, const std::string& bytes) {
    std::string changed = whole;
    changed.replace(at, bytes.size(), bytes);
    return read(changed, told);
  };
  EXPECT_TRUE(with(0, ""));
  told.clear();
  EXPECT_FALSE(with(0, number(head - 1, 4))) << "an event shorter than its head";
  EXPECT_FALSE(with(0, number(0, 4)));
  EXPECT_FALSE(with(0, number(whole.size() + 1, 4)));
  EXPECT_FALSE(with(4, number(2, 1))) << "another version";
  EXPECT_FALSE(with(6, number(head - 1, 2)));
  EXPECT_FALSE(with(6, number(whole.size() + 1, 2)));
  EXPECT_FALSE(with(head + 2, number(0, 2))) << "a record without a length";
  EXPECT_FALSE(with(head + 2, number(0xffff, 2)));
  EXPECT_FALSE(with(head + 12, number(0xffffffff, 4))) << "a handle beyond its record";
  EXPECT_FALSE(with(head + 12, number(1000, 4)));
  EXPECT_FALSE(with(head + 12, number(whole.size() - head - 20, 4))) << "and no name";
  EXPECT_FALSE(with(whole.size() - 4, "endl")) << "a name without an end";
  EXPECT_TRUE(told.empty());
}

TEST(FanotifyEvents, AnyBytesAreReadWithinTheirBounds) {
  std::mt19937 random(1);
  const std::string sound =
      event(kCreate, record(2, kHandle, "name")) + event(2, record(3, kHandle, ""));
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = sound;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    std::vector<Told> told;
    refused += !read(bytes, told);
    for (const Told& event : told) EXPECT_LE(event.directory.size(), bytes.size());
  }
  EXPECT_GT(refused, 1000);
}

TEST(DirectoryKey, IsADirectorysWhateverItsPath) {
  testing::RepoBuilder files;
  const auto key_of = [&](const std::string& name) {
    const UniqueFd directory(::open(files.path(name).c_str(), O_RDONLY | O_DIRECTORY));
    return DirectoryKey::of(directory.get());
  };
  std::filesystem::create_directories(files.path("a/b"));
  const auto a = key_of("a"), b = key_of("a/b");
  if (!a) GTEST_SKIP() << "a file system without lasting handles";
  EXPECT_NE(a->bytes(), b->bytes());
  EXPECT_EQ(a->file_system(), b->file_system());
  std::filesystem::rename(files.path("a"), files.path("c"));
  EXPECT_EQ(key_of("c")->bytes(), a->bytes());
  EXPECT_EQ(key_of("c/b")->bytes(), b->bytes());
  std::filesystem::remove_all(files.path("c"));
  std::filesystem::create_directories(files.path("a"));
  EXPECT_NE(key_of("a")->bytes(), a->bytes());

  const UniqueFd proc(::open("/proc", O_RDONLY | O_DIRECTORY));
  EXPECT_FALSE(DirectoryKey::of(proc.get()));
  EXPECT_FALSE(DirectoryKey::of(-1));
}

}  // namespace
}  // namespace resident
