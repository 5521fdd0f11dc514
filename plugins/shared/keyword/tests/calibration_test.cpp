// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "keyword/index.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

using namespace skillhost::keyword;

namespace {

std::unique_ptr<Index> shelf() {
  auto index = std::make_unique<Index>(Options{});
  index->put({"pdf",
              "pdf-tools",
              "Extract text and tables from PDF documents, fill in forms.",
              "Tables of a report become rows.",
              {}});
  index->put({"mail", "send_email", "Send and schedule messages to people.", {}, {}});
  index->put({"air", "airQualityForecast", "Know the air before you go.", {}, {}});
  index->put({"report", "write-reports", "Write the report of a quarter.", {}, {}});
  index->put({"about", "how-to", "Explains.", {}, {}});
  index->put({"v8", "migrate-dotnet8", "Moves a project to version 8.", {}, {}});
  index->put({"weather", "天気予報を調べる", "Weather of the day.", {}, {}});
  index->put({"pdfs",
              "read-many",
              "PDF tools, pdf-tools and more pdf-tools: pdf tools.",
              {},
              R"({"keywords":["pdf","tools"]})"});
  index->commit("g");
  return index;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t each = 0; each < times; ++each) all += text;
  return all;
}

} // namespace

TEST_CASE("a scale keeps the order and stays between 0 and 1") {
  for (const double fit : {-40.0, -3.0, 0.0, 2.0, 50.0}) {
    Scale scale(7);
    scale.addHit(fit, 7);
    double before = 0;
    for (double score = 0; score <= 7; score += 0.05) {
      const double now = scale.of(score, NameMatch::None);
      CHECK(now >= before);
      CHECK(now <= 1);
      before = now;
    }
    CHECK(before < scale.of(0, NameMatch::OneEdit));
  }
  // Different raw scores must stay different. Otherwise such hits would be sorted by id.
  Scale sure(7);
  sure.addHit(50, 7);
  CHECK(sure.of(6.999999, NameMatch::None) < sure.of(7, NameMatch::None));
  Scale scale(7);
  CHECK(scale.of(7, NameMatch::None) == 0); // nothing is judged yet
  scale.addHit(1, 7);
  CHECK(scale.of(0, NameMatch::OneEdit) < scale.of(0, NameMatch::Plural));
  CHECK(scale.of(0, NameMatch::Plural) < scale.of(0, NameMatch::Same));
  CHECK(scale.of(0, NameMatch::Same) < 1);
  CHECK(scale.of(-1, NameMatch::None) == 0);
  CHECK(scale.of(std::numeric_limits<double>::quiet_NaN(), NameMatch::None) == 0);
  Scale nothing(0);
  nothing.addHit(1, 0);
  CHECK(nothing.of(0, NameMatch::None) == 0);
  CHECK(std::isfinite(fitByWords({0, 0})));
  CHECK(fitByWords({0.9, 0.5}) > fitByWords({0.5, 0.5}));
  CHECK(fitByWords({0.5, 0.9}) > fitByWords({0.5, 0.5}));
}

TEST_CASE("a hit scores at least what it is judged by, and those before it more") {
  Scale scale(8);
  scale.addHit(-2, 8);
  const double best = scale.of(8, NameMatch::None);
  scale.addHit(1, 4);
  CHECK(scale.of(4, NameMatch::None) == Approx(0.94 / (1 + std::exp(-1.0))));
  CHECK(scale.of(8, NameMatch::None) > scale.of(4, NameMatch::None));
  CHECK(scale.of(8, NameMatch::None) > best);
  scale.addHit(-5, 2); // lower than the other odds imply
  CHECK(scale.of(4, NameMatch::None) == Approx(0.94 / (1 + std::exp(-1.0))));
}

