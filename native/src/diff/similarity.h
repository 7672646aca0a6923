// Similarity of two file contents, as git's rename detection estimates it.
//
// A content is cut into chunks, each ending after a newline or after 64 bytes. Chunks are hashed
// into about 2^17 buckets; contents are as similar as the bytes of the chunks that both have. The
// estimate decides which pairs git reports and is printed, so every bucket and rounding is git's
// (diffcore-delta.c, estimate_similarity in diffcore-rename.c).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace resident {

struct ProfileRules {
  // Text: the CR of a CRLF does not count.
  bool text = true;
  // GitRules: otherwise what follows the last newline (or the last 64 bytes) is left out.
  bool counts_incomplete_chunk = true;
};

// What a content is remembered by while it is compared with many others.
class ContentProfile {
 public:
  ContentProfile(std::string_view content, const ProfileRules& rules);

  uint64_t size() const { return size_; }  // bytes of the content
  // Bytes of this content's chunks that `other` has too.
  uint64_t bytes_kept_in(const ContentProfile& other) const;

 private:
  struct Bucket {
    uint32_t hash;
    uint32_t bytes;
  };
  uint64_t size_;
  std::vector<Bucket> buckets_;  // by hash, each once
};

// Where no attribute says what a file is: a NUL among the first 8000 bytes makes it binary.
bool looks_binary(std::string_view content);

// True where the sizes alone keep two contents below `minimum_score`.
bool sizes_rule_out(uint64_t source_size, uint64_t destination_size, int minimum_score);

// 0..kMaxScore.
int similarity_score(const ContentProfile& source, const ContentProfile& destination);

}  // namespace resident
