// SPDX-License-Identifier: Apache-2.0
// One entry of somebody's JSON, YAML or TOML file put in, replaced or taken out, as text: comments,
// order and form of all the rest stay.
#pragma once

#include "ground/json.hpp"
#include "ground/result.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::app::edit {

enum class Format : std::uint8_t { Json, Yaml, Toml }; // Json: comments and trailing commas too

struct Change {
  // Keys from the root. In a list of YAML or JSON a number is an index, and "-" the place after the
  // last.
  std::vector<std::string> path;
  std::optional<Json> value; // none: it is taken out
};

// What the text says; an empty one is an empty object. InvalidFormat with line and column, or byte.
Result<Json> read(Format format, std::string_view text);

// The value at `path`, nullptr when there is none.
const Json *find(const Json &document, const std::vector<std::string> &path);

// The text with the change made. It is read again, and says what it said before but for the change,
// or else this fails with Conflict: what cannot be changed so is changed by hand. InvalidFormat
// when the text cannot be read. An entry that is to go and is not there: the same text.
Result<std::string> changed(Format format, std::string_view text, const Change &change);

// Parts of changed(): nothing is verified. A failure says why it cannot be done.
Result<std::string> changedJson(std::string_view text, const Change &change);
Result<std::string> changedYaml(std::string_view text, const Change &change);
Result<std::string> changedToml(std::string_view text, const Change &change);
// Parts of read().
Result<Json> readJson(std::string_view text);
Result<Json> readYaml(std::string_view text);
Result<Json> readToml(std::string_view text);

} // namespace skillhost::app::edit
