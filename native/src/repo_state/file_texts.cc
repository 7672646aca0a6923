#include "repo_state/file_texts.h"

#include <utility>

namespace resident {

bool FileTexts::read(const std::vector<std::string>& paths) {
  files_ = FileSet::record(fs_, paths);
  are_unreadable_ = false;
  Texts texts;
  for (const std::string& path : paths) {
    Result<std::string> text = path.empty() ? Error{ErrorCode::kNotFound, ""} : fs_.read_file(path);
    are_unreadable_ |= !text.ok() && text.error().code != ErrorCode::kNotFound;
    texts.push_back(text.ok() ? std::optional(std::move(text).value()) : std::nullopt);
  }
  if (texts == texts_) return false;
  texts_ = std::move(texts);
  return true;
}

}  // namespace resident
