// SPDX-License-Identifier: Apache-2.0
// Signed tickets: "tk1.PAYLOAD.SIGNATURE", each in base64url. The payload is
// KEY|SUBJECT|AUDIENCE|SCOPES|BEGINS|ENDS, scopes apart by blanks, times in Unix seconds; the
// signature is HMAC-SHA-256 over everything before its dot. Knows nothing of skillhost.
#pragma once

#include "keys.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Ticket {
  std::string key;      // the id of the key that signs it
  std::string subject;  // who
  std::string audience; // the URI of the server it is for
  std::vector<std::string> scopes;
  std::int64_t begins = 0, ends = 0;
};

// Why a ticket is not accepted. Says nothing of what is in it: the text may reach a log.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Rules {
  std::int64_t skew = 30;        // seconds that clocks may differ by
  std::int64_t longest = 86'400; // seconds from begin to end
};

// Throws Refused when a field holds what a ticket cannot carry, or there is no such key.
std::string signTicket(const Ticket &ticket, const Keys &keys);

// Looks at nothing before the signature has been found to hold. Throws Refused.
Ticket openTicket(std::string_view text, const Keys &keys);

// Throws Refused unless the ticket is for `audience` and valid at `now` (Unix seconds).
void judgeTicket(const Ticket &ticket, std::string_view audience, std::int64_t now,
                 const Rules &rules);
