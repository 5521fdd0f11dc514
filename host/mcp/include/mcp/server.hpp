// SPDX-License-Identifier: Apache-2.0
// The MCP server holds what all clients share, and makes a session for each of them.
#pragma once

#include "ground/fragments.hpp"
#include "ground/json.hpp"
#include "mcp/own_resources.hpp"
#include "mcp/own_tools.hpp"
#include "mcp/settings.hpp"
#include "plugin/observer.hpp"
#include "plugin/tools.hpp"
#include "search/index.hpp"
#include "skills/library.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace skillhost {

// A session with one client on stdio: messages in, messages out. For HTTP see McpEndpoint.
class Session {
public:
  virtual ~Session() = default;

  // Handles one message; its answer may come later, from another thread. One call at a time.
  virtual void receive(std::string_view message) = 0;
  // Answers a message that was too long to be read.
  virtual void refuseTooLong(std::size_t limit, const std::string &id) = 0;
  // Waits until every request has its answer; false if `span` was too short.
  virtual bool waitUntilIdle(std::chrono::milliseconds span) = 0;
  // Cancels every request and begins no other message. A message that another thread is sending may
  // still arrive after this returns.
  virtual void close() = 0;
};

class Access;
class Cache;
class SharedStore;
class ViewIndexes;

// The parts that a server works with. Everything that is pointed to outlives the server.
struct ServerParts {
  Observers observers{};                   // notified of calls
  std::vector<FeatureTool> tools{};        // after those of the server itself
  std::vector<OwnResource> resources{};    // those that features bring
  const Access *access = nullptr;          // decides who may do and see what; null: all may do all
  bool withholds = false;                  // skills may be withheld until a reviewer approves them
  std::shared_ptr<SharedStore> shared{};   // with other replicas; null: this process is alone
  std::function<Json()> describePlugins{}; // for statistics: a list of objects; on any thread
};

class Server {
public:
  // All must outlive the server. If `index` is null, there is no search. Without `viewIndexes`,
  // callers who may not see all skills have no search.
  Server(ProtocolSettings settings, Library &library, Index *index,
         ViewIndexes *viewIndexes = nullptr, ServerParts parts = {});
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  // `send` is called from any thread, from several at a time, with one whole message in each call,
  // until the session is closed; see Session::close(). The session owns `send`.
  std::shared_ptr<Session> open(std::function<void(Fragments)> send);

  // Serves the offers of these plugins, in their order, besides the skills. Call it once, if the
  // settings announce it. The plugins must be stopped before the server ends.
  void servePluginTools(std::vector<std::shared_ptr<ToolProvider>> providers);
  // Calls `callback` when each of them has given its list, or failed to.
  void whenPluginToolsAreListed(std::function<void()> callback);
  // Lists this source again, and makes the other replicas list theirs. Any thread.
  void refreshSource(std::string_view source);
  // For uses of skills outside of calls.
  const Observers &observers() const noexcept;

  // Returns the only cache, which other parts use too. Their keys begin with the kind of entry.
  Cache &cache() noexcept;

  // Notifies every client of what has changed. The library calls it.
  void catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                        const std::shared_ptr<const Catalogue> &before);

private:
  friend class McpEndpoint;
  std::shared_ptr<struct Services> services_;
};

} // namespace skillhost
