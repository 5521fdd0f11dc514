// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "ground/json.hpp"
#include "ground/json_text.hpp"
#include "ground/sha256.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <string>

using namespace skillhost;

TEST_CASE("a document is read as the standard library of the field reads it") {
  const std::string text = R"({"a":[1,-2,3.5,true,null,"x\u00e9"],"b":{"c":{}}})";
  const Result<Json> parsed = parseJson(text);
  REQUIRE(parsed);
  CHECK(*parsed == Json::parse(text));
  CHECK((*parsed)["a"][1] == -2);
}

TEST_CASE("what is not JSON is a parse error that names the byte") {
  for (const std::string text :
       {"", "{", "[1,]", "{\"a\":}", "nul", "\"\xff\"", "\"\\ud800\"", "1 2"}) {
    const Result<Json> parsed = parseJson(text);
    INFO(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.failure().fault == Fault::ParseError);
    CHECK(parsed.failure().message.find("byte") != std::string::npos);
  }
}

TEST_CASE("every text that is JSON for the library gives the tree of the library") {
  std::string wide = "{";
  for (int i = 0; i < 40; ++i) wide += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":[{}]";
  const std::string deep = std::string(40, '[') + std::string(40, ']');
  const std::string shallow = std::string(32, '[') + std::string(32, ']');
  for (const std::string text : {" { } ",
                                 "[ ]",
                                 "\t[\r\n1 , 2 ]\n",
                                 R"({"a" : 1 , "" : {"a":1}})",
                                 "0",
                                 "-0",
                                 "-1",
                                 "7",
                                 "01",
                                 "-",
                                 "+1",
                                 "1.",
                                 "1.5",
                                 "1e2",
                                 "1E-2",
                                 ".5",
                                 "1a",
                                 "0x1",
                                 "-01",
                                 "00",
                                 "- 1",
                                 "999999999999999999",
                                 "-999999999999999999",
                                 "1000000000000000000",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "-9223372036854775808",
                                 "18446744073709551615",
                                 "true",
                                 "false",
                                 "null",
                                 "True",
                                 "tru",
                                 "truex",
                                 "true x",
                                 "nullnull",
                                 "NaN",
                                 R"("")",
                                 R"("a\"b\\c\/\b\f\n\r\t")",
                                 R"("\u0041\u00e9\u20AC\u0000")",
                                 R"("\ud83d\ude00")",
                                 R"("\ud83d")",
                                 R"("\ude00")",
                                 R"("\u12")",
                                 R"("\u12g4")",
                                 R"("\x41")",
                                 "\"\\",
                                 "\"\\u",
                                 "\"",
                                 "\"\x7f\"",
                                 "\"\x1f\"",
                                 "\"\n\"",
                                 "\"\xC3\xA9\xF0\x9F\x98\x80\"",
                                 "\"\xC3\"",
                                 "\"\xED\xA0\x80\"",
                                 "\"\xC0\x80\"",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "[1",
                                 "{\"a\"}",
                                 "{\"a\":1,}",
                                 "{,}",
                                 "{a:1}",
                                 "{\"a\":1",
                                 "[]]",
                                 "{}{}",
                                 "/**/1",
                                 "\xEF\xBB\xBF{}",
                                 "\f1",
                                 deep.c_str(),
                                 shallow.c_str()}) {
    CAPTURE(text);
    const Result<Json> read = parseJson(text);
    const Json expected = Json::parse(text, nullptr, false);
    REQUIRE(static_cast<bool>(read) == !expected.is_discarded());
    if (!read) continue;
    CHECK(*read == expected);
    // Equal numbers may have different types, and so different spellings.
    if (text.find_first_of("eE.") == std::string::npos) CHECK(read->type() == expected.type());
  }
  CHECK(parseJson(wide + '}')->dump() == wide + '}');
  const std::string nul("\"\0\"", 3);
  CHECK_FALSE(parseJson(nul));
}

TEST_CASE("the limits of a document are exact") {
  CHECK(parseJson("[[1,2]]", {.depth = 2, .values = 4}));
  CHECK(parseJson("[[1,2]]", {.depth = 1, .values = 4}).failure().fault == Fault::InvalidRequest);
  CHECK(parseJson("[[1,2]]", {.depth = 2, .values = 3}).failure().fault == Fault::InvalidRequest);
}

TEST_CASE("a whole number is an integer, however it is written") {
  const Result<Json> read =
      parseJson("[3.0,-7.00,1e3,9007199254740992.0,0.5,9007199254740994.0,-0.0]");
  REQUIRE(read);
  for (std::size_t at = 0; at < 4; ++at) CHECK((*read)[at].is_number_integer());
  CHECK(read->dump() == "[3,-7,1000,9007199254740992,0.5,9.007199254740994e+15,-0.0]");
}

