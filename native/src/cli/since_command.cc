// `git-resident since [-z] [<token>] [<worktree>]`: prints the changes of a worktree since an
// earlier call printed `token`.
//
// The output is a token for the next call, then each name that may have changed, one per line.
// Names are quoted like in git. A directory that was created or removed ends in '/' and means
// everything below it. The line "/" means everything. With -z, names end in NUL and are not quoted.

#include <cstdio>
#include <string>

#include "cli/commands.h"
#include "cli/fatal.h"
#include "cli/resident_client.h"
#include "cli/write_out.h"
#include "os/standard_streams.h"
#include "porcelain/printed_path.h"
#include "repository/repository.h"

namespace resident {

int since_command(FileSystem& fs, const Arguments& arguments) {
  Arguments rest = arguments;
  const bool as_is = !rest.empty() && rest[0] == "-z";
  if (as_is) rest.erase(rest.begin());
  if (rest.size() > 2 || (!rest.empty() && rest[0].starts_with('-'))) {
    std::fputs("usage: git-resident since [-z] [<token> [<worktree>]]\n", stderr);
    return kUsageError;
  }
  const ChangesQuestion question{WorktreeModel::ChangesFor::kPeople, rest.empty() ? "" : rest[0]};
  const Result<std::string> root = worktree_root(fs, rest.size() < 2 ? "" : rest[1]);
  if (!root.ok()) return fatal(root.error().message);
  const Result<ChangesReply> reply = ask_resident(*root, question);
  if (!reply.ok()) return fatal(reply.error().message);
  std::string output = reply->token;
  const char end = as_is ? '\0' : '\n';
  output += end;
  if (reply->everything) output.append("/").push_back(end);
  for (const std::string& name : reply->names) {
    if (as_is) {
      output += name;
    } else {
      append_quoted(output, name, false, QuoteSpaces::kNo);
    }
    output += end;
  }
  return write_to(kStandardOutput, output) ? 0 : 1;
}

}  // namespace resident
