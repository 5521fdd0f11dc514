// SPDX-License-Identifier: Apache-2.0
#include "base/trace_context.hpp"
#include "catch2.hpp"

#include <string>

using namespace skillhost;

namespace {
const std::string trace = "0af7651916cd43dd8448eb211c80319c", span = "b7ad6b7169203331";
} // namespace

TEST_CASE("a traceparent is read as W3C Trace Context has it") {
  const auto read = readTraceparent("00-" + trace + "-" + span + "-01");
  REQUIRE(read);
  CHECK(read->traceId == trace);
  CHECK(read->parentId == span);
  CHECK(read->sampled);
  CHECK_FALSE(readTraceparent("00-" + trace + "-" + span + "-00")->sampled);
  CHECK(readTraceparent("00-" + trace + "-" + span + "-03")->sampled);
  // A future version.
  CHECK(readTraceparent("cc-" + trace + "-" + span + "-01"));
  CHECK(readTraceparent("cc-" + trace + "-" + span + "-01-what-is-new"));
}

TEST_CASE("a tracestate is passed on as it came") {
  for (const std::string &good :
       {std::string("congo=t61rcWkgMzE"), std::string("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"),
        std::string("a=1, b=2 ,\tc=3"), std::string("1a-_*/=! ~"), std::string("tenant@system=x"),
        std::string("a=1,,b=2"), "k=" + std::string(256, 'v'), std::string(256, 'k') + "=v"}) {
    INFO(good);
    CHECK(readTracestate(good) == good);
    CHECK(readTracestate(" " + good + "\t") == good);
  }
}

TEST_CASE("a tracestate that is not valid counts as none") {
  std::string many;
  for (int i = 0; i < 33; ++i) many += (i == 0 ? "k" : ",k") + std::to_string(i) + "=v";
  for (const std::string &wrong : {std::string(),
                                   std::string(" , ,"),
                                   std::string("a"),
                                   std::string("=1"),
                                   std::string("a="),
                                   std::string("A=1"),
                                   std::string("-a=1"),
                                   std::string("a b=1"),
                                   std::string("a=1=2"),
                                   std::string("a=1,a=2"),
                                   std::string("a@b@c=1"),
                                   std::string("a@=1"),
                                   std::string("@a=1"),
                                   std::string("a=\x7f"),
                                   std::string("a=\n"),
                                   std::string("a=\xc3\xa4"),
                                   many,
                                   "k=" + std::string(257, 'v'),
                                   std::string(257, 'k') + "=v",
                                   "a=" + std::string(255, 'v') + ",b=" + std::string(255, 'v')}) {
    INFO(wrong);
    CHECK(readTracestate(wrong).empty());
  }
  CHECK(readTracestate(many.substr(0, many.rfind(','))).size() > 32);
}

TEST_CASE("a traceparent that is not valid counts as none") {
  for (const std::string &wrong :
       {std::string(), "00-" + trace + "-" + span, "00-" + trace + "-" + span + "-1",
        "00-" + trace + "-" + span + "-01-more", "cc-" + trace + "-" + span + "-01more",
        "ff-" + trace + "-" + span + "-01", "0x-" + trace + "-" + span + "-01",
        "00-" + std::string(32, '0') + "-" + span + "-01",
        "00-" + trace + "-" + std::string(16, '0') + "-01",
        "00-" + std::string(32, 'A') + "-" + span + "-01", "00_" + trace + "-" + span + "-01",
        "00-" + trace + "-" + span + "-0g"}) {
    INFO(wrong);
    CHECK_FALSE(readTraceparent(wrong));
  }
}

TEST_CASE("what is handed on is of version 00, and nothing that is not valid") {
  const TracePointer own = traceFields({trace, span, true}, " congo=t61 ");
  REQUIRE(own);
  CHECK(own->traceparent == "00-" + trace + "-" + span + "-01");
  CHECK(own->tracestate == "congo=t61");
  CHECK(traceFields({trace, span, false}, "A=1")->traceparent ==
        "00-" + trace + "-" + span + "-00");
  CHECK(traceFields({trace, span, false}, "A=1")->tracestate.empty());
  const std::string sent = "00-" + trace + "-" + span + "-01";
  CHECK(clientTraceFields(sent, "a=1")->traceparent == sent);
  // A future version is read by the parts of version 00.
  CHECK(clientTraceFields("cc-" + trace + "-" + span + "-01-new", "a=1")->traceparent == sent);
  CHECK(clientTraceFields(sent + "-new", "a=1") == nullptr);
  CHECK(clientTraceFields("", "a=1") == nullptr);
  CHECK(clientTraceFields(sent + "\r\nX: 1", "a=1") == nullptr);
}
