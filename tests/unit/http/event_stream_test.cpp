// SPDX-License-Identifier: Apache-2.0
#include "event_stream.hpp"

#include "catch2.hpp"
#include "recording_exchange.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace skillhost;
using Events = std::vector<std::pair<std::string, std::string>>;

namespace {

auto exchange() { return std::make_shared<RecordingExchange>(); }

} // namespace

TEST_CASE("a stream tells what nobody was sent yet, then what comes") {
  const auto stream = std::make_shared<EventStream>(3, 10);
  stream->send(Fragments("early"));
  const auto client = exchange();
  stream->attach(client, {}, std::nullopt, true);
  stream->send(Fragments("late"));
  CHECK(client->opened == 1);
  CHECK(client->events == Events{{"3-0", ""}, {"3-1", "early"}, {"3-2", "late"}});
}

TEST_CASE("a client that comes back gets what it has missed, once") {
  const auto stream = std::make_shared<EventStream>(1, 10);
  const auto first = exchange();
  stream->attach(first, {}, std::nullopt, false);
  stream->send(Fragments("one"));
  first->leave();
  CHECK_FALSE(stream->isAttached());
  stream->send(Fragments("two"));
  const auto second = exchange();
  stream->attach(second, {}, 1, false);
  CHECK(second->events == Events{{"1-2", "two"}});
  // Without an id the client asks for no earlier messages.
  const auto third = exchange();
  stream->attach(third, {}, std::nullopt, false);
  CHECK(third->events.empty());
  CHECK(second->closed == 1);
}

TEST_CASE("an old client that goes does not take the stream from the new one") {
  const auto stream = std::make_shared<EventStream>(1, 10);
  const auto first = exchange(), second = exchange();
  stream->attach(first, {}, std::nullopt, false);
  stream->attach(second, {}, std::nullopt, false);
  first->leave();
  stream->send(Fragments("still here"));
  CHECK(second->events == Events{{"1-1", "still here"}});
}

TEST_CASE("a stream keeps a bounded number of events, and of bytes") {
  const auto stream = std::make_shared<EventStream>(1, 2);
  for (const char *text : {"a", "b", "c"}) stream->send(Fragments(text));
  const auto client = exchange();
  stream->attach(client, {}, 0, false);
  CHECK(client->events == Events{{"1-2", "b"}, {"1-3", "c"}});
  const auto wide = std::make_shared<EventStream>(2, 1000);
  for (int i = 0; i < 40; ++i) wide->send(Fragments(std::string(100'000, 'x')));
  const auto other = exchange();
  wide->attach(other, {}, 0, false);
  CHECK(other->events.size() == 10);
}

TEST_CASE("a finished stream is given to who comes back, and ends") {
  const auto stream = std::make_shared<EventStream>(1, 10);
  stream->send(Fragments("answer"));
  stream->finish();
  stream->send(Fragments("too late"));
  const auto client = exchange();
  stream->attach(client, {}, 0, false);
  CHECK(client->events == Events{{"1-1", "answer"}});
  CHECK(client->closed == 1);
}

TEST_CASE("an event id is two numbers") {
  const auto id = readEventId("12-7");
  REQUIRE(id);
  CHECK(id->stream == 12);
  CHECK(id->sequence == 7);
  for (const char *wrong :
       {"", "-", "1", "1-", "-1", "1-2-", "1-2 ", " 1-2", "x-1", "1_2", "99999999999999999999-1"})
    CHECK_FALSE(readEventId(wrong));
}

TEST_CASE("what was kept for somebody who sees something else is not told") {
  const Visibility visibility({{{"payroll"}, {}, {}, {"ada"}}});
  const Principal ada{"ada", "house", {}, {}, 0};
  const auto sees = visibility.keyOf(&ada);
  const StreamAudience hr{sees, false}, other{visibility.keyOf(nullptr), false},
      manager{sees, true};
  const auto stream = std::make_shared<EventStream>(1, 10, hr);
  stream->send(Fragments("payroll"));
  const auto stranger = exchange();
  CHECK_FALSE(stream->attach(stranger, {}, 0, false, other));
  CHECK(stranger->opened == 0);
  // A caller with more rights and the same view may receive it.
  const auto own = exchange();
  CHECK(stream->attach(own, {}, 0, false, manager));
  CHECK(own->events == Events{{"1-1", "payroll"}});
  const auto figures = std::make_shared<EventStream>(2, 10, manager);
  CHECK_FALSE(figures->attach(exchange(), {}, 0, false, hr));
  // Without an id the stream begins again, for the present caller.
  const auto standing = std::make_shared<EventStream>(0, 10, hr);
  standing->send(Fragments("payroll"));
  const auto next = exchange();
  CHECK(standing->attach(next, {}, std::nullopt, false, other));
  standing->send(Fragments("for all"));
  CHECK(next->events == Events{{"0-2", "for all"}});
  CHECK_FALSE(standing->attach(exchange(), {}, 0, false, hr));
}

TEST_CASE("what is kept for a listener goes with it, and a listener can be sent away") {
  const auto stream = std::make_shared<EventStream>(0, 10);
  auto kept = std::make_shared<int>(1);
  const std::weak_ptr<int> alive = kept;
  const auto first = exchange(), second = exchange();
  stream->attach(first, {}, std::nullopt, false);
  stream->hold(second, std::make_shared<int>(2)); // it no longer listens, or not yet
  stream->hold(first, std::move(kept));
  stream->detach(second);
  CHECK(stream->isAttached());
  CHECK_FALSE(alive.expired());
  stream->detach(first);
  CHECK(first->closed == 1);
  CHECK_FALSE(stream->isAttached());
  CHECK(alive.expired());
}
