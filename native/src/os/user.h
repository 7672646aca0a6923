// The user of this process, and what this user may do.
//
// A port supplies every function of this header.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace resident {

uint32_t real_user_id();
uint32_t effective_user_id();

// The home directory in the system's list of users; nullopt: the list has no such user.
std::optional<std::string> home_of(const std::string& user);

// Whether the user may execute the file, or enter the directory.
bool may_execute(const std::string& path);

// Makes a directory that only its user can enter. It may exist already. kUnsafe: another user owns
// it, or has access to it.
Result<void> make_private_directory(const std::string& path);

}  // namespace resident
