// SPDX-License-Identifier: Apache-2.0
#include "json_text.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

namespace skillhost::check {

std::string faultInObject(std::string_view text) {
  const Result<Json> value = parseJson(text);
  if (!value) return value.failure().message;
  return value->is_object() ? "" : "it is not an object";
}

} // namespace skillhost::check
