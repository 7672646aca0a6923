#include "index/split_index.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fs/mapped_file.h"
#include "index/entry_bitmap.h"
#include "index/index_builder.h"

namespace resident {
namespace {

struct Link {
  ObjectId shared;
  std::vector<bool> deleted;   // of the shared file's entries
  std::vector<bool> replaced;  // the same
};

// The entries of one file with their whole paths.
class EntryStream {
 public:
  explicit EntryStream(IndexFile& file) : file_(file), left_(file.entry_count()) {}

  // False at the end.
  Result<bool> step() {
    if (left_ == 0) return done_ = true, false;
    --left_;
    RESIDENT_CHECK(file_.next(entry_));
    path_.resize(entry_.keep);
    path_.append(entry_.suffix);
    if (entry_.is_sparse_directory()) {
      return file_.fail({ErrorCode::kUnsupported, "sparse directory in a split index"}, entry_);
    }
    return true;
  }
  bool done() const { return done_; }
  const DiskEntry& entry() const { return entry_; }
  const std::string& path() const { return path_; }
  Error fail(const Error& error) const { return file_.fail(error, entry_); }

 private:
  IndexFile& file_;
  uint32_t left_;
  bool done_ = false;
  DiskEntry entry_;
  std::string path_;
};

Result<MappedFile> open_shared(const std::string& path, const std::string& git_dir,
                               const std::string& name, std::string& found) {
  const size_t slash = path.rfind('/');
  std::vector<std::string> directories;
  if (!git_dir.empty()) directories.push_back(git_dir + "/");
  directories.push_back(slash == std::string::npos ? "" : path.substr(0, slash + 1));
  for (const std::string& directory : directories) {
    found = directory + name;
    Result<MappedFile> file = MappedFile::open(found);
    if (file.ok() || file.error().code != ErrorCode::kNotFound) return file;
  }
  return Error{ErrorCode::kUnsupported, path + ": the shared index " + name + " is missing"};
}

class Merger {
 public:
  Merger(IndexFile& own, IndexFile& shared, const Link& link, IndexBuilder& builder)
      : own_(own), shared_(shared), link_(link), builder_(builder) {}

  Result<void> run() {
    RESIDENT_CHECK(read_replacements());
    RESIDENT_CHECK(step_added());
    size_t replacement = 0;
    for (size_t position = 0; position < link_.replaced.size(); ++position) {
      RESIDENT_CHECK(shared_.step());
      DiskEntry entry = shared_.entry();
      if (link_.replaced[position]) entry = replacements_[replacement++];
      if (!link_.deleted[position]) RESIDENT_CHECK(add_shared(entry));
    }
    while (!own_.done()) RESIDENT_CHECK(add_own());
    return {};
  }

 private:
  Result<void> read_replacements() {
    const auto count = std::count(link_.replaced.begin(), link_.replaced.end(), true);
    replacements_.reserve(static_cast<size_t>(count));
    for (auto i = count; i > 0; --i) {
      RESIDENT_TRY(const bool more, own_.step());
      if (!more || !own_.path().empty()) {
        return own_.fail(
            {ErrorCode::kCorrupt, "fewer replacements than the extension 'link' lists"});
      }
      replacements_.push_back(own_.entry());
    }
    return {};
  }

  Result<void> step_added() {
    RESIDENT_TRY(const bool more, own_.step());
    if (!more || !own_.path().empty()) return {};
    return own_.fail({ErrorCode::kCorrupt, "entry without a path and without an entry to replace"});
  }

  Result<void> add_own() {
    added_path_ = own_.path();
    added_stage_ = own_.entry().stage();
    Result<void> added = builder_.add(own_.entry(), 0, own_.path());
    if (!added.ok()) return own_.fail(added.error());
    return step_added();
  }

  // After what was added before it. An added entry takes the place of the same one, and one that
  // is merged the place of every stage.
  Result<void> add_shared(const DiskEntry& entry) {
    const std::string& path = shared_.path();
    while (!own_.done()) {
      const int order = own_.path().compare(path);
      if (order > 0 || (order == 0 && own_.entry().stage() > entry.stage())) break;
      RESIDENT_CHECK(add_own());
    }
    const bool taken = added_path_ == path && (added_stage_ == 0 || added_stage_ == entry.stage());
    if (taken) return {};
    Result<void> added = builder_.add(entry, 0, path);
    if (!added.ok()) return shared_.fail(added.error());
    return {};
  }

  EntryStream own_;
  EntryStream shared_;
  const Link& link_;
  IndexBuilder& builder_;
  std::vector<DiskEntry> replacements_;
  std::string added_path_;
  int added_stage_ = 0;
};

}  // namespace

bool names_shared_index(Bytes link, HashAlgorithm algorithm) {
  return !link.empty() && !ObjectId::from_bytes(link.first(hash_size(algorithm))).is_null();
}

Result<std::shared_ptr<Index>> merge_split_index(IndexFile& own,
                                                 const IndexFile::Extensions& extensions,
                                                 const std::string& path,
                                                 const Index::LoadOptions& options,
                                                 const FileStat& stat) {
  ByteReader reader(extensions.link);
  Link link;
  link.shared = ObjectId::from_bytes(*reader.take(hash_size(options.algorithm)));
  std::string shared_path;
  RESIDENT_TRY(const MappedFile mapped,
               open_shared(path, options.git_dir, "sharedindex." + link.shared.hex(), shared_path));
  RESIDENT_TRY(IndexFile shared, IndexFile::open(mapped.bytes(), shared_path, options.algorithm,
                                                 options.verify_checksum));
  if (shared.checksum() != link.shared) {
    return Error{ErrorCode::kCorrupt, shared_path + ": the checksum does not match the file name"};
  }
  auto deleted = read_entry_bitmap(reader, shared.entry_count());
  auto replaced = deleted ? read_entry_bitmap(reader, shared.entry_count()) : std::nullopt;
  if (!replaced || reader.remaining() > 0) {
    return Error{ErrorCode::kCorrupt, path + ": malformed extension 'link'"};
  }
  link.deleted = std::move(*deleted);
  link.replaced = std::move(*replaced);

  own.rewind();
  IndexBuilder builder(options.algorithm);
  builder.start(own, size_t{own.entry_count()} + shared.entry_count(),
                own.path_bytes() + shared.path_bytes());
  RESIDENT_CHECK(Merger(own, shared, link, builder).run());
  RESIDENT_TRY(const IndexFile::Extensions of_shared, shared.extensions());
  RESIDENT_CHECK(shared.fsmonitor_marks(of_shared, shared.entry_count()));
  RESIDENT_CHECK(own.fsmonitor_marks(extensions, static_cast<uint32_t>(builder.entry_count())));
  builder.set_shared_path(std::move(shared_path));
  return builder.finish(own, extensions, stat);
}

}  // namespace resident
