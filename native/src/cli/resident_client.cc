#include "cli/resident_client.h"

#include "service/socket_path.h"
#include "service/socket_protocol.h"

namespace resident {

Result<StatusReply> ask_resident(const std::string& root, const StatusQuestion& question) {
  RESIDENT_TRY(std::string path, socket_path(root));
  Result<UniqueFd> socket = connect_to(path);
  if (!socket.ok() && socket.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kNotFound,
                 root + ": no process keeps this worktree (git-resident serve)"};
  }
  if (!socket.ok()) return std::move(socket).error();
  RESIDENT_CHECK(send_message(socket->get(), encode_question(question)));
  RESIDENT_TRY(std::string payload, receive_message(socket->get()));
  return decode_reply(payload);
}

}  // namespace resident
