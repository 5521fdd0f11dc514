// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "rpc/cross_origin.hpp"

#include <algorithm>
#include <string>

using namespace skillhost;

namespace {

std::string valueOf(const HttpFields &fields, const std::string &name) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const auto &one) { return one.first == name; });
  return found == fields.end() ? std::string() : std::string(found->second);
}

} // namespace

TEST_CASE("a page is let read the answer, and other clients are told nothing") {
  HttpRequest request;
  HttpFields fields;
  addCorsFields(request, fields);
  addCorsPreflightFields(request, fields);
  CHECK(fields.empty());
  request.fields.push_back({"origin", "https://tool.example"});
  addCorsFields(request, fields);
  CHECK(valueOf(fields, "Access-Control-Allow-Origin") == "https://tool.example");
  CHECK(valueOf(fields, "Vary") == "Origin");
}

TEST_CASE("a page may send the fields that repeat arguments, and no other that it makes up") {
  HttpRequest request;
  request.fields.push_back({"origin", "https://tool.example"});
  request.fields.push_back(
      {"access-control-request-headers", "mcp-method, Mcp-Param-Region,x-other"});
  HttpFields fields;
  addCorsPreflightFields(request, fields);
  const std::string allowed = valueOf(fields, "Access-Control-Allow-Headers");
  CHECK(allowed.find("Mcp-Session-Id") != std::string::npos);
  CHECK(allowed.ends_with(", mcp-param-region"));
}
