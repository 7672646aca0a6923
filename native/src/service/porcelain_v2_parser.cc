#include "service/porcelain_v2_parser.h"

#include <charconv>
#include <string>

namespace resident {

namespace {

std::optional<Change> change_from(char letter) {
  switch (letter) {
    case '.':
    case 'M':
    case 'T':
    case 'A':
    case 'D':
    case 'R':
    case 'C':
      return static_cast<Change>(letter);
    default:
      return std::nullopt;
  }
}

// Takes the fields of one record from left to right. After the first field that is not what it
// should be, every take fails and ok() is false.
class Fields {
 public:
  explicit Fields(std::string_view record) : rest_(record) {}

  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

  std::string_view word() {
    size_t end = rest_.find(' ');
    if (end == std::string_view::npos) ok_ = false;
    if (!ok_) return {};
    std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return word;
  }

  uint32_t mode() {
    std::string_view text = word();
    uint32_t mode = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
    if (error != std::errc() || end != text.data() + text.size()) ok_ = false;
    return mode;
  }

  ObjectId id() {
    std::optional<ObjectId> id = ObjectId::from_hex(word());
    if (!id) ok_ = false;
    return id.value_or(ObjectId());
  }

  // "N..." or "S<c><m><u>"; true for a submodule.
  bool submodule(SubmoduleState& state) {
    std::string_view text = word();
    if (text.size() != 4 || (text[0] != 'N' && text[0] != 'S')) {
      ok_ = false;
      return false;
    }
    state.new_commits = text[1] == 'C';
    state.modified_content = text[2] == 'M';
    state.untracked_content = text[3] == 'U';
    return text[0] == 'S';
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<int> number_from(std::string_view text) {
  int number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<StatusResult> parse() {
    while (!text_.empty()) {
      std::optional<std::string_view> record = take();
      if (!record || !entry(*record)) {
        return Error{ErrorCode::kCorrupt, "git status: unknown answer at byte " +
                                              std::to_string(position_) +
                                              " of its porcelain version 2"};
      }
    }
    if (result_.branch) settle(*result_.branch);
    return std::move(result_);
  }

 private:
  std::optional<std::string_view> take() {
    size_t end = text_.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view record = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    position_ += end + 1;
    return record;
  }

  bool entry(std::string_view record) {
    if (record.size() < 2 || record[1] != ' ') return false;
    std::string_view rest = record.substr(2);
    switch (record[0]) {
      case '#':
        return header(rest);
      case '1':
        return changed(Fields(rest), false);
      case '2':
        return changed(Fields(rest), true);
      case 'u':
        return unmerged(Fields(rest));
      case '?':
        result_.untracked.emplace_back(rest);
        return true;
      case '!':
        result_.ignored.emplace_back(rest);
        return true;
      default:
        return false;
    }
  }

  bool header(std::string_view text) {
    size_t space = text.find(' ');
    if (space == std::string_view::npos) return false;
    std::string_view name = text.substr(0, space);
    std::string_view value = text.substr(space + 1);
    if (name == "stash") {
      std::optional<int> count = number_from(value);
      result_.stash_count = count.value_or(0);
      return count.has_value();
    }
    if (!name.starts_with("branch.")) return true;  // a header of a later git
    if (!result_.branch) result_.branch.emplace();
    return branch_header(*result_.branch, name, value);
  }

  bool branch_header(BranchStatus& branch, std::string_view name, std::string_view value) {
    if (name == "branch.oid") {
      branch.initial = value == "(initial)";
      if (branch.initial) return true;
      std::optional<ObjectId> id = ObjectId::from_hex(value);
      branch.head = id.value_or(ObjectId());
      return id.has_value();
    }
    if (name == "branch.head") {
      branch.detached = value == "(detached)";
      branch.outside_heads = value == "(null)";
      branch.name = branch.detached ? "HEAD" : value == "(unknown)" ? "" : std::string(value);
    } else if (name == "branch.upstream") {
      branch.has_upstream = true;
      branch.upstream = value;
    } else if (name == "branch.ab") {
      return ahead_behind(branch, value);
    }
    return true;
  }

  bool ahead_behind(BranchStatus& branch, std::string_view value) {
    has_counts_ = true;
    if (value == "+? -?") {
      branch.differs = true;
      return true;
    }
    size_t space = value.find(' ');
    if (space == std::string_view::npos || !value.starts_with('+')) return false;
    std::optional<int> ahead = number_from(value.substr(1, space - 1));
    // from_chars reads the minus sign.
    std::optional<int> behind = number_from(value.substr(space + 1));
    if (!ahead || !behind || *behind > 0) return false;
    branch.counted = true;
    branch.ahead = *ahead;
    branch.behind = -*behind;
    branch.differs = branch.ahead != 0 || branch.behind != 0;
    return true;
  }

  void settle(BranchStatus& branch) const {
    branch.upstream_gone = branch.has_upstream && !has_counts_;
  }

  bool changed(Fields fields, bool renamed) {
    ChangedEntry entry;
    std::string_view letters = fields.word();
    if (letters.size() != 2) return false;
    std::optional<Change> index = change_from(letters[0]);
    std::optional<Change> worktree = change_from(letters[1]);
    if (!index || !worktree) return false;
    entry.index = *index;
    entry.worktree = *worktree;
    entry.is_submodule = fields.submodule(entry.submodule);
    entry.head.mode = fields.mode();
    entry.in_index.mode = fields.mode();
    entry.worktree_mode = fields.mode();
    entry.head.id = fields.id();
    entry.in_index.id = fields.id();
    if (renamed) {
      std::string_view score = fields.word();
      std::optional<int> percent;
      if (!score.empty()) percent = number_from(score.substr(1));
      std::optional<std::string_view> from = take();
      if (!percent || !from || from->empty()) return false;
      entry.score = *percent;
      entry.from = *from;
    }
    entry.path = fields.rest();
    if (!fields.ok() || entry.path.empty()) return false;
    result_.changed.push_back(std::move(entry));
    return true;
  }

  bool unmerged(Fields fields) {
    UnmergedEntry entry;
    fields.word();  // said again by the stages
    entry.is_submodule = fields.submodule(entry.submodule);
    for (Side& stage : entry.stages) stage.mode = fields.mode();
    entry.worktree_mode = fields.mode();
    for (Side& stage : entry.stages) stage.id = fields.id();
    entry.path = fields.rest();
    if (!fields.ok() || entry.path.empty()) return false;
    result_.unmerged.push_back(std::move(entry));
    return true;
  }

  std::string_view text_;
  size_t position_ = 0;
  bool has_counts_ = false;
  StatusResult result_;
};

}  // namespace

Result<StatusResult> parse_porcelain_v2(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace resident
