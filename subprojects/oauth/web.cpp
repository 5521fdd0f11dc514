// SPDX-License-Identifier: Apache-2.0
#include "oauth/web.hpp"

#include "ground/percent.hpp"
#include "http_client/url.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace skillhost {
namespace {

// Returns nothing if the text has control characters, which no value of a form contains.
std::optional<std::string> decodedPart(std::string text) {
  std::replace(text.begin(), text.end(), '+', ' ');
  std::string decoded = decodePercents(text);
  const bool isText =
      std::none_of(decoded.begin(), decoded.end(), [](unsigned char byte) { return byte < 0x20; });
  return isText ? std::optional(std::move(decoded)) : std::nullopt;
}

Failure about(Fault fault, const std::string &url, const std::string &what) {
  return {fault, std::string(web::withoutQuery(url)) + ": " + what};
}

} // namespace

Result<Json> fetchObject(const Web &web, const std::string &url) {
  const Result<WebAnswer> answer = web(url, {"GET", {}, {}});
  if (!answer) return answer.failure();
  const std::string status = "HTTP status " + std::to_string(answer->status);
  if (answer->status >= 500) return about(Fault::Unavailable, url, status);
  if (answer->status != 200) return about(Fault::NotFound, url, status);
  Result<Json> read = parseJson(answer->body);
  if (!read || !read->is_object())
    // Many servers send an HTML page for unknown paths.
    return about(Fault::NotFound, url, "expected a JSON object");
  return read;
}

std::string formEncoded(const FormFields &fields) {
  std::string encoded;
  for (const auto &[name, value] : fields)
    encoded += (encoded.empty() ? "" : "&") + name + "=" + web::formEncoded(value);
  return encoded;
}

FormFields formDecoded(std::string_view text) {
  FormFields fields;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    auto value = decodedPart(std::string(one.substr(equals + 1)));
    if (value) fields.emplace_back(one.substr(0, equals), *std::move(value));
  }
  return fields;
}

std::string valueOf(const FormFields &fields, std::string_view name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto &field) { return field.first == name; });
  return found == fields.end() ? std::string() : found->second;
}

std::string textOf(const Json &object, const char *name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace skillhost
