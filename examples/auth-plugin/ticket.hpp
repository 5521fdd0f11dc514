// SPDX-License-Identifier: Apache-2.0
// Signed tickets of the form "tk1.PAYLOAD.SIGNATURE", with both parts in base64url. The payload is
// KEY|SUBJECT|AUDIENCE|SCOPES|BEGINS|ENDS, with scopes separated by blanks and times in Unix
// seconds. The signature is HMAC-SHA-256 over everything before its dot. The code does not depend
// on skillhost.
#pragma once

#include "keys.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Ticket {
  std::string key;      // the id of the key that signs it
  std::string subject;  // the user or program that it identifies
  std::string audience; // the URI of the server it is for
  std::vector<std::string> scopes;
  std::int64_t begins = 0, ends = 0;
};

// The error of a ticket that is not accepted. Its text may reach a log, so it never repeats the
// contents of the ticket.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Rules {
  std::int64_t skew = 30;           // seconds that clocks may differ by
  std::int64_t maxSeconds = 86'400; // most seconds from begin to end
};

// Throws Refused when there is no such key, when a field has a character that a ticket cannot
// carry, or when the ticket would be longer than 4,096 bytes.
std::string signTicket(const Ticket &ticket, const Keys &keys);

// Reads no field but the id of the key before it has verified the signature. Throws Refused when
// the ticket is malformed, its key is unknown or its signature is wrong.
Ticket openTicket(std::string_view text, const Keys &keys);

// Throws Refused unless the ticket is for `audience` and valid at `now` (Unix seconds).
void judgeTicket(const Ticket &ticket, std::string_view audience, std::int64_t now,
                 const Rules &rules);
