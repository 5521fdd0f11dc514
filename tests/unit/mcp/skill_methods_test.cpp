// SPDX-License-Identifier: Apache-2.0
// What a client gets of the skills by resources, prompts, completion and the skills extension.
#include "reader.hpp"

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

const std::string skillFile = R"({"type":"ref/resource","uri":"skill://{source}/{+path}"})";

} // namespace

TEST_CASE("resources are the skills, then the statistics, a page at a time") {
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
  CHECK(urisIn(rest.at("resources")) == std::vector<std::string>{"skillhost://stats"});
  CHECK_FALSE(rest.contains("nextCursor"));
  CHECK(code(reader, "resources/list", R"({"cursor":"no such"})") == -32602);
  CHECK(code(reader, "resources/list", R"({"cursor":7})") == -32602);
  const Json templates = result(reader, "resources/templates/list").at("resourceTemplates");
  REQUIRE(templates.size() == 1);
  CHECK(templates.at(0).at("uriTemplate") == "skill://{source}/{+path}");
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
  CHECK(Json::parse(read("skillhost://stats").at("text").get<std::string>()).is_object());
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
