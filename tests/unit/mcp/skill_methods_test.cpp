// SPDX-License-Identifier: Apache-2.0
// Tests the client's view of the skills by resources, prompts, completion and the skills extension.
#include "reader.hpp"

#include <map>
#include <set>

using namespace skillhost;

namespace {

Json result(Reader &reader, const std::string &method, const std::string &params = "{}") {
  const Json answer = reader.client.ask(method, params);
  INFO(answer.dump());
  REQUIRE(answer.contains("result"));
  return answer.at("result");
}

int code(Reader &reader, const std::string &method, const std::string &params = "{}") {
  const Json answer = reader.client.ask(method, params);
  INFO(answer.dump());
  REQUIRE(answer.contains("error"));
  return answer.at("error").at("code");
}

std::vector<std::string> urisIn(const Json &list) {
  std::vector<std::string> uris;
  for (const Json &one : list) uris.push_back(one.at("uri"));
  return uris;
}

Json completed(Reader &reader, const std::string &reference, const std::string &argument,
               const std::string &more = "") {
  return result(reader, "completion/complete",
                R"({"ref":)" + reference + R"(,"argument":)" + argument + more + "}")
      .at("completion");
}

Json leftOut(const std::string &name, const std::string &path, const std::string &why) {
  return {{"skill", name},
          {"uri", "skill://memory/" + path},
          {"reason", why},
          {"retryable", why == "unreadable"}};
}

const Json brokenSkill = leftOut("broken", "broken", "front-matter-missing");

// Skills, the files of one of which cannot be read.
class OneUnreadable final : public SkillsInMemory {
public:
  OneUnreadable(std::string skill, Files files)
      : SkillsInMemory(std::move(files)), skill_(std::move(skill)) {}
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override {
    for (std::size_t i = 0; i < documents.size(); ++i)
      if (documents[i].skill == skill_)
        each(i, {Fault::OperationFailed, "no permission"});
      else
        read(options, documents[i], limit, [&](const auto &bytes) { each(i, bytes); });
    done();
  }

private:
  const std::string skill_;
};

const std::string skillFile = R"({"type":"ref/resource","uri":"skill://{source}/{+path}"})";

} // namespace

TEST_CASE("resources are the skills, then what the server tells of itself, a page at a time") {
  ProtocolSettings settings = ServerOfTest::settings();
  settings.pageSize = 2;
  Reader reader(std::move(settings));
  const Json first = result(reader, "resources/list");
  CHECK(urisIn(first.at("resources")) ==
        std::vector<std::string>{"skill://memory/greeter/SKILL.md",
                                 "skill://memory/team/pdf/SKILL.md"});
  CHECK(first.at("resources").at(0).at("mimeType") == "text/markdown");
  CHECK(first.at("resources").at(1).at("description") == "Reads PDF files.");
  const Json rest =
      result(reader, "resources/list", R"({"cursor":)" + first.at("nextCursor").dump() + "}");
  CHECK(urisIn(rest.at("resources")) ==
        std::vector<std::string>{"skillhost://stats", "skillhost://sources"});
  CHECK(rest.contains("nextCursor")); // leads to the other resources of the host
  CHECK(code(reader, "resources/list", R"({"cursor":"no such"})") == -32602);
  CHECK(code(reader, "resources/list", R"({"cursor":7})") == -32602);
  const Json templates = result(reader, "resources/templates/list").at("resourceTemplates");
  REQUIRE(templates.size() == 1);
  CHECK(templates.at(0).at("uriTemplate") == "skill://{source}/{+path}");
}

