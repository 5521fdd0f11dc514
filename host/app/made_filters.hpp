// SPDX-License-Identifier: Apache-2.0
// Makes the filters of a host, wraps its sources in them, and queries all of them.
#pragma once

#include "app/source_filter.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skillhost::app {

// In the order in which they wrap a source: from the source outwards.
using SourceFilters = std::vector<std::shared_ptr<SourceFilter>>;
using SourceWrappers = std::vector<std::shared_ptr<const SourceWrapper>>; // of one configuration

// The filters of a host, and their wrappers for its first configuration.
struct MadeFilters {
  SourceFilters filters;
  SourceWrappers wrappers;
};
// Makes a filter of each kind, in their order. Throws std::runtime_error if one cannot be made.
MadeFilters makeFilters(const FilterKinds &kinds, const Configuration &configuration,
                        const ShareState &share);

// Returns the filters' wrappers for another configuration. Throws as SourceFilter::wrapper() does.
SourceWrappers wrappersFor(const Configuration &configuration, const SourceFilters &filters);

// Returns the pin for the source of this name: that of the last wrapper that has one, or
// `otherwise`.
SourcePin pinOf(const SourceWrappers &wrappers, const std::string &source, SourcePin otherwise);

// Wraps the source in one wrapper after the other. Throws if one of them cannot: std::runtime_error
// if it returned none.
std::shared_ptr<Source> wrapped(const SourceWrappers &wrappers, std::shared_ptr<Source> source);

// True if both lists treat the source of this name in the same way.
bool treatAlike(const SourceWrappers &a, const SourceWrappers &b, const std::string &source);

// True if one of the filters may withhold skills.
bool mayWithhold(const SourceFilters &filters);

// Returns the skills that they withhold.
std::vector<WithheldSkill> withheldBy(const SourceFilters &filters);

} // namespace skillhost::app
