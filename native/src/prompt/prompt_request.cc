#include "prompt/prompt_request.h"

#include <algorithm>
#include <utility>

namespace resident {

namespace {

void append_printable(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(byte < 0x20 || byte == 0x7f ? '?' : c);
  }
}

void append_value(std::string& out, const std::string& value) {
  append_printable(out, value);
}
void append_value(std::string& out, uint64_t value) {
  out += std::to_string(value);
}

}  // namespace

std::optional<std::string> request_id(std::string_view record) {
  const size_t end = record.find(kUnitSeparator);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(record.substr(0, end));
}

Result<PromptRequest> parse_prompt_request(std::string_view record) {
  PromptRequest request;
  std::optional<std::string> id = request_id(record);
  if (!id) return Error{ErrorCode::kInvalid, "the request is without a directory"};
  request.id = *std::move(id);
  record.remove_prefix(request.id.size() + 1);
  const size_t end = record.find(kUnitSeparator);
  std::string_view directory = record.substr(0, end);
  if (directory.find('\0') != std::string_view::npos) {
    return Error{ErrorCode::kInvalid, "the name of the requested directory contains a NUL byte"};
  }
  request.is_git_dir = directory.starts_with(':');
  if (request.is_git_dir) directory.remove_prefix(1);
  request.directory = directory;
  if (end == std::string_view::npos) return request;
  const std::string_view flag = record.substr(end + 1);
  if (flag != "0" && flag != "1") {
    return Error{ErrorCode::kInvalid, "the third field of the request is neither 0 nor 1"};
  }
  request.index = flag == "0";
  return request;
}

std::optional<PromptRequestReader::Record> PromptRequestReader::next() {
  const size_t end = unread_.find(kRecordSeparator);
  const std::string_view piece = unread_.substr(0, end);
  const size_t room = kLongest - begun_.bytes.size();
  begun_.bytes += piece.substr(0, room);
  begun_.is_cut |= piece.size() > room;
  if (end == std::string_view::npos) {
    unread_ = {};
    return std::nullopt;
  }
  unread_.remove_prefix(end + 1);
  return std::exchange(begun_, {});
}

std::string prompt_response(std::string_view id, const PromptStatus& status) {
  std::string out;
  append_printable(out, id);
  out += {kUnitSeparator, '1'};
  visit_prompt_fields(status, [&](std::string_view, const auto& value) {
    out.push_back(kUnitSeparator);
    append_value(out, value);
  });
  out.push_back(kRecordSeparator);
  return out;
}

std::string no_repository_response(std::string_view id) {
  std::string out;
  append_printable(out, id);
  out += {kUnitSeparator, '0', kRecordSeparator};
  return out;
}

}  // namespace resident