TEST_CASE("equal keys, depth and numbers out of range are refused by name") {
  CHECK(parseJson(R"({"a":1,"a":2})").failure().message.find("\"a\"") != std::string::npos);
  CHECK(parseJson(R"({"a":{"b":1},"b":{"b":1}})"));
  CHECK(parseJson("1e999").failure().fault != Fault::Internal);
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  CHECK(parseJson(deep).failure().fault == Fault::InvalidRequest);
  std::string wide = "{";
  for (int i = 0; i < 1000; ++i) wide += "\"k" + std::to_string(i) + "\":1,";
  CHECK(parseJson(wide + "\"last\":1}"));
  CHECK(parseJson(wide + "\"k7\":1}").failure().fault == Fault::InvalidRequest);
}

TEST_CASE("a tree of any depth and shape is destroyed") {
  // The library's own parser has no limit.
  const std::size_t depth = 100'000;
  std::string deep;
  for (std::size_t i = 0; i < depth; ++i) deep += R"([1,{"a":{},"b":[2,"x"],"c":)";
  deep += "[]";
  for (std::size_t i = 0; i < depth; ++i) deep += "},[]]";
  Json tree = Json::parse(deep);
  CHECK(tree[1]["c"][1]["c"].size() == 3);
  tree = nullptr;
  CHECK(tree.is_null());
}

TEST_CASE("the values of an object stay the same when it grows") {
  std::string text = "{";
  for (int i = 0; i < 100; ++i)
    text +=
        (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"own":[)" + std::to_string(i) + "]}";
  const Result<Json> read = parseJson(text + "}");
  REQUIRE(read);
  CHECK(read->dump() == text + "}");
}

TEST_CASE("JSON that can be read in one way only") {
  CHECK(readJsonObject(R"({"a":{"b":[1,{"a":2}]},"c":{"b":1}})").has_value());
  for (const char *wrong :
       {"", "[]", "1", "{", "{}x", R"({"a":1,"a":1})", R"({"x":[{"b":1,"b":2}]})",
        R"({"a":1,"\u0061":1})", "{\"a\":\"\xc0\xaf\"}", "{\"a\":NaN}"}) {
    CAPTURE(wrong);
    CHECK_FALSE(readJsonObject(wrong).has_value());
  }
  const std::string deep = R"({"a":)" + std::string(15, '[') + std::string(15, ']') + '}';
  CHECK(readJsonObject(deep).has_value());
  CHECK_FALSE(readJsonObject(deep, 15).has_value());
  CHECK_FALSE(readJsonObject(R"({"a":)" + std::string(200'000, '[')).has_value());
}

TEST_CASE("written strings are read back the same, invalid bytes mended") {
  std::string text = "plain \"quoted\" back\\slash \n\r\t\x01 \xC3\xA9";
  std::string out;
  appendJsonString(out, text);
  CHECK(Json::parse(out).get<std::string>() == text);
  out.clear();
  appendJsonString(out, "a\xff z");
  CHECK(Json::parse(out).get<std::string>() == "a\xEF\xBF\xBD z");
}

TEST_CASE("a value is written as the library writes it, invalid bytes mended") {
  for (const char *text :
       {"{}", "[]", "null", R"({"b":[1,-2,3.5,true,false,null,"x\"y"],"a":{"c":{},"d":[[]]}})",
        R"("\u00e9\n\t\\")"}) {
    CAPTURE(text);
    std::string out = "before ";
    appendJson(out, Json::parse(text));
    CHECK(out == "before " + Json::parse(text).dump());
  }
  std::string out;
  appendJson(out, Json{{"k\xff", "a\xff z"}});
  CHECK(out == "{\"k\xEF\xBF\xBD\":\"a\xEF\xBF\xBD z\"}");
}

TEST_CASE("UTF-8 is checked and cut by the standard") {
  CHECK(isUtf8("\xF0\x9F\x98\x80"));
  CHECK_FALSE(isUtf8("\xC0\x80"));
  CHECK_FALSE(isUtf8("\xED\xA0\x80"));
  CHECK_FALSE(isUtf8("\xF4\x90\x80\x80"));
  CHECK(cutUtf8("a\xC3\xA9", 2) == "a");
  CHECK(countCharacters("a\xC3\xA9") == 2);
}

TEST_CASE("SHA-256 of abc is the one of FIPS 180-4") {
  CHECK(sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
