// Estimates the similarity of two contents, like git's rename detection.
//
// A content is cut into chunks. A chunk ends after a newline or after 64 bytes. Chunks are hashed
// into about 2^17 buckets. The similarity is the share of bytes in chunks that both contents have.
// The estimate is printed and selects the reported pairs. Therefore every bucket and rounding is
// the same as git's (diffcore-delta.c, estimate_similarity in diffcore-rename.c).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace resident {

struct ProfileRules {
  // Text: ignore the CR of a CRLF.
  bool text = true;
  // GitRules. False: an incomplete chunk at the end is ignored.
  bool counts_incomplete_chunk = true;
};

// The summary of a content, for comparison with many others.
class ContentProfile {
 public:
  ContentProfile(std::string_view content, const ProfileRules& rules);

  uint64_t size() const { return size_; }  // bytes of the content
  // The bytes of this content's chunks that `other` also has.
  uint64_t bytes_kept_in(const ContentProfile& other) const;

 private:
  struct Bucket {
    uint32_t hash;
    uint32_t bytes;
  };
  uint64_t size_;
  std::vector<Bucket> buckets_;  // sorted by hash; each hash once
};

// The test for files without a `diff` attribute: a NUL in the first 8000 bytes makes a file binary.
bool looks_binary(std::string_view content);

// True if the sizes alone keep the similarity below `minimum_score`.
bool sizes_rule_out(uint64_t source_size, uint64_t destination_size, int minimum_score);

// 0 to kMaxScore.
int similarity_score(const ContentProfile& source, const ContentProfile& destination);

}  // namespace resident
