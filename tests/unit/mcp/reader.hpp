// SPDX-License-Identifier: Apache-2.0
// A server of a few skills, and a client of it that has shaken hands.
#pragma once

#include "catch2.hpp"
#include "conversation.hpp"
#include "skills_in_memory.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {

inline std::string skillText(const std::string &name, const std::string &description,
                             const std::string &body) {
  return "---\nname: " + name + "\ndescription: " + description + "\n---\n" + body;
}

inline SkillsInMemory::Files threeSkills() {
  return {
      {{"greeter", "SKILL.md"},
       skillText("greeter", "Greets people. Use when somebody arrives.",
                 "# Greeter\n\nSay hello. Read `references/words.md`, run `scripts/greet.sh`.\n")},
      {{"greeter", "references/words.md"}, "hello\nhi\n"},
      {{"greeter", "references/more.md"}, "good morning\n"},
      {{"greeter", "scripts/greet.sh"}, "#!/bin/sh\necho hello\n"},
      {{"greeter", "logo.png"}, std::string("\x89PNG\r\n\x1a\n\0\0", 10)},
      {{"team/pdf", "SKILL.md"}, skillText("pdf", "Reads PDF files.", "Open the file.\n")},
      {{"broken", "SKILL.md"}, "no front matter\n"}};
}

struct Reader {
  explicit Reader(ProtocolSettings settings = ServerOfTest::settings(), SharedNotes shared = {},
                  SkillsInMemory::Files files = threeSkills())
      : of(std::make_shared<SkillsInMemory>(std::move(files)), std::move(settings)),
        client(of, std::move(shared)) {
    client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                             R"("clientInfo":{"name":"t","version":"1"}})");
  }
  // Calls a tool and returns the envelope of its result.
  Json tool(const std::string &name, const std::string &arguments = "{}") {
    last = client.ask("tools/call", R"({"name":")" + name + R"(","arguments":)" + arguments + "}")
               .at("result");
    return last.at("structuredContent");
  }
  Json data(const std::string &name, const std::string &arguments = "{}") {
    const Json envelope = tool(name, arguments);
    INFO(envelope.dump());
    REQUIRE(envelope.at("success") == true);
    CHECK(last.value("isError", false) == false);
    return envelope.at("data");
  }
  Json error(const std::string &name, const std::string &arguments = "{}") {
    const Json envelope = tool(name, arguments);
    INFO(envelope.dump());
    REQUIRE(envelope.at("success") == false);
    CHECK(last.at("isError") == true);
    return envelope.at("error");
  }
  std::string text() const { return last.at("content").at(0).at("text"); }

  ServerOfTest of;
  StdioClient client;
  Json last;
};

inline std::vector<std::string> namesIn(const Json &list) {
  std::vector<std::string> names;
  for (const Json &one : list) names.push_back(one.at("name"));
  return names;
}

} // namespace skillhost
