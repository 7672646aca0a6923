#include "verbs/client_gits.h"

namespace resident {

std::optional<GitVersion> ClientGits::version_of(const std::string& identity) const {
  for (const auto& [known, version] : known_) {
    if (known == identity) return version;
  }
  return std::nullopt;
}

void ClientGits::note(const std::string& identity, const GitVersion& version) {
  std::erase_if(known_, [&](const auto& known) { return known.first == identity; });
  if (known_.size() == kLimit) known_.pop_front();
  known_.emplace_back(identity, version);
}

}  // namespace resident
