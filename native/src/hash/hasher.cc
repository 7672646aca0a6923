// The low-level SHA functions are deprecated. The replacement, EVP, allocates for each digest and
// links all of libcrypto's providers into a static binary.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "hash/hasher.h"

#include <string>

namespace resident {

Hasher::Hasher(HashAlgorithm algorithm) {
  if (algorithm == HashAlgorithm::kSha1) {
    SHA1_Init(&context_.emplace<SHA_CTX>());
  } else {
    SHA256_Init(&context_.emplace<SHA256_CTX>());
  }
}

void Hasher::update(Bytes bytes) {
  if (auto* sha1 = std::get_if<SHA_CTX>(&context_)) {
    SHA1_Update(sha1, bytes.data(), bytes.size());
  } else {
    SHA256_Update(std::get_if<SHA256_CTX>(&context_), bytes.data(), bytes.size());
  }
}

ObjectId Hasher::finish() {
  uint8_t digest[kMaxHashSize];
  if (auto* sha1 = std::get_if<SHA_CTX>(&context_)) {
    SHA1_Final(digest, sha1);
    return ObjectId::from_bytes({digest, 20});
  }
  SHA256_Final(digest, std::get_if<SHA256_CTX>(&context_));
  return ObjectId::from_bytes({digest, 32});
}

ObjectId hash_bytes(HashAlgorithm algorithm, Bytes bytes) {
  Hasher hasher(algorithm);
  hasher.update(bytes);
  return hasher.finish();
}

Hasher object_hasher(HashAlgorithm algorithm, std::string_view type, uint64_t size) {
  std::string header(type);
  header += ' ';
  header += std::to_string(size);
  header += '\0';
  Hasher hasher(algorithm);
  hasher.update(header);
  return hasher;
}

ObjectId hash_object(HashAlgorithm algorithm, std::string_view type, Bytes content) {
  Hasher hasher = object_hasher(algorithm, type, content.size());
  hasher.update(content);
  return hasher.finish();
}

}  // namespace resident
