// SPDX-License-Identifier: Apache-2.0
// A running host: the parts, wired by a configuration, and their orderly end.
#pragma once

#include "access/access.hpp"
#include "app/configuration.hpp"
#include "locked_sources.hpp"
#include "plugin/registry.hpp"
#include "protocol/server.hpp"
#include "search/index.hpp"
#include "skills/library.hpp"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace skillhost::app {

class Host {
public:
  // Begins at once, in the background: plugins are loaded, sources listed, texts indexed. A source
  // or search backend that cannot be made is logged and left out. `executable` is the program's
  // absolute path. Throws std::runtime_error when the lock that is to hold does not fit.
  Host(const Configuration &configuration, const std::string &executable);
  // Waits for what has begun, then ends the parts in the reverse order of their making.
  ~Host();
  Host(const Host &) = delete;
  Host &operator=(const Host &) = delete;

  // Asks the auth plugin whether it can do its work, and lets nobody in whom it does not know.
  // Once, before the first session. Throws as makeAccess() does.
  void guard();
  const Access &access() const noexcept { return *access_; } // since guard()

  Server &server() noexcept { return *server_; }
  Library &library() noexcept { return library_; }
  Index *index() noexcept { return index_.get(); } // null when there is no search
  PluginRegistry &plugins() noexcept { return plugins_; }
  // Waits until the catalogue stands, the plugins with tools have listed them and, with
  // `searchToo`, until it is indexed.
  void waitUntilReady(bool searchToo);

private:
  void begin();
  void beginTools();
  void indexAll(const Catalogue &catalogue);

  const Configuration configuration_;
  const LockedSources locked_;
  PluginRegistry plugins_;
  Library library_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<Access> access_; // null before guard()
  std::unique_ptr<Server> server_;
  std::vector<std::shared_ptr<ToolProvider>> tools_;
  std::thread beginning_;
};

} // namespace skillhost::app
