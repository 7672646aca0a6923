#include "status/hard_links.h"

namespace resident {

void HardLinks::examine_untracked(const Directory& directory, std::string_view name) {
  ++findings_.lstats;
  const Result<FileStat> stat = context_.refresh.fs.stat_at(directory, name);
  if (!stat.ok()) return;
  record_new(*stat);
  // The content of an untracked file changes no status row.
  if (!context_.watch_only) return;
  record_linked(findings_, {directory, name, current_.path()}, *stat, current_.begun());
}

}  // namespace resident