TEST_CASE("missing words say less about bare descriptions than about texts") {
  CHECK(weightOfMissingWords(0) == 0.5);
  CHECK(weightOfMissingWords(25) == 0.75);
  CHECK(weightOfMissingWords(50) == 1);
  CHECK(weightOfMissingWords(5000) == 1);
  for (const double fit : {-6.0, -1.0, 2.0}) {
    Scale texts(8);
    Scale bare(8, weightOfMissingWords(0));
    texts.addHit(fit, 8);
    bare.addHit(fit, 8);
    if (fit < 0)
      CHECK(bare.of(8, NameMatch::None) > texts.of(8, NameMatch::None));
    else
      CHECK(bare.of(8, NameMatch::None) == texts.of(8, NameMatch::None));
    CHECK(bare.of(4, NameMatch::None) < bare.of(8, NameMatch::None));
  }
  const auto scoreWith = [](const std::string &body) {
    Index index(Options{});
    for (int number = 0; number < 50; ++number)
      index.put({"id" + std::to_string(number),
                 "tool" + std::to_string(number),
                 "Does number" + std::to_string(number) + " for travel.",
                 body,
                 {}});
    index.commit("g");
    return index.query("find the best route to get from London to Edinburgh, number7", {}, 1)
        .at(0)
        .score;
  };
  CHECK(scoreWith({}) > scoreWith(repeated("unrelated ", 60)));
}

TEST_CASE("whatever is asked, scores are from 0 to 1, finite and descend") {
  const auto index = shelf();
  for (const std::string &text :
       {std::string(), std::string(" \n\t"), std::string("the of and"), std::string("?!"),
        repeated("a", 2000), repeated("a ", 1000), repeated("pdf ", 500), repeated("😀", 500),
        repeated("Send the report to people. ", 100), repeated("天気予報を調べる。", 80),
        std::string("天気"), std::string("\xff\xfe\x80 pdf"), repeated("pdf-", 500),
        std::string("extract tables from a PDF report and send the email to people"),
        std::string("pdf-tools")}) {
    INFO(text.substr(0, 40));
    double before = 1;
    for (const Hit &hit : index->query(text, {}, 100)) {
      CHECK(std::isfinite(hit.score));
      CHECK(hit.score > 0);
      CHECK(hit.score <= before);
      before = hit.score;
    }
  }
}

TEST_CASE("a question that the words fit scores high, one that they hardly touch low") {
  const auto index = shelf();
  const auto best = [&](std::string_view text) {
    const std::vector<Hit> hits = index->query(text, {}, 1);
    return hits.empty() ? 0 : hits.front().score;
  };
  CHECK(best("extract tables from a PDF document") > 0.6);
  CHECK(best("schedule messages") > 0.6);
  CHECK(best("weather") > 0.5);
  CHECK(best("Which people won the football world cup in 1998, and where was it played?") < 0.3);
  CHECK(best("How do I repot an orchid?") < 0.3);
}

TEST_CASE("what only a body says is found, and what no skill says is not") {
  Index index{Options{}};
  for (int number = 0; number < 1000; ++number) {
    const std::string own = std::to_string(number);
    // The first names are spelt like the query.
    const std::string alike = number < 5 ? "magnets and meters " + own : "topic" + own;
    index.put({"skill" + own,
               "skill-" + own,
               "Works on " + alike + ", reports and plans of a team.",
               number == 700 ? "Calibrate the magnetometer. Use magcal, and a level place."
                             : "Says how " + alike + " is worked on, step by step.",
               {}});
  }
  index.commit("g");
  for (const char *text : {"magnetometer", "calibrate the magnetometer", "magnetometers, magcal",
                           "how do I calibrate the magnetometer with magcal"}) {
    INFO(text);
    const std::vector<Hit> hits = index.query(text, {}, 10);
    const auto own =
        std::find_if(hits.begin(), hits.end(), [](const Hit &hit) { return hit.id == "skill700"; });
    REQUIRE(own != hits.end());
    CHECK(own->score > 0.5);
  }
  for (const char *text :
       {"Which magnetometer did the ship Discovery carry to the south pole?", "orchid",
        "is the ukulele worked on", "repot the orchid step by step", "magnetomotive orchid"}) {
    INFO(text);
    for (const Hit &hit : index.query(text, {}, 1)) CHECK(hit.score < 0.35);
  }
}