TEST_CASE("a client may wish for larger pages of resources") {
  ProtocolSettings settings = ServerOfTest::settings();
  settings.pageSize = 2;
  Reader reader(std::move(settings));
  const auto wish = [](const std::string &size) {
    return R"({"_meta":{"org.skillhost/pageSize":)" + size + "}}";
  };
  const auto entries = [&](const std::string &params) {
    return result(reader, "resources/list", params).at("resources").size();
  };
  CHECK(entries(wish("3")) == 3);
  CHECK(entries(wish("1")) == 2); // no smaller than the default page
  CHECK(entries(R"({"_meta":{}})") == 2);
  const Json all = result(reader, "resources/list", wish("18446744073709551615"));
  CHECK(all.at("resources").size() > 4);
  CHECK_FALSE(all.contains("nextCursor"));
  // A cursor works with any size of its page.
  const Json first = result(reader, "resources/list");
  const Json rest = result(reader, "resources/list",
                           R"({"_meta":{"org.skillhost/pageSize":1000},"cursor":)" +
                               first.at("nextCursor").dump() + "}");
  CHECK(first.at("resources").size() + rest.at("resources").size() == all.at("resources").size());
  for (const char *size : {"0", "-1", "1.5", "\"7\"", "null", "true", "[]", "1e30"}) {
    INFO(size);
    const Json answer = reader.client.ask("resources/list", wish(size));
    CHECK(answer.at("error").at("code") == -32602);
    CHECK(answer.at("error").at("message") ==
          "params._meta[\"org.skillhost/pageSize\"] must be an integer above 0");
  }
}

