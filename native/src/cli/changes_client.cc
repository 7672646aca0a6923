#include "cli/changes_client.h"

#include "service/socket_path.h"
#include "service/socket_protocol.h"

namespace resident {

Result<ChangesReply> ask_changes(const std::string& root, const ChangesQuestion& question) {
  RESIDENT_TRY(const std::string path, socket_path(root));
  Result<UniqueFd> socket = connect_to(path);
  if (!socket.ok() && socket.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kNotFound,
                 root + ": no process keeps this worktree (git-resident serve)"};
  }
  if (!socket.ok()) return std::move(socket).error();
  RESIDENT_CHECK(send_message(socket->get(), encode_changes_question(question)));
  RESIDENT_TRY(const std::string payload, receive_message(socket->get()));
  return decode_changes_reply(payload);
}

}  // namespace resident
