// Hasher: incremental SHA-1 or SHA-256 by OpenSSL's libcrypto, which uses the CPU's SHA
// instructions.
//
// Threads: one Hasher belongs to one thread at a time.
#pragma once

#include <openssl/sha.h>

#include <string_view>
#include <variant>

#include "base/bytes.h"
#include "hash/object_id.h"

namespace resident {

class Hasher {
 public:
  explicit Hasher(HashAlgorithm algorithm);

  void update(Bytes bytes);
  void update(std::string_view text) { update(as_bytes(text)); }
  // The digest of everything given so far. The hasher is spent afterwards.
  ObjectId finish();

 private:
  std::variant<SHA_CTX, SHA256_CTX> context_;
};

// The digest of `bytes`, without a header: checksums of index and pack files.
ObjectId hash_bytes(HashAlgorithm algorithm, Bytes bytes);

// One that was given the header of such an object, whose content follows.
Hasher object_hasher(HashAlgorithm algorithm, std::string_view type, uint64_t size);
// The id of the object "<type> <size>\0<content>", `type` being "blob", "tree", "commit" or "tag".
ObjectId hash_object(HashAlgorithm algorithm, std::string_view type, Bytes content);

}  // namespace resident
