// SPDX-License-Identifier: Apache-2.0
// The MCP server: what all clients share. Makes a session for each of them.
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

// One client on stdio: messages in, messages out. Over HTTP see protocol/mcp_endpoint.hpp.
class Session {
public:
  virtual ~Session() = default;

  // Handles one message; its answer may come later, from another thread. One call at a time.
  virtual void receive(std::string_view message) = 0;
  // Answers for a message that was too long to be read.
  virtual void refuseTooLong(std::size_t limit, const std::string &id) = 0;
  // Waits until every request has its answer; false when `span` was too short.
  virtual bool waitUntilIdle(std::chrono::milliseconds span) = 0;
  // Gives up every request and begins no other message; one that another thread is sending may
  // still be on its way when this returns.
  virtual void close() = 0;
};

class Access;
class Cache;
class SharedStore;
class ViewIndexes;

// The parts that a server works with. Those that are pointed to outlive it.
struct ServerParts {
  Observers observers{};                   // are told of calls
  std::vector<FeatureTool> tools{};        // behind those of the server itself
  std::vector<OwnResource> resources{};    // those that features bring
  const Access *access = nullptr;          // says who may do and see what; null: all may do all
  bool withholds = false;                  // skills may be withheld until a reviewer approves them
  std::shared_ptr<SharedStore> shared{};   // with other replicas; null: this process is alone
  std::function<Json()> describePlugins{}; // for statistics: a list of objects; on any thread
};

class Server {
public:
  // All must outlive the server; `index` may be null: then there is no search. Without
  // `viewIndexes` who may not see all skills has none.
  Server(ProtocolSettings settings, Library &library, Index *index,
         ViewIndexes *viewIndexes = nullptr, ServerParts parts = {});
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  // `send` is called from any thread, from several at a time, with one whole message in each call,
  // until the session is closed; see Session::close(). The session owns `send`.
  std::shared_ptr<Session> open(std::function<void(Fragments)> send);

  // Serves what these bring, in their order, beside the skills. Once, when the settings say that it
  // will be. They must be stopped before the server ends.
  void servePluginTools(std::vector<std::shared_ptr<ToolProvider>> providers);
  // When each of them has given its list, or failed to.
  void whenPluginToolsAreListed(std::function<void()> callback);
  // Looks at this source anew, and has the other replicas look at theirs. Any thread.
  void refreshSource(std::string_view source);
  // For uses of skills that are no calls.
  const Observers &observers() const noexcept;

  // The one cache, for what others make of skills; its keys begin with what they are.
  Cache &cache() noexcept;

  // Tells every client what has changed. Wired to the library.
  void catalogueChanged(const std::shared_ptr<const Catalogue> &now,
                        const std::shared_ptr<const Catalogue> &before);

private:
  friend class McpEndpoint;
  std::shared_ptr<struct Services> services_;
};

} // namespace skillhost
