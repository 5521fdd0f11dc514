// SPDX-License-Identifier: Apache-2.0
// Tests changes of skills while clients are connected: each client receives the notifications that
// it asked for, and reads the new content.
#include "listening_client.hpp"
#include "reader.hpp"

using namespace skillhost;

namespace {

struct Changing {
  std::shared_ptr<SkillsInMemory> source = std::make_shared<SkillsInMemory>(threeSkills());
  ServerOfTest of{source};

  void replace(const std::string &skill, const std::string &description) {
    SkillsInMemory::Files files = threeSkills();
    files[{skill, "SKILL.md"}] = skillText(skill, description, "New.\n");
    source->become(std::move(files));
  }
};

} // namespace

TEST_CASE("a client of the older protocol is told of lists and of what it has subscribed to") {
  Changing changing;
  ListeningClient subscriber(changing.of.server), other(changing.of.server),
      silent(changing.of.server);
  for (ListeningClient *one : {&subscriber, &other}) {
    one->ask("initialize", handshake, "1");
    one->say("notifications/initialized", "{}");
  }
  silent.ask("initialize", handshake, "1"); // and never sends "initialized"
  subscriber.ask("resources/subscribe", R"({"uri":"skill://memory/greeter/SKILL.md"})", "2");
  changing.replace("greeter", "Greets nobody.");
  CHECK(subscriber.awaitMethod("notifications/resources/updated").at("params").at("uri") ==
        "skill://memory/greeter/SKILL.md");
  subscriber.awaitMethod("notifications/resources/list_changed");
  subscriber.awaitMethod("notifications/prompts/list_changed");
  other.awaitMethod("notifications/resources/list_changed");
  CHECK_FALSE(other.heard("notifications/resources/updated"));
  CHECK_FALSE(silent.heard("notifications/resources/list_changed"));
  CHECK(
      subscriber.ask("prompts/get", R"({"name":"greeter"})", "3").at("result").at("description") ==
      "Greets nobody.");
}

TEST_CASE("a subscription of the newer protocol hears of the lists it has named, under its id") {
  Changing changing;
  ListeningClient client(changing.of.server);
  client.say("subscriptions/listen",
             R"({"notifications":{"promptsListChanged":true,"resourceSubscriptions":)"
             R"(["skill://memory/team/pdf/SKILL.md"]},)" +
                 modernMeta + "}",
             R"("s1")");
  client.awaitMethod("notifications/subscriptions/acknowledged");
  changing.replace("team/pdf", "Writes PDF files.");
  const Json lists = client.awaitMethod("notifications/prompts/list_changed");
  CHECK(lists.at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") == "s1");
  const Json updated = client.awaitMethod("notifications/resources/updated");
  CHECK(updated.at("params").at("uri") == "skill://memory/team/pdf/SKILL.md");
  CHECK_FALSE(client.heard("notifications/tools/list_changed"));
  CHECK_FALSE(client.heard("notifications/resources/list_changed"));
}

TEST_CASE("a loaded skill that has changed is loaded anew, not called already loaded") {
  Changing changing;
  ListeningClient client(changing.of.server);
  client.ask("initialize", handshake, "1");
  client.say("notifications/initialized", "{}");
  const std::string load = R"({"name":"load_skill","arguments":{"skill_name":"greeter"}})";
  const auto status = [&](const std::string &id) {
    return client.ask("tools/call", load, id)
        .at("result")
        .at("structuredContent")
        .at("data")
        .at("status")
        .get<std::string>();
  };
  CHECK(status("2") == "loaded");
  CHECK(status("3") == "already_loaded");
  changing.replace("greeter", "Greets nobody.");
  client.awaitMethod("notifications/prompts/list_changed");
  CHECK(status("4") == "loaded");
}

TEST_CASE("a skill that is gone is found no more, by tool, prompt or resource") {
  Changing changing;
  ListeningClient client(changing.of.server);
  client.ask("initialize", handshake, "1");
  client.say("notifications/initialized", "{}");
  SkillsInMemory::Files files = threeSkills();
  files.erase({"team/pdf", "SKILL.md"});
  changing.source->become(std::move(files));
  client.awaitMethod("notifications/resources/list_changed");
  CHECK(client.ask("prompts/get", R"({"name":"pdf"})", "2").at("error").at("code") == -32602);
  CHECK(client.ask("resources/read", R"({"uri":"skill://memory/team/pdf/SKILL.md"})", "3")
            .at("error")
            .at("code") == -32002);
  const Json answer =
      client.ask("tools/call", R"({"name":"load_skill","arguments":{"skill_name":"pdf"}})", "4");
  CHECK(answer.at("result").at("structuredContent").at("error").at("code") == "NOT_FOUND");
}
