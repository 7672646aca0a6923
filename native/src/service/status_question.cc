#include "service/status_question.h"

#include <unistd.h>

#include <algorithm>

#include "git/git_program.h"
#include "porcelain/status_options.h"
#include "service/socket_verbs.h"

namespace resident {

namespace {

constexpr std::string_view kStatus = name_of(SocketVerb::kStatus);

Error malformed() {
  return Error{ErrorCode::kCorrupt, "socket: a message that is none of ours"};
}

// The field that ends at the next NUL, or nullopt.
std::optional<std::string_view> take_field(std::string_view& rest) {
  const size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return field;
}

void add_field(std::string& out, std::string_view field) {
  out.append(field).push_back('\0');
}

}  // namespace

std::string deciding_environment(const std::string& directory) {
  constexpr std::string_view kNames[] = {"HOME=", "XDG_CONFIG_HOME="};
  // git itself sets the last two for the programs that it runs, as for `git resident status`.
  constexpr std::string_view kIndifferent[] = {
      "GIT_OPTIONAL_LOCKS=", "GIT_PAGER", "GIT_EDITOR=", "GIT_ASKPASS=", "GIT_TRACE", "GIT_AUTHOR_",
      "GIT_COMMITTER_", "GIT_TERMINAL_PROMPT=", "GIT_PREFIX=", "GIT_EXEC_PATH=",
      // These are part of the question.
      "GIT_LITERAL_PATHSPECS=", "GIT_GLOB_PATHSPECS=", "GIT_NOGLOB_PATHSPECS=",
      "GIT_ICASE_PATHSPECS="};
  // Seen from the directory in which git is called.
  constexpr std::string_view kPaths[] = {"HOME=",
                                         "XDG_CONFIG_HOME=",
                                         "GIT_DIR=",
                                         "GIT_WORK_TREE=",
                                         "GIT_COMMON_DIR=",
                                         "GIT_OBJECT_DIRECTORY=",
                                         "GIT_CONFIG_GLOBAL=",
                                         "GIT_CONFIG_SYSTEM=",
                                         "GIT_ALTERNATE_OBJECT_DIRECTORIES="};
  std::vector<std::string> found;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    auto begins = [text](std::string_view name) { return text.starts_with(name); };
    const bool decides = std::any_of(std::begin(kNames), std::end(kNames), begins) ||
                         (text.starts_with("GIT_") &&
                          std::none_of(std::begin(kIndifferent), std::end(kIndifferent), begins));
    if (!decides) continue;
    const size_t value = text.find('=') + 1;
    const bool relative = std::any_of(std::begin(kPaths), std::end(kPaths), begins) &&
                          value < text.size() && text[value] != '/';
    found.emplace_back(text);
    if (relative) found.back().insert(value, directory + "/");
  }
  std::sort(found.begin(), found.end());
  std::string out;
  for (const std::string& text : found) out.append(text).push_back('\n');
  return out;
}

