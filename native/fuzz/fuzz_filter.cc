// "<flags> <encoding> <index blob's size, 1 byte> <index blob> <content>": converts a file's
// content like git for its object database.
#include <string>

#include "filter/to_git.h"
#include "fuzz/fuzz_target.h"

namespace resident {
namespace {

constexpr const char* kEncodings[] = {
    "",        "UTF-16",    "UTF-16LE", "UTF-16BE", "UTF-16LE-BOM", "UTF-32",
    "latin-1", "SHIFT-JIS", "utf-7",    "nonsense", "UTF-32BE",     "ISO-2022-JP"};

const FuzzTarget filter_target("filter", [](Bytes bytes) {
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  Conversion conversion;
  conversion.kind = ConversionKind::kBuiltin;
  conversion.eol = static_cast<EolConversion>(flags % 3);
  conversion.ident = flags & 4;
  conversion.encoding = kEncodings[input.byte() % std::size(kEncodings)];
  const std::string blob(input.take(input.byte()));
  auto result = to_git(input.rest(), conversion, [&] { return std::optional(blob); });
  if (!result) return;
  // Conversion of line ends and keywords only shrinks the content.
  if (conversion.encoding.empty()) expect(result->size() <= input.rest().size());
});

}  // namespace
}  // namespace resident
