// SPDX-License-Identifier: Apache-2.0
// The calls of a source as the checks make them, and what is wrong with a listing.
#pragma once

#include "instance.hpp"
#include "sinks.hpp"

#include <string>
#include <vector>

namespace skillhost::check {

// A whole, valid listing, sorted. Throws Ending for any other, or a status that is not SKH_OK.
struct Listing {
  std::vector<ListedDocument> documents;
  std::string snapshot;
};
Listing list(Probe &probe, const Instance &instance);

struct ReadBack {
  skh_status status = SKH_FAILED;
  std::string bytes, message;
};
ReadBack read(Probe &probe, const Instance &instance, const ListedDocument &document);
// Into a sink of yours, within a call of yours.
skh_status readInto(const Instance &instance, const ListedDocument &document,
                    const StandInCall &call, const ByteSink &sink);

// "pdf/SKILL.md", as valid UTF-8.
std::string nameOf(const ListedDocument &document);

constexpr std::size_t largestDocument = 64 * 1024 * 1024; // bytes

} // namespace skillhost::check
