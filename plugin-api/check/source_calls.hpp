// SPDX-License-Identifier: Apache-2.0
// Calls the functions of a source in checks, and checks its lists.
#pragma once

#include "instance.hpp"
#include "sinks.hpp"

#include <string>
#include <vector>

namespace skillhost::check {

// A complete, valid listing, sorted. list() throws Ending if it is not, or if the status is not
// SKH_OK.
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
// Reads into the caller's sink, within the caller's call.
skh_status readInto(const Instance &instance, const ListedDocument &document,
                    const StandInCall &call, const ByteSink &sink);

// Returns "pdf/SKILL.md", always as valid UTF-8.
std::string nameOf(const ListedDocument &document);

constexpr std::size_t maxDocumentBytes = 64 * 1024 * 1024; // bytes

} // namespace skillhost::check
