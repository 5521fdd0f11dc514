// SPDX-License-Identifier: Apache-2.0
// Tests that the effects of a call at one replica hold at the others.
#include "awaited.hpp"
#include "conversation.hpp"
#include "mcp/listings.hpp"
#include "mcp/source_notices.hpp"
#include "rpc/request_state.hpp"
#include "skills_in_memory.hpp"
#include "state/shared_state.hpp"
#include "state_in_memory.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost;
using namespace std::chrono_literals;

namespace {

const std::string skill = "---\nname: a\ndescription: Does a.\n---\nText.\n";

// Reports when its list is asked for.
class ToldSource final : public SkillsInMemory {
public:
  ToldSource() : SkillsInMemory(Files{{{"a", "SKILL.md"}, skill}}) {}
  void list(CallOptions options, ResultCallback<Snapshot> answer) override {
    SkillsInMemory::list(std::move(options), std::move(answer));
    listed.push(1);
  }
  Awaited<int> listed;
};

struct Replica {
  explicit Replica(const std::shared_ptr<StateEngine> &engine,
                   ProtocolSettings settings = ServerOfTest::settings())
      : state(shared(engine)), of(source, std::move(settings), sharing(state)) {
    source->listed.next(); // the first one
  }
  ~Replica() { state->stop(); }
  Replica(const Replica &) = delete;
  Replica &operator=(const Replica &) = delete;

  static std::shared_ptr<SharedState> shared(const std::shared_ptr<StateEngine> &engine) {
    SharedStateSettings settings;
    settings.secret = Secret(std::string(32, 's'));
    return std::make_shared<SharedState>(std::make_shared<StateInMemory>(engine),
                                         std::move(settings));
  }
  static ServerParts sharing(const std::shared_ptr<SharedState> &state) {
    ServerParts parts;
    parts.shared = state;
    return parts;
  }

  std::shared_ptr<ToldSource> source = std::make_shared<ToldSource>();
  std::shared_ptr<SharedState> state;
  ServerOfTest of;
};

} // namespace

TEST_CASE("a source that one replica is told of is looked at by the others") {
  const auto engine = std::make_shared<StateEngine>();
  Replica a(engine), b(engine);
  notifySourceChanged(a.state.get(), "no such source");
  notifySourceChanged(a.state.get(), "memory");
  b.source->listed.next();
  CHECK(a.source->listed.waiting() == 0); // the notified replica looks by itself
}

TEST_CASE("a reload at one replica is one at all of them") {
  const auto engine = std::make_shared<StateEngine>();
  Replica a(engine), b(engine);
  // The reload is answered on another thread.
  Awaited<Json> answers;
  const auto session = a.of.server.open(
      [&](const Fragments &message) { answers.push(Json::parse(message.text())); });
  session->receive(
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
  CHECK(answers.next().at("id") == 1);
  session->receive(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":)"
                   R"({"name":"reload_skills_directory","arguments":{}}})");
  a.source->listed.next();
  b.source->listed.next();
  CHECK(answers.next().at("id") == 7);
  session->close();
}

TEST_CASE("what may have been missed is repaired by a look at every source") {
  const auto engine = std::make_shared<StateEngine>();
  Replica a(engine);
  engine->setAway(true);
  engine->setAway(false);
  a.source->listed.next();
}

TEST_CASE("a requestState that one replica has sealed is opened by another one of its secret") {
  const auto engine = std::make_shared<StateEngine>();
  Replica a(engine), b(engine);
  const SignedRequestState one(a.state->keyFor("requestState"));
  const SignedRequestState other(b.state->keyFor("requestState"));
  const SignedRequestState alone;
  const SignedRequestState::Binding binding{"plugin", "tools/call", "tool", "{}", "ada"};
  const std::string sealed = one.seal(binding, "remembered");
  CHECK(*other.open(binding, sealed) == "remembered");
  CHECK(!alone.open(binding, sealed));
  CHECK(!other.open({"plugin", "tools/call", "tool", "{}", "bob"}, sealed));
}

TEST_CASE("a cursor of one replica leads on at another one, and what is none is refused") {
  const std::vector<std::string> names{"a", "b", "c", "d"};
  const auto keysOf = [](const std::vector<std::string> &all) {
    ListKeys keys;
    keys.total = all.size();
    keys.at = [&all](std::size_t i) { return all[i]; };
    keys.after = [&all](std::string_view key) {
      return std::optional<std::size_t>(std::upper_bound(all.begin(), all.end(), key) -
                                        all.begin());
    };
    return keys;
  };
  const ListKeys atOne = keysOf(names);
  const Result<Page> first = pageAt(atOne, "", 2);
  REQUIRE(first);
  const std::string text = nextCursor(atOne, *first);
  const std::string cursor = Json::parse('{' + text.substr(1) + '}').at("nextCursor");
  const Result<Page> second = pageAt(keysOf(names), cursor, 2);
  REQUIRE(second);
  CHECK(second->begin == 2);
  CHECK(second->end == 4);
  // A replica with other skills goes on behind the entry that the cursor names.
  const std::vector<std::string> fewer{"b", "d"};
  CHECK(pageAt(keysOf(fewer), cursor, 2)->begin == 1);
  CHECK(pageAt(atOne, "AAAA", 2).failure().message == "Invalid cursor");
}
