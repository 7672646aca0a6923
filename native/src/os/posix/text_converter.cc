// By iconv(3).
#include "os/text_converter.h"

#include <iconv.h>

#include <cerrno>

namespace resident {

namespace {

class Converter {
 public:
  explicit Converter(const char* encoding) : handle_(::iconv_open("UTF-8", encoding)) {}
  ~Converter() {
    if (valid()) ::iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool valid() const { return handle_ != kInvalid; }

  std::optional<std::string> convert(std::string_view content) {
    std::string out(content.size() + 16, '\0');
    char* in = const_cast<char*>(content.data());  // iconv's type; it does not write
    size_t in_left = content.size();
    size_t done = 0;
    for (;;) {
      char* to = out.data() + done;
      size_t room = out.size() - done;
      const size_t status = ::iconv(handle_, &in, &in_left, &to, &room);
      done = out.size() - room;
      if (status != static_cast<size_t>(-1)) break;
      if (errno != E2BIG) return std::nullopt;
      out.resize(done + in_left * 2 + 32);
    }
    out.resize(done);
    return out;
  }

 private:
  static inline const iconv_t kInvalid = reinterpret_cast<iconv_t>(-1);

  iconv_t handle_;
};

}  // namespace

std::optional<std::string> convert_to_utf8(std::string_view content, const char* encoding) {
  Converter converter(encoding);
  if (!converter.valid()) return std::nullopt;
  return converter.convert(content);
}

}  // namespace resident
