#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace resident {

ErrorCode error_code_from_errno(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
      return ErrorCode::kPermission;
    default:
      return ErrorCode::kIo;
  }
}

Error error_from_errno(int error_number, std::string path) {
  return Error{error_code_from_errno(error_number),
               std::move(path) + ": " + std::generic_category().message(error_number)};
}

}  // namespace resident
