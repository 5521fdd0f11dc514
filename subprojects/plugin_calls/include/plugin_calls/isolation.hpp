// SPDX-License-Identifier: Apache-2.0
// The interface by which the host has plugins run in processes of their own. The folder isolation/
// implements it. Without that folder the host has no PluginIsolation, and refuses such plugins.
#pragma once

#include "base/network_rule.hpp"
#include "plugin_calls/plugin_facts.hpp"
#include "plugin_calls/plugin_scan.hpp"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

class PluginCopy;

// Limits a process that loads a plugin that nobody vouches for, to run it or to check it.
struct PluginProcess {
  std::string file;                 // of the plugin, absolute: its folder may be read
  std::string config;               // JSON: the absolute paths in it may be read
  std::vector<std::string> mayRead; // further absolute paths
  std::string cacheDirectory;       // may be read and written; empty: nothing may be written
  std::uint64_t memoryBytes = 0;    // of address space; 0: no limit
  std::uint64_t fileBytes = 0;      // of each file that it writes; 0: no limit
  bool network = false;             // the plugin says that it needs sockets
  pid_t host = 0;                   // this process ends with that one; 0: with its parent
};

struct PluginConfinement {
  bool complete = true; // the kernel supports everything
  std::string text;     // "landlock 7, seccomp, limits", or what is missing
  std::string refusal;  // why no foreign code may run here; empty: it may
};

// Says how far this machine's kernel can confine the process of a plugin.
struct KernelFacts {
  bool confines = false;      // the kernel supports everything
  std::string confinement;    // "landlock 7, limits, seccomp", or what is missing
  bool canLimitHosts = false; // the kernel can enforce a list of hosts
  std::string cgroup;         // delegated to this process; empty: none
  std::string whyNoCgroup;
  bool canWatchProcesses = false; // pidfd_open(2) reports the end of a process at once
};

// The host gives this reason if there is no PluginIsolation.
inline constexpr std::string_view noIsolation =
    "this skillhost was built without isolation/, which runs plugins in processes of their own";

// Describes how one instance of a plugin is to run in a process of its own.
struct IsolatedPluginSetup {
  std::string file;                       // of the plugin, an absolute path
  std::shared_ptr<const PluginCopy> copy; // loaded in place of the file; null: the file itself
  std::string version;                    // of the host, for the plugin
  std::vector<std::string> mayRead;
  std::uint64_t memoryBytes = 0;
  std::uint64_t cacheBytes = 0; // the most in the cache folder; 0: no limit
  NetworkRule network;
  std::int32_t pinMode = 0;  // SKH_PIN_*
  std::string pinned;        // the snapshot
  std::uint32_t threads = 0; // as many as the executor has
  std::string upstream;      // name of the source that a filter wraps; empty: it wraps none
};

// A plugin that runs in a process of its own, as an skh_plugin like any other.
class IsolatedPlugin {
public:
  IsolatedPlugin() = default;
  virtual ~IsolatedPlugin() = default;
  IsolatedPlugin(const IsolatedPlugin &) = delete;
  IsolatedPlugin &operator=(const IsolatedPlugin &) = delete;

  // For one instance. Valid as long as this object, which must outlive the instance.
  virtual const skh_plugin &descriptor() const noexcept = 0;
  // Names, for the operator, everything that confines its process; empty without one.
  virtual std::string confinement() const = 0;
  // Says, for the operator, why there is no process now; empty if there is one.
  virtual std::string absence() const = 0;
};

// Any thread, except for kernel() and confine().
class PluginIsolation {
public:
  PluginIsolation() = default;
  virtual ~PluginIsolation() = default;
  PluginIsolation(const PluginIsolation &) = delete;
  PluginIsolation &operator=(const PluginIsolation &) = delete;

  // Examines a file in a confined process, for 10 seconds at most, on the calling thread. With a
  // `copy`, the descriptor of a PluginCopy, it examines that in place of the file.
  virtual PluginScan inspect(const std::string &file, int copy) const = 0;
  // Throws std::runtime_error if too many exist already.
  virtual std::shared_ptr<IsolatedPlugin> runIsolated(PluginFacts facts,
                                                      IsolatedPluginSetup setup) const = 0;
  // Returns why no process could be confined like this while this process is root; empty if one
  // could be, as far as this can tell. It changes nothing.
  virtual std::string whyNotAsRoot(const PluginProcess &process) const = 0;
  // Returns why no process can be started: its program is missing, cannot be executed, or others
  // may write it. Empty if one can.
  virtual std::string whyNoRunner() const = 0;
  // Confines a child that ends at once, and asks it. Call it before this process has threads.
  virtual KernelFacts kernel() const = 0;
  // Confines this process for good. Call it before the plugin's first code, while there is one
  // thread.
  virtual PluginConfinement confine(const PluginProcess &process) const = 0;
};

} // namespace skillhost
