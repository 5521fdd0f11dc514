// SPDX-License-Identifier: Apache-2.0
// Adds, replaces or removes one entry of a user's JSON, YAML or TOML file as text: comments, order
// and form of everything else stay.
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

enum class Format : std::uint8_t { Json, Yaml, Toml }; // Json allows comments and trailing commas

struct Change {
  // Keys from the root. In a list of YAML or JSON, a number is an index and "-" the place after the
  // last.
  std::vector<std::string> path;
  std::optional<Json> value; // none: remove it
};

// Parses the text; an empty one is an empty object. Fails with InvalidFormat and the line and
// column, or the byte.
Result<Json> read(Format format, std::string_view text);

// Returns the value at `path`, or nullptr.
const Json *find(const Json &document, const std::vector<std::string> &path);

// Returns the text with the change. The result is read again, and must differ from the old content
// only by the change; otherwise this fails with Conflict, and the user has to change the file by
// hand. Fails with InvalidFormat if the text cannot be read. Removing a missing entry returns the
// same text.
Result<std::string> changed(Format format, std::string_view text, const Change &change);

// Parts of changed(), which verify nothing. A failure gives the reason.
Result<std::string> changedJson(std::string_view text, const Change &change);
Result<std::string> changedYaml(std::string_view text, const Change &change);
Result<std::string> changedToml(std::string_view text, const Change &change);
// Parts of read().
Result<Json> readJson(std::string_view text);
Result<Json> readYaml(std::string_view text);
Result<Json> readToml(std::string_view text);

} // namespace skillhost::app::edit
