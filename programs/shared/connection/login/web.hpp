// SPDX-License-Identifier: Apache-2.0
// Sends single requests to an authorization server, and encodes and decodes forms.
#pragma once

#include "connection/login.hpp"
#include "ground/deadline.hpp"
#include "ground/json.hpp"
#include "http_client.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

struct Web {
  std::string authorities; // PEM file; empty: the system's
  std::chrono::milliseconds connecting;
  bool allowPlain = false; // allows http:// to another machine
  std::string agent;       // value of User-Agent
  int stop = -1;           // descriptor; waiting ends when it can be read
  // Allows addresses on this machine. Set only if the MCP server is on it, so that the documents of
  // a remote server cannot reach local services.
  bool allowLoopback = false;
};

// Returns what the settings of a sign-in allow.
Web webOf(const LoginSettings &settings, int stop);

struct WebAnswer {
  HttpHead head;
  std::string body; // at most 1 MiB
};

using FormFields = std::vector<std::pair<std::string, std::string>>;

// Waits for the whole answer, whatever its status, and does not follow redirects. Asks for JSON
// unless `ask` has an Accept field. Unavailable: no answer in 30 s. Denied: the address is not
// allowed, or its certificate is not trusted.
Result<WebAnswer> request(const Web &web, const std::string &url, HttpCall ask);
// Sends a GET and returns its JSON object. NotFound for any status other than 200, and for a body
// that is not a JSON object.
Result<Json> fetchObject(const Web &web, const std::string &url);

// Encode and decode application/x-www-form-urlencoded. Decoding skips invalid fields.
std::string formEncoded(const FormFields &fields);
FormFields formDecoded(std::string_view text);
// Returns the value of the first field with that name; empty: none.
std::string valueOf(const FormFields &fields, std::string_view name);

// Returns a text member of an object; empty: none.
std::string textOf(const Json &object, const char *name);

} // namespace skillhost
