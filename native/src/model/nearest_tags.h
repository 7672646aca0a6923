// NearestTags: keeps two tags of HEAD's commit. The nearest tag is the tag that `git describe`
// finds. The last tag is the last by name that points to the commit.
//
// If the owner can wait, tags are read and commits visited in steps. The refs know which files
// change when tags or history change. If HEAD moves to another commit, that commit is described
// with the known tags.
//
// Threads: the model's owner.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/describe.h"
#include "history/tag_names.h"
#include "model/model_view.h"

namespace resident {

class NearestTags {
 public:
  enum class Which : uint8_t { kAnnotated, kAll };  // `git describe`, `git describe --tags`

  // `gate` may be null.
  explicit NearestTags(MetadataGate* gate) : gate_(gate) {}

  // Describes HEAD's commit. `tag` is empty on an unborn branch too. Makes one step of the search
  // within `budget`; nullopt: call again. An error (see Describe) stays until something changes.
  Result<std::optional<Description>> describe(const ModelView& view, const InputVersions& versions,
                                              Which which, const Describe::Budget& budget);

  // The last tag at `commit`, without refs/tags/. `commit` is HEAD's. "": no readable tag. One step
  // within `budget`; nullopt: call again.
  std::optional<std::string> last_tag(const ModelView& view, const InputVersions& versions,
                                      const ObjectId& commit, const Describe::Budget& budget);

  // The files that decide both tags, once they were asked for.
  std::vector<std::string> files() const;

 private:
  struct Search {
    std::unique_ptr<Describe> walk;  // during the search
    std::optional<Result<Description>> found;
  };
  using Counts = std::array<uint64_t, 2>;

  void update_search(const ModelView& view, const InputVersions& versions, const Counts& replaced);
  void update_tags(const ModelView& view, const InputVersions& versions, const Counts& replaced);
  // False: `budget` is used up.
  bool load_tags(const ModelView& view, const Describe::Budget& budget);
  Result<std::unique_ptr<Describe>> begin(const ModelView& view, Which which) const;
  Result<std::optional<Description>> step(const ModelView& view, Which which,
                                          const Describe::Budget& budget);

  MetadataGate* const gate_;

  std::optional<Counts> tags_made_from_;
  FileSet tag_files_;
  TagNames tags_;
  bool loading_ = false;
  std::optional<Error> listing_failure_;
  uint64_t tags_head_ = 0;  // InputVersions::head of the last failure

  // Inputs of a search, beside the tags.
  FileSet history_files_;
  std::optional<Counts> history_made_from_;
  std::optional<ObjectId> commit_;
  uint64_t head_ = 0;  // InputVersions::head of the last failure
  uint64_t tags_version_ = 0;
  std::array<Search, 2> searches_;  // by Which
};

}  // namespace resident
