// SPDX-License-Identifier: Apache-2.0
// Requests to an authorization server, whatever sends them, and the encoding of forms.
#pragma once

#include "base/http.hpp"
#include "ground/json.hpp"
#include "ground/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct WebCall {
  std::string method; // GET or POST
  HttpFields fields;
  std::string body;
};
struct WebAnswer {
  int status = 0;
  std::string challenge; // the field WWW-Authenticate
  std::string body;
};

// Sends one request and waits for the whole answer, whatever its status. It limits time and size,
// follows no redirect, and asks for JSON unless the call has an Accept field. A failure names the
// address without its query: Unavailable (try again), Denied (the address is not allowed or not
// trusted) or Cancelled. It may throw; then that passes through.
using Web = std::function<Result<WebAnswer>(const std::string &url, WebCall call)>;

// Sends a GET and returns its JSON object. NotFound for any status other than 200, and for a body
// that is not a JSON object.
Result<Json> fetchObject(const Web &web, const std::string &url);

using FormFields = std::vector<std::pair<std::string, std::string>>;

// Encode and decode application/x-www-form-urlencoded. Decoding skips invalid fields.
std::string formEncoded(const FormFields &fields);
FormFields formDecoded(std::string_view text);
// Returns the value of the first field with that name; empty: none.
std::string valueOf(const FormFields &fields, std::string_view name);

// Returns a text member of an object; empty: none.
std::string textOf(const Json &object, const char *name);

} // namespace skillhost
