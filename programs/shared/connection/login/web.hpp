// SPDX-License-Identifier: Apache-2.0
// Single requests to an authorization server, and the texts of its addresses.
#pragma once

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
  bool allowPlain = false; // http:// to another machine
  std::string agent;       // the User-Agent
  int stop = -1;           // a descriptor that ends the waiting
  // This machine: only when the server itself is there. What another machine's documents name is
  // not to reach services that listen on this one alone.
  bool allowLoopback = false;
};

struct WebAnswer {
  HttpHead head;
  std::string body; // at most 1 MiB
};

using FormFields = std::vector<std::pair<std::string, std::string>>;

// Waits for the whole answer, whatever its status; redirects are not followed. Asks for JSON unless
// `ask` has an Accept field of its own. Unavailable: nobody
// answered in 30 s. Denied: the address may not be asked, or its certificate is not trusted.
Result<WebAnswer> request(const Web &web, const std::string &url, HttpAsk ask);
// GET; its JSON object. NotFound for any other status than 200, and for what is no JSON object.
Result<Json> fetchObject(const Web &web, const std::string &url);

// application/x-www-form-urlencoded, both ways. What cannot be read is left out.
std::string formEncoded(const FormFields &fields);
FormFields formDecoded(std::string_view text);
// The value of the first field of that name; empty: none.
std::string valueOf(const FormFields &fields, std::string_view name);

// A text member of an object; empty: there is none.
std::string textOf(const Json &object, const char *name);

} // namespace skillhost
