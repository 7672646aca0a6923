// NearestTags: the tags of HEAD's commit: the one that is nearest, as `git describe` finds it, and
// the last one by name that stands on it; kept.
//
// Tags are read, and commits visited, in steps, where the owner can wait. Which files say that tags
// or history are others than they were is known from the refs; a commit that HEAD moved to is
// described anew, with the tags that are known.
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

  // Of HEAD's commit; `tag` is empty on an unborn branch too. A step of the search within `budget`;
  // nullopt: it goes on with the next call. An error, as Describe has it, stays until something
  // changes.
  Result<std::optional<Description>> describe(const ModelView& view, const InputVersions& versions,
                                              Which which, const Describe::Budget& budget);

  // Of `commit`, HEAD's, without refs/tags/; empty: none that can be read. A step within `budget`;
  // nullopt as above.
  std::optional<std::string> last_tag(const ModelView& view, const InputVersions& versions,
                                      const ObjectId& commit, const Describe::Budget& budget);

  // What decides them, once they were asked for.
  std::vector<std::string> files() const;

 private:
  struct Search {
    std::unique_ptr<Describe> walk;  // while it is looked for
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
  uint64_t tags_head_ = 0;  // InputVersions::head, of which a failure is

  // What a search was made from, beside the tags.
  FileSet history_files_;
  std::optional<Counts> history_made_from_;
  std::optional<ObjectId> commit_;
  uint64_t head_ = 0;  // InputVersions::head, of which a failure is
  uint64_t tags_version_ = 0;
  std::array<Search, 2> searches_;  // by Which
};

}  // namespace resident
