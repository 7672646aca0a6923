#include "verbs/status_question.h"

#include "git/git_program.h"
#include "ipc/message_fields.h"
#include "ipc/socket_verbs.h"
#include "porcelain/status_options.h"
#include "verbs/client_identity.h"

namespace resident {

namespace {

constexpr std::string_view kStatus = name_of(SocketVerb::kStatus);

}  // namespace

std::string encode_question(const StatusQuestion& question) {
  std::string out;
  add_field(out, kStatus);
  add_field(out, question.prefix);
  add_asker(out, question.client);
  const StatusSurroundings& around = question.surroundings;
  const PathspecSettings pathspecs = around.pathspecs.value_or(PathspecSettings{});
  for (bool flag :
       {around.output_is_terminal, around.dumb_terminal, around.pager_in_use,
        around.english_messages, around.directory_has_other_name, around.pathspecs.has_value(),
        pathspecs.literal, pathspecs.glob, pathspecs.noglob, pathspecs.ignore_case}) {
    out.push_back(flag ? '1' : '0');
  }
  out.push_back('\0');
  for (const std::string& argument : question.arguments) add_field(out, argument);
  return out;
}

Result<StatusQuestion> decode_status_question(std::string_view fields) {
  StatusQuestion question;
  const auto prefix = parse_field(fields);
  auto client = parse_client(fields);
  const auto flags = parse_field(fields);
  constexpr size_t kFlags = 10;
  if (!prefix || !client || !flags || flags->size() != kFlags) return malformed_message();
  const auto flag = [&](size_t i) { return (*flags)[i] == '1'; };
  question.prefix = *prefix;
  question.client = *std::move(client);
  StatusSurroundings& around = question.surroundings;
  around.output_is_terminal = flag(0);
  around.dumb_terminal = flag(1);
  around.pager_in_use = flag(2);
  around.english_messages = flag(3);
  around.directory_has_other_name = flag(4);
  around.pathspecs.reset();
  if (flag(5)) around.pathspecs = {flag(6), flag(7), flag(8), flag(9)};
  while (!fields.empty()) {
    const auto argument = parse_field(fields);
    if (!argument) return malformed_message();
    question.arguments.emplace_back(*argument);
  }
  return question;
}

std::string encode_reply(const StatusReply& reply) {
  constexpr const char* kKinds[] = {"ok", "git", "error", "version"};
  std::string out;
  add_field(out, kKinds[static_cast<int>(reply.kind)]);
  if (reply.kind == StatusReply::Kind::kOk) add_field(out, reply.errors);
  return out + reply.text;
}

std::string encode_reply(const StatusAnswer& answer) {
  if (const auto* reply = std::get_if<StatusReply>(&answer)) return encode_reply(*reply);
  const auto& unprinted = std::get<UnprintedStatus>(answer);
  std::string out = encode_reply(StatusReply{StatusReply::Kind::kOk, ""});
  append_status(out, unprinted.status, unprinted.print);
  return out;
}

size_t rows_to_print(const StatusAnswer& answer) {
  const auto* unprinted = std::get_if<UnprintedStatus>(&answer);
  if (!unprinted) return 0;
  const StatusResult& status = unprinted->status;
  return status.changed.size() + status.unmerged.size() + status.untracked.size() +
         status.ignored.size();
}

Result<StatusReply> decode_reply(std::string payload) {
  std::string_view rest = payload;
  const auto kind = parse_field(rest);
  StatusReply reply;
  if (kind == "ok") {
    reply.kind = StatusReply::Kind::kOk;
    const auto errors = parse_field(rest);
    if (!errors) return malformed_message();
    reply.errors = *errors;
  } else if (kind == "git") {
    reply.kind = StatusReply::Kind::kGit;
  } else if (kind == "error") {
    reply.kind = StatusReply::Kind::kError;
  } else if (kind == "version") {
    reply.kind = StatusReply::Kind::kVersion;
  } else {
    return malformed_message();
  }
  payload.erase(0, payload.size() - rest.size());
  reply.text = std::move(payload);
  return reply;
}

namespace {

using Kind = StatusReply::Kind;

StatusAnswer printed(Kind kind, std::string text, std::string errors = {}) {
  return StatusReply{kind, std::move(text), std::move(errors)};
}

// True if git prints the same here as for the client.
bool is_same_for_us(const StatusSurroundings& around) {
  const bool plain_pathspecs = around.pathspecs == PathspecSettings{};
  return plain_pathspecs && around.english_messages && !around.output_is_terminal &&
         !around.pager_in_use && !around.directory_has_other_name;
}

}  // namespace

Result<StatusAnswer> answer_status(const StatusQuestion& question, const Result<void>& updated,
                                   WorktreeModel& model, ClientGits& gits) {
  // If the model fails, git answers, or reports the error in its own words.
  const auto failed = [](const Error& error) -> Result<StatusAnswer> {
    if (error.code == ErrorCode::kPending) return error;
    return printed(Kind::kGit, error.message);
  };
  const ClientIdentity& client = question.client;
  if (const Result<void> same = check_place(client, model.repository()); !same.ok()) {
    return printed(Kind::kError, same.error().message);
  }
  std::optional<StatusCommandLine> line = parse_status_command_line(question.arguments);
  if (!line || !line->options) return printed(Kind::kGit, "only git can answer these arguments");
  if (!updated.ok() && updated.error().code == ErrorCode::kPending) return updated.error();
  if (const Result<void> same = check_git_dir(client, model); !same.ok()) {
    return printed(Kind::kError, same.error().message);
  }
  const std::optional<GitProgram> git = git_on_path();
  const bool has_our_git = git && client.git == identity_of(*git);
  if (model.is_delegated() && !model.gone() && has_our_git &&
      is_same_for_us(question.surroundings)) {
    std::vector<std::string> arguments = {kStatus.data()};
    arguments.insert(arguments.end(), question.arguments.begin(), question.arguments.end());
    Result<GitOutput> said = model.git_output(arguments, question.prefix);
    if (!said.ok()) return failed(said.error());
    // The client's directory may no longer be accessible; git reports it in its own words.
    if (said->exit_code != 0) return printed(Kind::kGit, "git reports an error");
    return printed(Kind::kOk, std::move(said->out), std::move(said->err));
  }
  if (!updated.ok()) return failed(updated.error());
  // The config of a repository that only git can read is not kept up to date.
  if (!model.config() || model.is_delegated()) {
    return printed(Kind::kGit, "git answers for this repository");
  }
  RESIDENT_CHECK(model.check_known());
  switch (compare_git(client, model, gits)) {
    case GitOfAsker::kSame:
      break;
    case GitOfAsker::kUnknown:
      return printed(Kind::kVersion, "");
    case GitOfAsker::kOther:
      return printed(Kind::kError, follows_another_git(client, gits));
  }
  Repository repository = model.repository();
  repository.prefix = question.prefix;
  std::optional<StatusRequest> request = status_request(*line->options, *model.config(), repository,
                                                        question.surroundings, *model.git_rules());
  if (!request) return printed(Kind::kGit, "only git can answer these options");
  Result<StatusResult> status = model.answer_if_no_warnings(request->query);
  if (!status.ok()) return failed(status.error());
  return StatusAnswer(UnprintedStatus{std::move(status).value(), std::move(request->print)});
}

}  // namespace resident
