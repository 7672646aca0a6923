// "<flags> <path> LF <file> FF <file> ...": the attributes files of the user, the root, info and a
// directory. A lookup returns no attribute that no rule mentions. A macro decides its members.
#include <string>

#include "attributes/attribute_stack.h"
#include "fuzz/fuzz_target.h"

namespace resident {
namespace {

std::shared_ptr<const AttributeFile> next_file(FuzzInput& input, const std::string& base,
                                               AttributeSource source) {
  return AttributeFile::parse(std::string(input.until('\f')), base, source);
}

void check(const AttributeStack& stack, std::string_view path, bool ignore_case) {
  const PathAttributes found = stack.lookup(path, {.ignore_case = ignore_case});
  for (const auto& [name, value] : found.values()) {
    expect(!name.empty() && stack.mentions(name));
    expect(found.get(name) == value);
    expect(value.state == AttributeState::kValue || value.value.empty());
  }
  // The built-in macro sets both, unless a file redefined it or decided its members before.
  if (found.get("binary").is_set()) expect(stack.mentions("diff") || stack.mentions("binary"));
}

const FuzzTarget attributes_target("attributes", [](Bytes bytes) {
  FuzzInput input(bytes);
  const uint8_t flags = input.byte();
  const bool ignore_case = flags & 1;
  const AttributeSource source = flags & 2 ? AttributeSource::kIndex : AttributeSource::kFile;
  const std::string_view path = input.until('\n');
  BaseAttributeFiles files;
  files.user = next_file(input, "", source);
  files.root = next_file(input, "", source);
  files.info = next_file(input, "", source);
  const auto stack = AttributeStack::create(files);
  check(*stack, path, ignore_case);
  // A stack below the root only takes paths below it.
  const std::string below = "a/" + std::string(path);
  check(*stack->with_directory(next_file(input, "a/", source)), below, ignore_case);
});

}  // namespace
}  // namespace resident
