#include "hash/keyed_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace resident {
namespace {

TEST(KeyedHash, EveryBitAndTheLengthCount) {
  for (const size_t size : {0, 1, 7, 8, 16, 17, 128, 129, 240, 241, 1500}) {
    std::string text(size, 'n');
    std::set<Fingerprint> fingerprints{kNoFingerprint, fingerprint(as_bytes(text))};
    std::set<uint64_t> hashes{keyed_hash(text)};
    text.push_back('n');
    for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      fingerprints.insert(fingerprint(as_bytes(text)));
      hashes.insert(keyed_hash(text));
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    }
    EXPECT_EQ(fingerprints.size(), 2 + 8 * text.size());
    EXPECT_EQ(hashes.size(), 1 + 8 * text.size());
    EXPECT_EQ(fingerprint(as_bytes(text)), fingerprint(as_bytes(std::string(text))));
    EXPECT_EQ(keyed_hash(text), keyed_hash(std::string(text)));
  }
}

}  // namespace
}  // namespace resident
