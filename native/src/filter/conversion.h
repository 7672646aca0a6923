// The conversion that git applies to the bytes of a file before it hashes them. The path's
// attributes and the config decide it: gitattributes(5), "text", "eol", "ident", "filter",
// "working-tree-encoding". The rules are those of convert.c of git 2.39. git converts only regular
// files, never symbolic links.
//
// Threads: only values and pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "attributes/attribute_stack.h"
#include "attributes/path_attributes.h"
#include "filter/conversion_config.h"

namespace resident {

enum class ConversionKind : uint8_t {
  kNone,      // the bytes stay the same
  kBuiltin,   // to_git() converts
  kExternal,  // only git can tell: a clean filter runs, or git refuses the attributes
};

enum class EolConversion : uint8_t {
  kNone,
  kText,  // CRLF becomes LF
  kAuto,  // like kText, unless the content looks binary or the index has CRLF
};

struct Conversion {
  ConversionKind kind = ConversionKind::kNone;
  EolConversion eol = EolConversion::kNone;
  bool ident = false;         // "$Id: …$" becomes "$Id$"
  std::string encoding;       // encoding of the file, converted to UTF-8; empty: none
  std::string filter_driver;  // name of the filter driver, for kExternal through a filter
};

// False if decide_conversion() returns kNone for every path of the stack. Costs only a few hash
// lookups: cheap enough for one call per directory.
bool may_convert(const AttributeStack& stack, const ConversionConfig& config);

Conversion decide_conversion(const PathAttributes& attributes, const ConversionConfig& config);

}  // namespace resident
