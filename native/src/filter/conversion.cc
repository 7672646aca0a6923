#include "filter/conversion.h"

#include <optional>

#include "filter/encoding.h"

namespace resident {
namespace {

// The conversion that `text`, or its old name `crlf`, requests. nullopt: it requests none.
std::optional<EolConversion> eol_of_text(const AttributeValue& text) {
  if (text.is_set() || text.is("input")) return EolConversion::kText;
  if (text.is_unset()) return EolConversion::kNone;
  if (text.is("auto")) return EolConversion::kAuto;
  return std::nullopt;
}

EolConversion decide_eol(const PathAttributes& attributes, const ConversionConfig& config) {
  auto eol = eol_of_text(attributes.get("text"));
  if (!eol) eol = eol_of_text(attributes.get("crlf"));
  if (eol) return *eol;
  // The attribute eol alone makes the file text.
  const AttributeValue ending = attributes.get("eol");
  if (ending.is("lf") || ending.is("crlf")) return EolConversion::kText;
  return config.autocrlf ? EolConversion::kAuto : EolConversion::kNone;
}

}  // namespace

bool may_convert(const AttributeStack& stack, const ConversionConfig& config) {
  if (config.autocrlf) return true;
  for (const char* name : {"text", "crlf", "eol", "ident", "filter", "working-tree-encoding"}) {
    if (stack.mentions(name)) return true;
  }
  return false;
}

Conversion decide_conversion(const PathAttributes& attributes, const ConversionConfig& config) {
  Conversion result;
  result.eol = decide_eol(attributes, config);
  result.ident = attributes.get("ident").is_set();

  const AttributeValue encoding = attributes.get("working-tree-encoding");
  // git dies if "working-tree-encoding" has no value.
  bool external = encoding.is_set();
  if (!encoding.value.empty() && !is_utf8_name(encoding.value)) result.encoding = encoding.value;

  const AttributeValue filter = attributes.get("filter");
  if (filter.state == AttributeState::kValue) {
    auto driver = config.drivers.find(std::string(filter.value));
    // git also dies if a required driver has no command.
    if (driver != config.drivers.end() &&
        (driver->second.runs_on_clean() || driver->second.required)) {
      external = true;
      result.filter_driver = driver->first;
    }
  }

  if (external) {
    result.kind = ConversionKind::kExternal;
  } else if (result.eol != EolConversion::kNone || result.ident || !result.encoding.empty()) {
    result.kind = ConversionKind::kBuiltin;
  }
  return result;
}

}  // namespace resident