TEST_CASE("a page of resources ends before it would be longer than a megabyte") {
  SkillsInMemory::Files files;
  constexpr std::size_t skills = 1500;
  for (std::size_t i = 0; i < skills; ++i) {
    const std::string name = "skill-" + std::to_string(10'000 + i);
    files[{name, "SKILL.md"}] = skillText(name, std::string(1000, 'x'), "Text.\n");
  }
  ServerOfTest server(std::make_shared<SkillsInMemory>(files), ServerOfTest::settings());
  StdioClient client(server);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  std::vector<std::string> uris;
  std::string cursor;
  std::size_t pages = 0;
  do {
    const Json answer =
        client.ask("resources/list", R"({"_meta":{"org.skillhost/pageSize":2000})" + cursor + "}");
    const Json &page = answer.at("result");
    CHECK(page.at("resources").dump().size() <= (1U << 20U));
    for (std::string &uri : urisIn(page.at("resources"))) uris.push_back(std::move(uri));
    cursor = page.contains("nextCursor") ? R"(,"cursor":)" + page.at("nextCursor").dump() : "";
    ++pages;
  } while (!cursor.empty());
  CHECK(pages == 2);
  REQUIRE(uris.size() > skills);
  CHECK(uris.front() == "skill://memory/skill-10000/SKILL.md");
  CHECK(uris.at(skills - 1) == "skill://memory/skill-11499/SKILL.md");
  CHECK(std::set<std::string>(uris.begin(), uris.end()).size() == uris.size());
}

TEST_CASE("a list of resources says the category of a skill that has one") {
  SkillsInMemory::Files files = threeSkills();
  files[{"sheets", "SKILL.md"}] =
      "---\nname: sheets\ndescription: Adds.\ncategory: office\n---\nText.\n";
  ServerOfTest server(std::make_shared<SkillsInMemory>(files), ServerOfTest::settings());
  StdioClient client(server);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  const Json listed = client.ask("resources/list", "{}").at("result").at("resources");
  std::map<std::string, Json> metas;
  for (const Json &one : listed) metas[one.at("name")] = one.value("_meta", Json());
  CHECK(metas.at("sheets") == Json{{"org.skillhost/category", "office"}});
  CHECK(metas.at("greeter").is_null());
}

TEST_CASE("a resource is a file of a skill byte for byte, and nothing beside the skills") {
  Reader reader;
  const auto read = [&](const std::string &uri) {
    return result(reader, "resources/read", R"({"uri":")" + uri + R"("})").at("contents").at(0);
  };
  const Json words = read("skill://memory/greeter/references/words.md");
  CHECK(words.at("uri") == "skill://memory/greeter/references/words.md");
  CHECK(words.at("text") == "hello\nhi\n");
  CHECK(read("skill://memory/greeter/SKILL.md").at("text") ==
        threeSkills().at({"greeter", "SKILL.md"}));
  const Json logo = read("skill://memory/greeter/logo.png");
  CHECK(logo.at("mimeType") == "image/png");
  CHECK(logo.at("blob") == "iVBORw0KGgoAAA==");
  CHECK_FALSE(logo.contains("text"));
  const auto own = [&](const std::string &uri) {
    return Json::parse(read(uri).at("text").get<std::string>());
  };
  CHECK(own("skillhost://stats").is_object());
  const Json source = own("skillhost://sources").at("sources").at(0);
  CHECK(source.at("name") == "memory");
  CHECK(source.at("state") == "ok");
  CHECK(source.contains("answered_at"));
  CHECK(own("skillhost://plugins").at("plugins").is_array());
  CHECK(own("skillhost://audit").at("events").is_array());
  const Json findings = own("skillhost://findings");
  CHECK(findings.at("total") == findings.at("findings").size());
  CHECK(findings.dump().find("broken") != std::string::npos);
  for (const std::string uri :
       {"skill://memory/greeter/none.md", "skill://memory/greeter/../team/pdf/SKILL.md",
        "skill://memory/broken/SKILL.md", "skill://other/greeter/SKILL.md", "file:///etc/passwd",
        ""}) {
    INFO(uri);
    CHECK(code(reader, "resources/read", R"({"uri":")" + uri + R"("})") == -32002);
  }
  CHECK(code(reader, "resources/read") == -32602);
  CHECK(code(reader, "resources/read", R"({"uri":7})") == -32602);
}

TEST_CASE("who subscribes to a resource names one that is there") {
  Reader reader;
  const std::string greeter = R"({"uri":"skill://memory/greeter/SKILL.md"})";
  CHECK(result(reader, "resources/subscribe", greeter).empty());
  CHECK(result(reader, "resources/subscribe", greeter).empty());
  CHECK(result(reader, "resources/unsubscribe", greeter).empty());
  CHECK(result(reader, "resources/unsubscribe", R"({"uri":"skill://memory/none"})").empty());
  CHECK(code(reader, "resources/subscribe", R"({"uri":"skill://memory/none"})") == -32002);
  CHECK(code(reader, "resources/subscribe") == -32602);
}

TEST_CASE("every skill is a prompt, with what its reader is to have and one argument") {
  Reader reader;
  const Json prompts = result(reader, "prompts/list").at("prompts");
  CHECK(namesIn(prompts) == std::vector<std::string>{"greeter", "pdf"});
  CHECK(prompts.at(0).at("arguments").at(0).at("name") == "arguments");
  CHECK(prompts.at(0).at("arguments").at(0).at("required") == false);
  const Json got =
      result(reader, "prompts/get", R"({"name":"pdf","arguments":{"arguments":"the invoice"}})");
  CHECK(got.at("description") == "Reads PDF files.");
  REQUIRE(got.at("messages").size() == 1);
  const std::string text = got.at("messages").at(0).at("content").at("text");
  CHECK(text.find("Open the file.") != std::string::npos);
  CHECK(text.find("the invoice") != std::string::npos);
  CHECK(text.find("description:") == std::string::npos); // the front matter is for programs
  CHECK(code(reader, "prompts/get", R"({"name":"none"})") == -32602);
  CHECK(code(reader, "prompts/get") == -32602);
  for (const std::string arguments : {R"("x")", R"({"arguments":7})", R"({"other":"x"})", "[]"}) {
    INFO(arguments);
    CHECK(code(reader, "prompts/get", R"({"name":"pdf","arguments":)" + arguments + "}") == -32602);
  }
}

TEST_CASE("what stands in a URI is completed, source by source") {
  Reader reader;
  CHECK(completed(reader, skillFile, R"({"name":"source","value":"m"})").at("values") ==
        Json{"memory"});
  CHECK(completed(reader, skillFile, R"({"name":"source","value":"x"})").at("total") == 0);
  const Json files = completed(reader, skillFile, R"({"name":"path","value":"greeter/re"})");
  CHECK(files.at("values") == Json{"greeter/references/more.md", "greeter/references/words.md"});
  CHECK(files.at("hasMore") == false);
  CHECK(completed(reader, skillFile, R"({"name":"path","value":"t"})",
                  R"(,"context":{"arguments":{"source":"other"}})")
            .at("values")
            .empty());
  CHECK(completed(reader, R"({"type":"ref/prompt","name":"pdf"})",
                  R"({"name":"arguments","value":"a"})")
            .at("values")
            .empty());
  for (
      const std::string params :
      {R"({})", R"({"ref":7,"argument":{}})", R"({"ref":{"type":"ref/prompt"},"argument":{}})",
       R"({"ref":{"type":"ref/prompt","name":"none"},"argument":{"name":"a","value":""}})",
       R"({"ref":{"type":"ref/none"},"argument":{"name":"a","value":""}})",
       R"({"ref":{"type":"ref/resource","uri":"x://y"},"argument":{"name":"a","value":""}})",
       R"({"ref":{"type":"ref/resource","uri":"skill://{source}/{+path}"},"argument":{"name":"no","value":""}})"}) {
    INFO(params);
    CHECK(code(reader, "completion/complete", params) == -32602);
  }
}

TEST_CASE("the skills extension lists skills with the digest and size of every file") {
  Reader reader;
  const Json skills = result(reader, "skills/list").at("skills");
  REQUIRE(skills.size() == 2);
  const Json &greeter = skills.at(0);
  CHECK(greeter.at("uri") == "skill://memory/greeter/SKILL.md");
  CHECK(greeter.at("frontmatter").at("name") == "greeter");
  CHECK(greeter.at("resources").size() == 5);
  CHECK(greeter.at("_meta").at("org.skillhost/source") == "memory");
  for (const Json &file : greeter.at("resources")) {
    INFO(file.dump());
    CHECK(file.at("digest").get<std::string>().starts_with("sha256:"));
    if (file.at("uri") == "skill://memory/greeter/references/words.md") CHECK(file.at("size") == 9);
  }
  const Json one =
      result(reader, "skills/get", R"({"uri":"skill://memory/greeter/SKILL.md"})").at("skill");
  CHECK(one == greeter);
  CHECK(code(reader, "skills/get", R"({"uri":"skill://memory/none/SKILL.md"})") == -32602);
  CHECK(code(reader, "skills/get") == -32602);
}

TEST_CASE("skills/list names a skill whose files cannot be read now") {
  const auto source = std::make_shared<SkillsInMemory>(threeSkills());
  ServerOfTest server(source, ServerOfTest::settings());
  StdioClient client(server);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  SkillsInMemory::Files files = threeSkills();
  files.erase({"greeter", "logo.png"});
  source->setFiles(files); // the server still has the old listing
  const Json answer = client.ask("skills/list").at("result");
  INFO(answer.dump());
  REQUIRE(answer.at("skills").size() == 1);
  CHECK(answer.at("skills").at(0).at("frontmatter").at("name") == "pdf");
  CHECK(answer.at("_meta").at("org.skillhost/failures") ==
        Json::array({leftOut("greeter", "greeter", "unreadable"), brokenSkill}));
}

TEST_CASE("skills/list names a skill whose SKILL.md cannot be read") {
  ServerOfTest server(std::make_shared<OneUnreadable>("team/pdf", threeSkills()),
                      ServerOfTest::settings());
  StdioClient client(server);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  const Json answer = client.ask("skills/list").at("result");
  INFO(answer.dump());
  CHECK(answer.at("skills").size() == 1);
  CHECK(answer.at("_meta").at("org.skillhost/failures") ==
        Json::array({leftOut("pdf", "team/pdf", "unreadable"), brokenSkill}));
  // It may be readable soon, so clients must ask again.
  const Json modern = client.ask("skills/list", "{" + modernMeta + "}").at("result");
  CHECK(modern.at("_meta").at("org.skillhost/failures").size() == 2);
  CHECK(modern.at("ttlMs") == 0);
}

TEST_CASE("skills/list names what is left out because of a fault, and clients may keep that list") {
  SkillsInMemory::Files files = threeSkills();
  files[{"meta", "SKILL.md"}] = "---\nname: other\ndescription: x\nmetadata: {a: [1]}\n---\n";
  files[{"hidden", "SKILL.md"}] =
      "---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\n";
  files[{"tools", "SKILL.md"}] = "---\nname: tools\ndescription: x\nallowed-tools: [a]\n---\n";
  ServerOfTest server(std::make_shared<SkillsInMemory>(files), ServerOfTest::settings());
  StdioClient client(server);
  const auto listedFor = [&](const std::string &name) {
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                             R"("io.modelcontextprotocol/clientCapabilities":{},)"
                             R"("io.modelcontextprotocol/clientInfo":{"name":")" +
                             name + R"(","version":"1"}})";
    return client.ask("skills/list", "{" + meta + "}").at("result");
  };
  const Json answer = listedFor("t");
  INFO(answer.dump());
  CHECK(answer.at("skills").size() == 3);
  CHECK(answer.at("_meta").at("org.skillhost/failures") ==
        Json::array({leftOut("other", "meta", "withheld"), brokenSkill}));
  CHECK(answer.at("ttlMs") > 0);
  CHECK(listedFor("mcp").at("_meta").at("org.skillhost/failures") ==
        Json::array({leftOut("other", "meta", "withheld"),
                     leftOut("tools", "tools", "allowed-tools-not-text"), brokenSkill}));
  CHECK(!client.ask("tools/list", "{" + modernMeta + "}")
             .at("result")
             .at("_meta")
             .contains("org.skillhost/failures"));
}

TEST_CASE("skills/list names a limited number of skills that are left out, and counts the rest") {
  SkillsInMemory::Files files;
  for (int i = 0; i < 103; ++i) files[{"skill-" + std::to_string(i), "SKILL.md"}] = "damaged";
  files[{"pdf", "SKILL.md"}] = skillText("pdf", "Reads PDF files.", "");
  ServerOfTest server(std::make_shared<SkillsInMemory>(files), ServerOfTest::settings());
  StdioClient client(server);
  client.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{},)"
                           R"("clientInfo":{"name":"t","version":"1"}})");
  const Json failures =
      client.ask("skills/list").at("result").at("_meta").at("org.skillhost/failures");
  CHECK(failures.size() == 101);
  CHECK(failures.back() == Json{{"uri", "skill://memory/"}, {"more_skills", 3}});
}

TEST_CASE("names of skills that are left out fill a limited part of skills/list") {
  SkillsInMemory::Files files;
  for (int i = 0; i < 40; ++i)
    files[{"skill-" + std::to_string(i) + std::string(2'000, 'x'), "SKILL.md"}] = "damaged";
  files[{"pdf", "SKILL.md"}] = skillText("pdf", "Reads PDF files.", "");
  ServerOfTest server(std::make_shared<SkillsInMemory>(files), ServerOfTest::settings());
  StdioClient client(server);
  const Json answer = client.ask("skills/list", "{" + modernMeta + "}").at("result");
  const Json &failures = answer.at("_meta").at("org.skillhost/failures");
  CHECK(failures.dump().size() < 40'000);
  CHECK(failures.back().at("more_skills") == 40 - (failures.size() - 1));
  CHECK(answer.at("ttlMs") > 0);
}

TEST_CASE("a skill that may soon be readable is named in front of skills with lasting faults") {
  SkillsInMemory::Files files;
  for (int i = 0; i < 101; ++i) files[{"skill-" + std::to_string(i), "SKILL.md"}] = "damaged";
  files[{"pdf", "SKILL.md"}] = skillText("pdf", "Reads PDF files.", "");
  files[{"z-last", "SKILL.md"}] = skillText("z-last", "Reads other files.", "");
  ServerOfTest server(std::make_shared<OneUnreadable>("z-last", files), ServerOfTest::settings());
  StdioClient client(server);
  const Json answer = client.ask("skills/list", "{" + modernMeta + "}").at("result");
  CHECK(answer.at("_meta").at("org.skillhost/failures").at(0) ==
        leftOut("z-last", "z-last", "unreadable"));
  CHECK(answer.at("ttlMs") == 0);
}

TEST_CASE("the folder of a skill is read child by child") {
  ProtocolSettings settings = ServerOfTest::settings();
  settings.pageSize = 2;
  Reader reader(std::move(settings));
  const std::string folder = R"("uri":"skill://memory/greeter")";
  const Json first = result(reader, "resources/directory/read", "{" + folder + "}");
  CHECK(namesIn(first.at("resources")) == std::vector<std::string>{"SKILL.md", "logo.png"});
  const Json rest = result(reader, "resources/directory/read",
                           "{" + folder + R"(,"cursor":)" + first.at("nextCursor").dump() + "}");
  CHECK(namesIn(rest.at("resources")) == std::vector<std::string>{"references", "scripts"});
  CHECK(rest.at("resources").at(0).at("mimeType") == "inode/directory");
  const Json below =
      result(reader, "resources/directory/read", R"({"uri":"skill://memory/greeter/references/"})");
  CHECK(urisIn(below.at("resources")) ==
        std::vector<std::string>{"skill://memory/greeter/references/more.md",
                                 "skill://memory/greeter/references/words.md"});
  CHECK(code(reader, "resources/directory/read", R"({"uri":"skill://memory/none"})") == -32602);
}
