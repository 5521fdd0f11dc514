// SPDX-License-Identifier: Apache-2.0
#include "catch2.hpp"
#include "evaluation/questions.hpp"
#include "temporary_folder.hpp"

#include <fstream>

using namespace skillhost;
using namespace skillhost::evaluation;

namespace {

class QuestionFile {
public:
  explicit QuestionFile(const std::string &content) : path_(folder_.path() + "/q.jsonl") {
    std::ofstream(path_, std::ios::binary) << content;
  }
  Result<std::vector<Question>> read() const { return readQuestions(path_); }
  // Returns the message without the path; empty: no failure.
  std::string problem() const {
    const auto read = readQuestions(path_);
    return read ? std::string() : read.failure().message.substr(path_.size());
  }

private:
  TemporaryFolder folder_;
  std::string path_;
};

} // namespace

TEST_CASE("questions are read as people write them") {
  const QuestionFile file(
      "\xEF\xBB\xBF{\"text\": \"a\", \"skills\": [\"x\", \"y\"], \"_id\": 7}\r\n\n"
      "  {\"_id\": \"q\", \"skills\": [], \"text\": \"b\", \"more\": 1}\n"
      "{\"text\": \"c\"}");
  const auto read = file.read();
  REQUIRE(read);
  REQUIRE(read->size() == 3);
  CHECK(read->at(0).text == "a");
  CHECK(read->at(0).id == "7");
  CHECK(read->at(0).skills == std::vector<std::string>{"x", "y"});
  CHECK(read->at(1).line == 3);
  CHECK(read->at(1).id == "q");
  CHECK(read->at(1).skills.empty());
  CHECK(read->at(2).line == 4);
  CHECK(read->at(2).skills.empty());
}

TEST_CASE("what is wrong with a file of questions is said with its line") {
  const std::string good = "{\"text\":\"a\",\"skills\":[\"x\"]}\n";
  const auto starts = [](const std::string &text, const std::string &begin) {
    INFO(text);
    return text.starts_with(begin);
  };
  CHECK(starts(QuestionFile("").problem(), ": there is no question in it; write {"));
  CHECK(starts(QuestionFile("\n \n").problem(), ": there is no question in it"));
  CHECK(starts(QuestionFile(good + "{\"text\": \"a\",}\n").problem(), ":2: "));
  CHECK(starts(QuestionFile(good + "[1]\n").problem(), ":2: expected a JSON object, found [1]"));
  CHECK(starts(QuestionFile("{\"skills\":[]}").problem(), ":1: \"text\" is missing"));
  CHECK(starts(QuestionFile("{\"text\":\" \",\"skills\":[]}").problem(), ":1: \"text\" is to be"));
  CHECK(starts(QuestionFile("{\"text\":3,\"skills\":[]}").problem(), ":1: \"text\" is to be"));
  CHECK(starts(QuestionFile("{\"text\":\"a\",\"skill\":[\"x\"]}").problem(),
               ":1: \"skills\" is missing ([] says that no skill answers it), and \"skill\""));
  CHECK(starts(QuestionFile("{\"text\":\"a\",\"skills\":\"x\"}").problem(),
               ":1: \"skills\" is to be a list of names, found \"x\""));
  CHECK(starts(QuestionFile("{\"text\":\"a\",\"skills\":[\"\"]}").problem(), ":1: \"skills\""));
  CHECK(starts(QuestionFile("{\"text\":\"a\",\"skills\":[],\"_id\":{}}").problem(), ":1: \"_id\""));
  CHECK(starts(QuestionFile("{\"text\":\"\xFF\",\"skills\":[]}").problem(), ":1: "));
  CHECK(
      starts(QuestionFile(good + "{\"text\":\"" + std::string(longestLine, 'a') + "\"}").problem(),
             ":2: the line has 1048"));
  const auto none = readQuestions("/nowhere/q.jsonl");
  REQUIRE(!none);
  CHECK(none.failure().message == "/nowhere/q.jsonl: No such file or directory");
}
