#include "odb/multi_pack_index_chain.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace resident {
namespace {

// Reads the layers, the lowest first.
Result<void> read_layers(const std::string& directory, std::string_view chain,
                         HashAlgorithm algorithm, int newest_version,
                         const std::function<void(const std::string&)>& note,
                         std::vector<std::shared_ptr<const MultiPackIndex>>& layers) {
  const size_t hex_size = 2 * hash_size(algorithm);
  if (chain.size() < hex_size) return corrupt("too small");
  // git reads at most as many lines as full lines fit into the file. It ignores an incomplete last
  // line.
  const size_t count = chain.size() / (hex_size + 1);
  if (count > MultiPackIndexChain::kMaxLayers) {
    return Error{ErrorCode::kUnsupported, "too many layers"};
  }
  uint64_t objects = 0;
  for (size_t i = 0; i < count && !chain.empty(); ++i) {
    const std::string_view line = chain.substr(0, chain.find('\n'));
    chain.remove_prefix(std::min(line.size() + 1, chain.size()));
    const auto id = ObjectId::from_hex(line);
    if (!id || id->algorithm() != algorithm) return corrupt("a line that is no hash");
    const std::string path = directory + "/multi-pack-index-" + id->hex() + ".midx";
    note(path);
    auto layer = MultiPackIndex::open(path, algorithm, newest_version);
    if (!layer.ok()) return corrupt(layer.error().message);
    objects += (*layer)->count();
    if (objects > UINT32_MAX) return corrupt("more objects than can be numbered");
    layers.push_back(std::move(layer).value());
  }
  return {};
}

}  // namespace

MultiPackIndexChain MultiPackIndexChain::read(FileSystem& fs, const std::string& pack_dir,
                                              HashAlgorithm algorithm, int newest_version,
                                              const std::function<void(const std::string&)>& note) {
  MultiPackIndexChain found;
  const std::string directory = pack_dir + "/multi-pack-index.d";
  const std::string path = directory + "/multi-pack-index-chain";
  note(path);
  const auto content = fs.read_file(path);
  if (!content.ok()) {
    const ErrorCode code = content.error().code;
    const bool is_closed = code == ErrorCode::kNotFound || code == ErrorCode::kPermission;
    if (!is_closed) found.problem = Error{code, path + ": " + content.error().message};
    return found;
  }
  // An empty file counts as missing.
  if (content->empty()) return found;
  const Result<void> read =
      read_layers(directory, *content, algorithm, newest_version, note, found.layers);
  if (!read.ok()) found.problem = Error{read.error().code, path + ": " + read.error().message};
  std::reverse(found.layers.begin(), found.layers.end());
  return found;
}

}  // namespace resident
