// What git does to a file's bytes before it hashes them, decided from the path's attributes and the
// configuration (gitattributes(5), "text", "eol", "ident", "filter", "working-tree-encoding"; the
// rules of convert.c of git 2.39). Only regular files are converted; symbolic links never are.
//
// Everything here is a value or a pure function, safe from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "attributes/attribute_stack.h"
#include "attributes/path_attributes.h"
#include "filter/conversion_config.h"

namespace resident {

enum class ConversionKind : uint8_t {
  kNone,      // the bytes as they are
  kBuiltin,   // to_git() knows
  kExternal,  // only git itself can tell: a clean filter runs, or git refuses the attributes
};

enum class EolConversion : uint8_t {
  kNone,
  kText,  // CRLF becomes LF
  kAuto,  // the same, unless the content looks binary or the index has CRLF already
};

struct Conversion {
  ConversionKind kind = ConversionKind::kNone;
  EolConversion eol = EolConversion::kNone;
  bool ident = false;         // "$Id: …$" becomes "$Id$"
  std::string encoding;       // of the file, where it becomes UTF-8; empty: none
  std::string filter_driver;  // for kExternal through a filter: its name
};

// False where decide_conversion() says kNone for every path of the stack. Costs a few hash lookups,
// so it can be asked once per directory.
bool may_convert(const AttributeStack& stack, const ConversionConfig& config);

Conversion decide_conversion(const PathAttributes& attributes, const ConversionConfig& config);

}  // namespace resident