TEST_CASE("in scripts without spaces, pairs across two words do not speak against a skill") {
  Index index{Options{}};
  const auto put = [&](const std::string &id, const std::string &description) {
    index.put({id, id, description, {}, {}});
  };
  put("weather", "查询城市的天气预报和气温。");
  put("translate", "翻译文档，保持原来的格式。");
  put("invoice", "识别发票，汇总金额并导出报表。");
  put("resume", "修改简历，使其符合职位要求。");
  put("video", "剪辑视频，添加字幕。");
  put("test", "単体テストを生成して実行する。");
  for (int number = 0; number < 120; ++number)
    put("store-" + std::to_string(number),
        "管理第" + std::to_string(number) + "号仓库的库存，记录出入库，需要时提醒补货。");
  index.commit("g");
  const auto found = [&](std::string_view text) {
    const std::vector<Hit> hits = index.query(text, {}, 1);
    return hits.empty() || hits.front().score < 0.35 ? std::string() : hits.front().id;
  };
  CHECK(found("帮我查询一下北京明天的天气预报") == "weather");
  CHECK(found("翻译这篇文档") == "translate");
  CHECK(found("把这些发票识别出来，金额汇总到一个报表里") == "invoice");
  CHECK(found("帮我修改一下简历，我要应聘产品经理的职位") == "resume");
  CHECK(found("このクラスの単体テストを生成してください") == "test");
  for (const char *text : {"蒙古的首都是哪里", "北京和上海哪个城市更大", "哪个职位的工资最高",
                           "视频里的歌叫什么名字", "学习翻译难不难", "为什么金额这么贵",
                           "给奶奶写一封生日信好不好", "テストの前によく眠る方法"})
    CHECK(found(text) == "");
}

TEST_CASE("one skill alone is judged by the same measure") {
  Index index{Options{}};
  index.put({"pdf", "pdf-tools", "Extract text and tables from PDF documents.", {}, {}});
  index.commit("g");
  CHECK(index.query("extract the tables of a document", {}, 1).at(0).score > 0.6);
  for (const Hit &hit : index.query("a document about orchids, tulips, roses and lilies", {}, 1))
    CHECK(hit.score < 0.3);
}

TEST_CASE("a name that is asked for comes first, with a score near 1") {
  const auto index = shelf();
  const auto asked = [&](std::string_view text, std::string_view filter = {}) {
    const std::vector<Hit> hits = index->query(text, filter, 1);
    return hits.empty() || hits.front().score < 0.95 ? std::string() : hits.front().id;
  };
  for (const char *text : {"pdf-tools", "PDF_Tools", "pdf tools", "pdftools", "Pdf-Tool",
                           "pdf-toosl", "pdf-tols", "pdf-toolss", " pdf-tools\n", "pdf.tolls"})
    CHECK(asked(text) == "pdf");
  CHECK(asked("air quality forecast") == "air");
  CHECK(asked("airqualityforcast") == "air");
  CHECK(asked("write report") == "report");
  CHECK(asked("how-to") == "about"); // the name has only stop words
  CHECK(asked("天気予報を調べる") == "weather");
  CHECK(asked("migrate dotnet8") == "v8");
  CHECK(asked("migrate dotnet9").empty());
  CHECK(asked("pdf").empty());
  CHECK(asked("pdf-tools", R"({"source":["other"]})").empty());
  CHECK(asked("how-to", R"({"source":["other"]})").empty());
}

