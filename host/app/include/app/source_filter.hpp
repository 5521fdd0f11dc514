// SPDX-License-Identifier: Apache-2.0
// A filter wraps each source in another one, which serves only what the filter lets through. The
// start makes and wires filters through this interface.
#pragma once

#include "app/configuration.hpp"
#include "base/readiness.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/own_tools.hpp"
#include "plugin/registry.hpp"
#include "plugin/source.hpp"
#include "state/shared_state.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {
class Catalogue;
}

namespace skillhost::app {

// A skill that a filter withholds. Only those who review may hear of it.
struct WithheldSkill {
  std::string id;     // "<source>/<path>"
  std::string source; // its name
  std::string path;   // within the source
  std::string name;   // what its SKILL.md calls it; may be empty
  std::string reason; // for those who may hear of it
};

// Wraps sources as a filter does under one configuration. What wrapped sources say of skills,
// such as a warning for the reader of one or why one is refused, stands in their snapshots. They do
// not refer to the wrapper. Immutable.
class SourceWrapper {
public:
  SourceWrapper() = default;
  virtual ~SourceWrapper() = default;
  SourceWrapper(const SourceWrapper &) = delete;
  SourceWrapper &operator=(const SourceWrapper &) = delete;

  // Names what the source of this name is to list; none: the filter has no say in that. Asked
  // before the source is made.
  virtual std::optional<SourcePin> pin(const std::string & /*source*/) const {
    return std::nullopt;
  }
  // Returns a source that serves what the filter lets through; the same one if that is all of it.
  // It withholds what cannot be judged. Throws if it cannot wrap the source: that is not served.
  virtual std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const = 0;
  // Returns the same text as another wrapper of the filter if both ask the same of this source,
  // which then need not be made again.
  virtual std::string mark(const std::string &source) const = 0;
};

// A host has one object of each filter. It is made before the sources, and ends after them and
// after the server. Any thread.
class SourceFilter {
public:
  SourceFilter() = default;
  virtual ~SourceFilter() = default;
  SourceFilter(const SourceFilter &) = delete;
  SourceFilter &operator=(const SourceFilter &) = delete;

  // Returns what wraps the sources of this configuration. Called at the start, and again when a
  // configuration is to be applied. Throws std::runtime_error that names what is wrong with it:
  // then the start ends, or what was applied before stays.
  virtual std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) = 0;
  // Reads again what it has from files. Logs what is wrong with them; what it had read before holds
  // then. Does not throw, and nor do the functions below.
  virtual void reload() {}

  // Returns a list of what it takes of the configuration to decide which skills are served: for
  // another one the search keeps another index.
  virtual Json searchMark(const Configuration & /*configuration*/) const { return Json::array(); }

  // True if it may withhold skills of which only those who review may hear.
  virtual bool withholds() const noexcept { return false; }
  // Returns these skills of all its sources, as far as they are listed.
  virtual std::vector<WithheldSkill> withheld() const { return {}; }
  // Logs at the start of a server, when the sources have been listed, what it withholds.
  virtual void logWithheld() const {}
  // Logs at the start of a server, whose auth plugin says who callers are, what prevents them from
  // deciding.
  virtual void logObstacles() const {}
  // Returns what the filter adds to /readyz.
  virtual Readiness readiness() const { return {}; }
  // Return what the server has of it beside its own. The filter outlives both.
  virtual std::vector<FeatureTool> tools() { return {}; }
  virtual std::vector<OwnResource> resources() { return {}; }
  // The catalogue is served from now on, and the server has forgotten the texts of the one before.
  virtual void catalogueChanged(const Catalogue & /*now*/) {}
  // Answers those who wait for it, and gives up the shared state. Called before the server and the
  // sources stop, at most once: not when the start ends before the server is made, so that the
  // destructor does the same.
  virtual void stop() {}
};

// In the order in which they wrap a source: from the source outwards.
using SourceFilters = std::vector<std::shared_ptr<SourceFilter>>;
using SourceWrappers = std::vector<std::shared_ptr<const SourceWrapper>>; // of one configuration

// A filter that was built.
struct FilterKind {
  std::string_view name;
  // Makes the filter. `share` gives it the state that replicas share, if it asks. Throws
  // std::runtime_error if it cannot be made, which ends the start: nothing is served without it.
  std::function<std::shared_ptr<SourceFilter>(const Configuration &configuration,
                                              const ShareState &share)>
      make;
  std::vector<std::string> tools{}; // names of the tools that it brings
};
using FilterKinds = std::vector<FilterKind>;

// Returns the filters that were built, from the source outwards: what the first one lets through
// comes to the second one. Meson writes this function down; what makes a Host links it.
FilterKinds builtFilters();

// Returns the names of the tools that these bring.
std::vector<std::string> toolsOf(const FilterKinds &kinds);

// The filters of a host, and what they make of the sources of its first configuration.
struct MadeFilters {
  SourceFilters filters;
  SourceWrappers wrappers;
};
// Makes a filter of each kind, in their order. Throws std::runtime_error if one cannot be made.
MadeFilters makeFilters(const FilterKinds &kinds, const Configuration &configuration,
                        const ShareState &share);

// Returns the wrappers for another configuration. Throws as SourceFilter::wrapper() does.
SourceWrappers wrappersFor(const Configuration &configuration, const SourceFilters &filters);

// Returns what the source of this name is to list: the pin of the last wrapper that has one, or
// `otherwise`.
SourcePin pinOf(const SourceWrappers &wrappers, const std::string &source, SourcePin otherwise);

// Wraps the source in one wrapper after the other. Throws if one of them cannot: std::runtime_error
// if it returned none.
std::shared_ptr<Source> wrapped(const SourceWrappers &wrappers, std::shared_ptr<Source> source);

// True if both ask the same of the source of this name.
bool agree(const SourceWrappers &a, const SourceWrappers &b, const std::string &source);

// True if one of them may withhold skills.
bool mayWithhold(const SourceFilters &filters);

// Returns the skills that they withhold.
std::vector<WithheldSkill> withheldBy(const SourceFilters &filters);

// Returns the one that is called so, by its id, or else by its path, the end of its path or its
// name; none if there is no such one, or several.
std::optional<WithheldSkill> findWithheld(const std::vector<WithheldSkill> &all,
                                          std::string_view name);

} // namespace skillhost::app