std::string encode_question(const StatusQuestion& question) {
  std::string out;
  add_field(out, kStatus);
  add_field(out, question.prefix);
  add_field(out, question.git_dir);
  add_field(out, question.environment);
  add_field(out, question.git);
  add_field(out, question.git_version);
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

Result<StatusQuestion> decode_question(std::string_view payload) {
  StatusQuestion question;
  const auto verb = take_field(payload);
  const auto prefix = take_field(payload);
  const auto git_dir = take_field(payload);
  const auto environment = take_field(payload);
  const auto git = take_field(payload);
  const auto git_version = take_field(payload);
  const auto flags = take_field(payload);
  constexpr size_t kFlags = 10;
  if (verb != kStatus || !prefix || !git_dir || !environment || !git || !git_version || !flags ||
      flags->size() != kFlags)
    return malformed();
  const auto flag = [&](size_t i) { return (*flags)[i] == '1'; };
  question.prefix = *prefix;
  question.git_dir = *git_dir;
  question.environment = *environment;
  question.git = *git;
  question.git_version = *git_version;
  StatusSurroundings& around = question.surroundings;
  around.output_is_terminal = flag(0);
  around.dumb_terminal = flag(1);
  around.pager_in_use = flag(2);
  around.english_messages = flag(3);
  around.directory_has_other_name = flag(4);
  around.pathspecs.reset();
  if (flag(5)) around.pathspecs = {flag(6), flag(7), flag(8), flag(9)};
  while (!payload.empty()) {
    const auto argument = take_field(payload);
    if (!argument) return malformed();
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

Result<StatusReply> decode_reply(std::string_view payload) {
  const auto kind = take_field(payload);
  StatusReply reply;
  if (kind == "ok") {
    reply.kind = StatusReply::Kind::kOk;
    const auto errors = take_field(payload);
    if (!errors) return malformed();
    reply.errors = *errors;
  } else if (kind == "git") {
    reply.kind = StatusReply::Kind::kGit;
  } else if (kind == "error") {
    reply.kind = StatusReply::Kind::kError;
  } else if (kind == "version") {
    reply.kind = StatusReply::Kind::kVersion;
  } else {
    return malformed();
  }
  reply.text = payload;
  return reply;
}

namespace {

// Whether git, asked here, says what it would say to who asks.
bool is_same_for_us(const StatusSurroundings& around) {
  const bool plain_pathspecs = around.pathspecs == PathspecSettings{};
  return plain_pathspecs && around.english_messages && !around.output_is_terminal &&
         !around.pager_in_use && !around.directory_has_other_name;
}

}  // namespace

Result<StatusReply> answer_question(const StatusQuestion& question, WorktreeModel& model,
                                    AskersGits& gits) {
  // Where the model fails, git answers, or says what is wrong in its own words.
  const auto failed = [](const Error& error) -> Result<StatusReply> {
    if (error.code == ErrorCode::kPending) return error;
    return StatusReply{StatusReply::Kind::kGit, error.message};
  };
  if (question.environment != deciding_environment(model.repository().worktree)) {
    return StatusReply{
        StatusReply::Kind::kError,
        "the resident process runs in another environment (HOME, XDG_CONFIG_HOME, GIT_*)"};
  }
  if (!question.git_dir.empty() && question.git_dir != model.repository().git_dir) {
    return StatusReply{StatusReply::Kind::kError,
                       "the resident process has this worktree with another git directory: " +
                           model.repository().git_dir};
  }
  std::optional<StatusCommandLine> line = parse_status_command_line(question.arguments);
  if (!line || !line->options)
    return StatusReply{StatusReply::Kind::kGit, "git explains its arguments itself"};
  // The config decides what is asked, so it has to be fresh before.
  const Result<void> updated = model.update();
  if (!updated.ok() && updated.error().code == ErrorCode::kPending) return updated.error();
  const std::optional<GitProgram> git = git_on_path();
  const bool has_our_git = git && question.git == identity_of(*git);
  if (model.is_delegated() && !model.gone() && has_our_git &&
      is_same_for_us(question.surroundings)) {
    std::vector<std::string> arguments = {kStatus.data()};
    arguments.insert(arguments.end(), question.arguments.begin(), question.arguments.end());
    Result<GitOutput> said = model.git_output(arguments, question.prefix);
    if (!said.ok()) return failed(said.error());
    // Who asks can be in a directory that may not be entered any more; git refuses in its own
    // words.
    if (said->exit_code != 0) return StatusReply{StatusReply::Kind::kGit, "git refuses"};
    return StatusReply{StatusReply::Kind::kOk, std::move(said->out), std::move(said->err)};
  }
  if (!updated.ok()) return failed(updated.error());
  // Nor is the config of a repository that only git can read kept up to date.
  if (!model.config() || model.is_delegated()) {
    return StatusReply{StatusReply::Kind::kGit, "git answers for this repository"};
  }
  RESIDENT_CHECK(model.check_known());
  // What differs may be a copy, or a version with the same rules.
  if (question.git != model.git_identity()) {
    const bool is_told = !question.git_version.empty();
    const std::optional<GitVersion> version =
        is_told ? parse_git_version("git version " + question.git_version)
                : gits.version_of(question.git);
    if (is_told && version) gits.note(question.git, *version);
    if (!is_told && !version) return StatusReply{StatusReply::Kind::kVersion, ""};
    if (!version || git_rules(*version) != *model.git_rules()) {
      return StatusReply{StatusReply::Kind::kError,
                         "the resident process follows another git than the git " +
                             (version ? to_string(*version) : question.git_version) +
                             " on PATH here"};
    }
  }
  Repository repository = model.repository();
  repository.prefix = question.prefix;
  std::optional<StatusRequest> request = status_request(*line->options, *model.config(), repository,
                                                        question.surroundings, *model.git_rules());
  if (!request) return StatusReply{StatusReply::Kind::kGit, "git serves these options itself"};
  Result<StatusResult> status = model.answer_if_no_warnings(request->query);
  if (!status.ok()) return failed(status.error());
  return StatusReply{StatusReply::Kind::kOk, print_status(*status, request->print)};
}

}  // namespace resident
