// Hasher: incremental SHA-1 or SHA-256 by OpenSSL's libcrypto, which uses the CPU's SHA
// instructions.
//
// Threads: one thread at a time may use a Hasher.
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
  // Returns the digest of all data. Do not use the hasher afterwards.
  ObjectId finish();

 private:
  std::variant<SHA_CTX, SHA256_CTX> context_;
};

// The digest of `bytes` without an object header. Index and pack files use it as checksum.
ObjectId hash_bytes(HashAlgorithm algorithm, Bytes bytes);

// A hasher that already contains the object's header. Add the content next.
Hasher object_hasher(HashAlgorithm algorithm, std::string_view type, uint64_t size);
// The id of the object "<type> <size>\0<content>". `type` is "blob", "tree", "commit" or "tag".
ObjectId hash_object(HashAlgorithm algorithm, std::string_view type, Bytes content);

}  // namespace resident
