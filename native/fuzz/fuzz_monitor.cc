// Any bytes as a client's question about changes, in our format and git's, and as the reply. Also
// as a script for the change journal, one line for each step:
// - "n<name>" notes a name;
// - "t" and "o" issue a token;
// - "s<more>" asks with the last token and a suffix;
// - "r" restarts the journal.
//
// No answer may omit a noted name.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "ipc/socket_verbs.h"
#include "tree/change_journal.h"
#include "verbs/changes_question.h"
#include "verbs/git_socket_framing.h"

namespace resident {
namespace {

constexpr size_t kMaxTokens = 16;

struct GivenToken {
  std::string token;
  std::set<std::string, std::less<>> noted;  // noted since the token
};

void expect_all_is_named(const ChangeJournal& journal, const std::vector<GivenToken>& given) {
  for (const auto& [token, noted] : given) {
    const auto since = journal.since(token);
    if (!since) continue;
    const std::set<std::string_view> names(since->names.begin(), since->names.end());
    expect(names.size() == since->names.size());
    for (const std::string& name : noted) expect(names.contains(name));
  }
}

// The journal's names for submodules end in two slashes, unlike paths.
bool is_path(std::string_view name) {
  return !name.empty() && !name.ends_with("//");
}

void live(std::string_view lines) {
  ChangeJournal journal({.names = 8, .bytes = 4096});
  std::vector<GivenToken> given;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (line.empty()) continue;
    const std::string_view rest = line.substr(1);
    if (line[0] == 'n' && is_path(rest)) {
      journal.note(rest);
      for (GivenToken& token : given) token.noted.emplace(rest);
    } else if ((line[0] == 't' || line[0] == 'o') && given.size() < kMaxTokens) {
      const bool all = rest == "all";
      given.push_back(
          {line[0] == 't' ? journal.issue_token(all) : journal.issue_own_token(all), {}});
    } else if (line[0] == 's' && !given.empty()) {
      (void)journal.since(given.back().token + std::string(rest));
      expect(!journal.since(rest));
    } else if (line[0] == 'r') {
      journal.restart();
      for (const GivenToken& token : given) expect(!journal.since(token.token));
      given.clear();
    }
    expect_all_is_named(journal, given);
  }
}

const FuzzTarget monitor_target("monitor", [](Bytes bytes) {
  const std::string_view payload = as_text(bytes);
  std::string_view fields = payload;
  if (const auto verb = parse_verb(fields); verb.ok() && *verb == SocketVerb::kChanges) {
    const auto question = decode_changes_question(fields);
    expect(!question.ok() || encode_changes_question(*question) == payload);
  }
  if (auto reply = decode_changes_reply(payload); reply.ok()) {
    expect(encode_reply(*reply) == payload);
  }
  if (auto question = kGitFraming.question_in(payload); question.ok() && *question) {
    const auto again = kGitFraming.question_in(in_packets(**question));
    expect(again.ok() && *again == *question);
  }
  live(payload.substr(0, 512));
});

}  // namespace
}  // namespace resident
