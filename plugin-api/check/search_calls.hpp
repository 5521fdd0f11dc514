// SPDX-License-Identifier: Apache-2.0
// Calls the functions of a search plugin in checks, and makes entries to search.
#pragma once

#include "instance.hpp"
#include "sinks.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

struct SampleEntry {
  std::string id, name, description, body, attributes;
};

// Returns `count` similar entries that fit sampleQuery equally well. They are not sorted by id, so
// that a check finds out if the plugin sorts equal hits by id.
std::vector<SampleEntry> sampleEntries(std::size_t count);
constexpr std::string_view sampleQuery = "merge pdf files";

// Each function throws Ending if the call fails.
void putEntry(Probe &probe, const Instance &instance, const SampleEntry &entry,
              std::string_view revision = "1");
void removeEntry(Probe &probe, const Instance &instance, std::string_view id);
void commitIndex(Probe &probe, const Instance &instance, std::string_view generation);
std::string generationOf(Probe &probe, const Instance &instance);
std::vector<FoundHit> query(Probe &probe, const Instance &instance, std::string_view text,
                            std::uint32_t limit, std::string_view filter = {});
// Puts all entries and commits.
void fillIndex(Probe &probe, const Instance &instance, const std::vector<SampleEntry> &entries,
               std::string_view generation);

} // namespace skillhost::check
