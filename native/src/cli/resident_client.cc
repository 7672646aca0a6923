#include "cli/resident_client.h"

#include "git/git_program.h"
#include "git/git_version.h"
#include "ipc/socket_path.h"
#include "ipc/socket_protocol.h"
#include "os/local_socket.h"

namespace resident {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kForever{0};

// Sends `payload` and returns the payload of the answer.
Result<std::string> ask_once(const std::string& root, const std::string& payload,
                             milliseconds patience) {
  RESIDENT_TRY(std::string path, socket_path(root));
  Result<UniqueFd> socket = connect_to(path);
  if (!socket.ok() && socket.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kNotFound,
                 root + ": no resident process for this worktree; run git-resident serve"};
  }
  if (!socket.ok()) return std::move(socket).error();
  set_receive_timeout(socket->get(), patience);
  RESIDENT_CHECK(send_message(socket->get(), payload));
  return receive_message(socket->get());
}

// Adds the identity of git to the question, and git's version if the process asks for it.
template <typename Question, typename Reply, typename Payload>
Result<Reply> ask_with_git(const std::string& root, Question question, milliseconds patience,
                           Result<Reply> (*decode)(Payload)) {
  const std::optional<GitProgram> git = git_on_path();
  question.client.git = git ? identity_of(*git) : "";
  RESIDENT_TRY(std::string payload, ask_once(root, encode_question(question), patience));
  Result<Reply> reply = decode(std::move(payload));
  if (!reply.ok() || reply->kind != Reply::Kind::kVersion) return reply;
  RESIDENT_TRY(const GitVersion version, git_version());
  question.client.git_version = to_string(version);
  RESIDENT_TRY(payload, ask_once(root, encode_question(question), patience));
  return decode(std::move(payload));
}

}  // namespace

Result<ChangesReply> ask_resident(const std::string& root, const ChangesQuestion& question) {
  RESIDENT_TRY(const std::string payload,
               ask_once(root, encode_changes_question(question), kForever));
  return decode_changes_reply(payload);
}

Result<StatusReply> ask_resident(const std::string& root, StatusQuestion question) {
  return ask_with_git(root, std::move(question), kForever, &decode_reply);
}

Result<PromptReply> ask_resident(const std::string& root, PromptQuestion question,
                                 milliseconds patience) {
  return ask_with_git(root, std::move(question), patience, &decode_prompt_reply);
}

}  // namespace resident
