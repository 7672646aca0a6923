#include "cli/resident_client.h"

#include "git/git_program.h"
#include "git/git_version.h"
#include "service/socket_path.h"
#include "service/socket_protocol.h"

namespace resident {

namespace {

Result<StatusReply> ask_once(const std::string& root, const StatusQuestion& question) {
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

}  // namespace

Result<StatusReply> ask_resident(const std::string& root, StatusQuestion question) {
  const std::optional<GitProgram> git = git_on_path();
  question.git = git ? identity_of(*git) : "";
  Result<StatusReply> reply = ask_once(root, question);
  if (!reply.ok() || reply->kind != StatusReply::Kind::kVersion) return reply;
  RESIDENT_TRY(const GitVersion version, git_version());
  question.git_version = to_string(version);
  return ask_once(root, question);
}

}  // namespace resident