TEST_CASE("a name with a title beside it is asked for by either, and by nothing less") {
  Index index{Options{}};
  const std::string longTitle = "Everything about quarters" + repeated(", and then some", 8);
  index.put({"pdf",
             "pdf-tools Handle documents",
             "Extracts text.",
             {},
             R"({"title":"Handle documents","source":"a"})"});
  index.put(
      {"report", "quarterly " + longTitle, "Reports.", {}, R"({"title":")" + longTitle + R"("})"});
  index.put({"copy", "copycat PDF tools", "Copies.", {}, R"({"title":"PDF tools"})"});
  index.put({"spaced", "Deploy Service", "A name in two words.", {}, {}});
  index.put({"other",
             "documents",
             "Handle documents: pdf-tools, pdf tools, quarterly, deploy.",
             {},
             R"({"title":"something else"})"});
  index.put(
      {"service", "service-levels", "Levels of a service. Deploy, service, quarterly.", {}, {}});
  index.commit("g");
  const auto asked = [&](std::string_view text, std::string_view filter = {}) {
    const std::vector<Hit> hits = index.query(text, filter, 1);
    return hits.empty() || hits.front().score < 0.95 ? std::string() : hits.front().id;
  };
  for (const char *text :
       {"pdf-tools", "PDF tool", "pdf-toosl", "handle-documents", "Handle documents"}) {
    INFO(text);
    CHECK(asked(text) == "pdf");
  }
  CHECK(asked("pdf-tools", R"({"source":["b"]})").empty());
  CHECK(index.query("pdf-tools", {}, 2).at(1).id == "copy"); // a name comes before a title
  CHECK(asked("quarterly") == "report"); // the title is too long to be asked for
  CHECK(asked("documents") == "other");
  CHECK(asked("something else").empty()); // a part of its name is not enough
  CHECK(asked("deploy service") == "spaced");
  CHECK(asked("deploy").empty()); // half a name is not enough
  CHECK(asked("service").empty());
  CHECK(asked("handle").empty());
}

TEST_CASE("names are the same but for case, what parts words, a plural or one letter") {
  const auto match = [](std::string_view asked, std::string_view name) {
    return matchNames(foldedName(asked), foldedName(name));
  };
  CHECK(match("Write-Reports", "writeReports") == NameMatch::Same);
  CHECK(match("ÜBER uns", "über-uns") == NameMatch::Same);
  CHECK(match("query", "queries") == NameMatch::Plural);
  CHECK(match("boxes", "box") == NameMatch::Plural);
  CHECK(match("tests", "test") == NameMatch::Plural);
  CHECK(match("text", "test") == NameMatch::None); // too short to guess
  CHECK(match("deploi-app", "deploy-app") == NameMatch::OneEdit);
  CHECK(match("deploy-ap", "deploy-app") == NameMatch::OneEdit);
  CHECK(match("edploy-app", "deploy-app") == NameMatch::OneEdit);
  CHECK(match("deploi-ap", "deploy-app") == NameMatch::None);
  CHECK(match("gpt-model-4", "gpt-model-5") == NameMatch::None);
  CHECK(match("天気予", "夫気予") == NameMatch::None);
  CHECK(match("", "") == NameMatch::None);
  CHECK(match("---", "-") == NameMatch::None);
}

TEST_CASE("the shape of a name refuses nothing that is like it") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  const std::array<std::string, 6> letters{"a", "b", "s", "y", "1", "ü"}; // few, so that many match
  const auto anyName = [&] {
    std::string name;
    for (std::size_t length = below(10); length > 0; --length) name += letters.at(below(6));
    return name;
  };
  std::size_t refused = 0;
  std::size_t alike = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    const std::string name = anyName();
    std::string other = turn % 2 == 0 ? anyName() : name;
    if (turn % 2 != 0) {
      const std::array<std::string, 4> endings{"s", "es", "", "y"};
      other += endings.at(below(4));
      if (!other.empty() && below(2) == 0) other[below(other.size())] = 'b';
    }
    const bool may = NameShape(name).mayMatch(NameShape(other));
    const bool like = matchNames(name, other) != NameMatch::None;
    refused += may ? 0 : 1;
    alike += like ? 1 : 0;
    if (like && !may) FAIL(name + " is like " + other);
  }
  CHECK(refused > 5'000);
  CHECK(alike > 1'000);
  CHECK_FALSE(NameShape("").mayMatch(NameShape("")));
  CHECK(NameShape(std::string(300, 'a')).mayMatch(NameShape(std::string(301, 'a'))));
}
