// ModelPendingTest: a model whose test decides when git answers.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "model/model_test_support.h"

namespace resident {

class ModelPendingTest : public ModelTest {
 protected:
  ModelPendingTest() {
    git_ = runner_;
    // A racily clean file is compared by content, so its filter must be asked.
    old_file("plain", "1");
    commit_all();
  }

  void commit_filtered() {
    repo_.write(".gitattributes", "f* filter=up\n");
    repo_.git({"config", "filter.up.clean", "tr a-z A-Z"});
    for (const char* name : {"f1", "f2", "f3"}) old_file(name, "ABC");
    commit_all();
  }
  void commit_submodule() {
    repo_.git({"init", "-q", "sub"});
    repo_.git({"-C", "sub", "commit", "-q", "--allow-empty", "-m", "1"});
    repo_.git({"add", "sub"});
    repo_.git({"commit", "-q", "-m", "sub"});
  }

  // Opens the model, applies all answers of git, and waits until the config is settled.
  void start_answered() {
    start_gated();
    while (now(of_paths({"plain"})) == "pending") runner_->answer_all();
    answer_all();
  }
  void start_gated() {
    open_gated();
    take();
  }
  void answer_all() {
    do {
      (void)model_->update();
      take();
    } while (runner_->answer_all() > 0);
  }
  Result<StatusResult> ask(const StatusQuery& of, WorktreeModel::RequestId asked) {
    const WorktreeModel::Asking asking(*model_, asked);
    return model_->answer(of);
  }
  // The first result of a question, and the result after all answers of git.
  std::string now(const StatusQuery& of = {}) { return text_of(ask(of, model_->next_request())); }
  std::string at_last(const StatusQuery& of = {}) { return text_of(ask_until_answered(of)); }
  Result<StatusResult> ask_until_answered(const StatusQuery& of) {
    const auto asked = model_->next_request();
    Result<StatusResult> status = ask(of, asked);
    while (!status.ok() && status.error().code == ErrorCode::kPending) {
      if (runner_->answer_all() == 0) return Error{ErrorCode::kInvalid, "it waits for nobody"};
      status = ask(of, asked);
    }
    return status;
  }
  static std::string text_of(const Result<StatusResult>& status) {
    if (!status.ok()) return status.error().code == ErrorCode::kPending ? "pending" : "error";
    std::string text;
    for (const std::string& line : lines_of(*status))
      text += line.substr(line.rfind(' ') + 1) + " ";
    return text;
  }
  void expect_as_git_at_last() {
    const Result<StatusResult> status =
        ask_until_answered(query(UntrackedMode::kAll, IgnoredMode::kNo));
    ASSERT_TRUE(status.ok()) << status.error().message;
    EXPECT_EQ(lines_of(*status), git_lines(UntrackedMode::kAll, IgnoredMode::kNo));
    expect_told();
  }
  StatusQuery of_paths(const std::vector<std::string>& paths) {
    StatusQuery query;
    query.pathspec = std::make_shared<const Pathspec>(*Pathspec::parse(paths, {}));
    return query;
  }

  const std::shared_ptr<testing::FakeGitRunner> runner_ =
      std::make_shared<testing::FakeGitRunner>();
};

}  // namespace resident
