#include "os/process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "testing/repo_builder.h"

namespace resident {
namespace {

TEST(Process, TellsOfItself) {
  const ProcessId self = ::getpid();
  EXPECT_NE(command_line_of(self).find("os_test"), std::string::npos);
  EXPECT_EQ(working_directory_of(self), std::filesystem::current_path());
  const std::optional<std::string> variables = environment_of(self);
  ASSERT_TRUE(variables);
  const std::string path = "PATH=" + std::string(std::getenv("PATH")) + '\0';
  EXPECT_NE(variables->find(path), std::string::npos);
  EXPECT_TRUE(process_exists(self));
  const Result<std::string> program = own_program();
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(is_native_program(*program));
}

TEST(Process, WithoutAProcessEverythingIsUnknown) {
  EXPECT_EQ(command_line_of(-1), "");
  EXPECT_EQ(working_directory_of(-1), "");
  EXPECT_FALSE(environment_of(-1));
}

TEST(Process, AScriptIsNoNativeProgram) {
  testing::RepoBuilder files;
  testing::write_whole_file(files.path("script"), "#!/bin/sh\n");
  EXPECT_FALSE(is_native_program(files.path("script")));
  EXPECT_FALSE(is_native_program(files.path("missing")));
}

}  // namespace
}  // namespace resident
