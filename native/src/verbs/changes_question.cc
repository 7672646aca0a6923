#include "verbs/changes_question.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "fs/same_place.h"
#include "ipc/message_fields.h"
#include "ipc/socket_verbs.h"

namespace resident {

namespace {

constexpr std::string_view kAll = "all";
constexpr std::string_view kSome = "some";
// Sorted like WorktreeModel::ChangesFor.
constexpr std::string_view kAskers[] = {"git", "git-keeping-modules", "people"};

}  // namespace

ChangesReply everything_changed() {
  return {true, ChangeJournal::no_token(), {}};
}

std::string encode_changes_question(const ChangesQuestion& question) {
  std::string out;
  add_field(out, name_of(SocketVerb::kChanges));
  add_field(out, kAskers[static_cast<size_t>(question.whom)]);
  for (const std::string* field :
       {&question.token, &question.git_dir, &question.index_file, &question.worktree}) {
    add_field(out, *field);
  }
  return out;
}

Result<ChangesQuestion> decode_changes_question(std::string_view fields) {
  const auto whom = parse_field(fields);
  const auto client = std::find(std::begin(kAskers), std::end(kAskers), whom);
  if (client == std::end(kAskers)) return malformed_message();
  ChangesQuestion question;
  question.whom = static_cast<WorktreeModel::ChangesFor>(client - std::begin(kAskers));
  for (std::string* into :
       {&question.token, &question.git_dir, &question.index_file, &question.worktree}) {
    const auto field = parse_field(fields);
    if (!field) return malformed_message();
    *into = *field;
  }
  if (!fields.empty()) return malformed_message();
  return question;
}

std::string encode_reply(const ChangesReply& reply) {
  std::string out;
  add_field(out, reply.everything ? kAll : kSome);
  add_field(out, reply.token);
  for (const std::string& name : reply.names) add_field(out, name);
  return out;
}

Result<ChangesReply> decode_changes_reply(std::string_view payload) {
  const auto kind = parse_field(payload);
  if (kind == "error") return Error{ErrorCode::kIo, std::string(payload)};
  const auto token = parse_field(payload);
  if ((kind != kAll && kind != kSome) || !token) return malformed_message();
  ChangesReply reply{kind == kAll, std::string(*token), {}};
  while (!payload.empty()) {
    const auto name = parse_field(payload);
    if (!name || name->empty()) return malformed_message();
    reply.names.emplace_back(*name);
  }
  return reply;
}

Result<ChangesReply> answer_changes(const ChangesQuestion& question, WorktreeModel& model) {
  const Repository& ours = model.repository();
  const bool is_ours =
      (question.git_dir.empty() || is_same_directory(question.git_dir, ours.git_dir)) &&
      (question.index_file.empty() || is_same_name(question.index_file, ours.index_path)) &&
      (question.worktree.empty() || is_same_directory(question.worktree, ours.worktree));
  if (!is_ours) return everything_changed();
  ChangesReply reply = model.changes_since(question.token, question.whom);
  // If the config was just written, wait for git to read it: without a token git checks every file
  // once more.
  if (reply.everything) RESIDENT_CHECK(model.check_known());
  return reply;
}

}  // namespace resident
