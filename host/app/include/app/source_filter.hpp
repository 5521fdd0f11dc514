// SPDX-License-Identifier: Apache-2.0
// The interface of filters, through which the start makes and wires them. A filter wraps each
// source in another one, which serves only what the filter allows.
#pragma once

#include "app/configuration.hpp"
#include "base/readiness.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/own_tools.hpp"
#include "plugin/registry.hpp"
#include "plugin/shared_store.hpp"
#include "plugin/source.hpp"

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

// A skill that a filter withholds. Only reviewers may learn of it.
struct WithheldSkill {
  std::string id;     // "<source>/<path>"
  std::string source; // its name
  std::string path;   // within the source
  std::string name;   // the name in its SKILL.md; may be empty
  std::string reason; // for reviewers
};

// Wraps sources as a filter does under one configuration. The snapshots of wrapped sources contain
// what they report about skills, such as a warning for readers or the reason of a refusal. Wrapped
// sources do not refer to the wrapper. Immutable.
class SourceWrapper {
public:
  SourceWrapper() = default;
  virtual ~SourceWrapper() = default;
  SourceWrapper(const SourceWrapper &) = delete;
  SourceWrapper &operator=(const SourceWrapper &) = delete;

  // Returns what the source of this name has to list; nothing if the filter does not determine
  // that. Called before the source is made.
  virtual std::optional<SourcePin> pin(const std::string & /*source*/) const {
    return std::nullopt;
  }
  // Returns a source that serves what the filter allows; the same source if that is everything. It
  // withholds a skill that it cannot judge. Throws if it cannot wrap the source, which is then not
  // served.
  virtual std::shared_ptr<Source> wrap(std::shared_ptr<Source> source) const = 0;
  // Returns a text that equals that of another wrapper of the filter if both treat this source
  // alike; the source then need not be made again.
  virtual std::string mark(const std::string &source) const = 0;
};

// A host has one object of each filter. It is made before the sources, and destroyed after them and
// after the server. Any thread.
class SourceFilter {
public:
  SourceFilter() = default;
  virtual ~SourceFilter() = default;
  SourceFilter(const SourceFilter &) = delete;
  SourceFilter &operator=(const SourceFilter &) = delete;

  // Returns the wrapper for the sources of this configuration. Called at the start, and again when
  // a configuration is applied. Throws std::runtime_error that names an error in the configuration:
  // then the start ends, or the previous configuration stays.
  virtual std::shared_ptr<const SourceWrapper> wrapper(const Configuration &configuration) = 0;
  // Reads its files again. Logs errors in them; the previous content then stays in force. Does not
  // throw, like the functions below.
  virtual void reload() {}

  // Returns a list of the settings by which the filter decides which skills are served. The search
  // keeps a separate index for each list.
  virtual Json searchMark(const Configuration & /*configuration*/) const { return Json::array(); }

  // True if it may withhold skills. Only those who may review learn of a withheld skill.
  virtual bool withholds() const noexcept { return false; }
  // Returns the withheld skills of all its sources, as far as they are listed.
  virtual std::vector<WithheldSkill> withheld() const { return {}; }
  // Logs the number of withheld skills at the start of a server, when the sources have been listed.
  virtual void logWithheld() const {}
  // Logs at the start of a server that identifies callers what prevents them from deciding.
  virtual void logObstacles() const {}
  // Returns what the filter adds to /readyz.
  virtual Readiness readiness() const { return {}; }
  // Return the tools and the resources that the filter adds to the server. The filter outlives
  // both.
  virtual std::vector<FeatureTool> tools() { return {}; }
  virtual std::vector<OwnResource> resources() { return {}; }
  // Returns the scopes that its tools need beside that for reading. Clients learn from the server's
  // metadata that they can request them.
  virtual std::vector<std::string> scopes() const { return {}; }
  // Called when this catalogue is served, and the server has dropped the texts of the previous one.
  virtual void catalogueChanged(const Catalogue & /*now*/) {}
  // Answers waiting callers, and releases the shared state. Called before the server and the
  // sources stop, at most once. It is not called if the start ends before the server is made, so
  // the destructor does the same.
  virtual void stop() {}
};

// Returns to a filter the store that replicas share, and makes it when the first filter asks; null:
// this process shares nothing. If the store cannot be made, a process that can continue without it
// gets a failure with the reason; otherwise std::runtime_error is thrown and ends the start.
using ShareState = std::function<Result<std::shared_ptr<SharedStore>>()>;

// A filter that was built.
struct FilterKind {
  std::string_view name;
  // Makes the filter, which may call `share`. Throws std::runtime_error if it cannot be made, and
  // the start ends, because nothing may be served without the filter.
  std::function<std::shared_ptr<SourceFilter>(const Configuration &configuration,
                                              const ShareState &share)>
      make;
  std::vector<std::string> tools{}; // names of its tools
};
using FilterKinds = std::vector<FilterKind>;

// Returns the names of the tools that filters of these kinds add.
std::vector<std::string> toolsOf(const FilterKinds &kinds);

// Returns the skill with this name: its id, or else its path, the end of its path, or its name.
// Returns none if no skill or more than one has it.
std::optional<WithheldSkill> findWithheld(const std::vector<WithheldSkill> &all,
                                          std::string_view name);

} // namespace skillhost::app
