// SPDX-License-Identifier: Apache-2.0
// A plugin with a tool whose schema makes clients repeat an argument in a header field, and one
// that breaks the rules of that.
#include <skillhost/tools.hpp>

#include <string>
#include <string_view>

namespace {

class Mirroring final : public skh::Tools {
public:
  Mirroring(skh::Host, const skh::Call &) {}

  std::string list(const skh::Call &) override {
    return R"({"tools":[
      {"name":"regional","inputSchema":{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"}}}},
      {"name":"wrong","inputSchema":{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"two words"}}}}]})";
  }

  std::string callTool(const skh::Call &, const skh::Exchange &, std::string_view,
                       std::string_view) override {
    return R"({"content":[{"type":"text","text":"Called."}]})";
  }
};

} // namespace

SKH_PLUGIN(skh::tools<Mirroring>("org.skillhost.test.mirroring", "1.0.0",
                                 "Has an argument repeated.",
                                 R"({"type":"object","additionalProperties":false})"));
