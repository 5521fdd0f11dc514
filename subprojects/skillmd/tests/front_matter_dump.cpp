// SPDX-License-Identifier: Apache-2.0
// front_matter_dump FILE... prints one line of JSON for each file: the fields that the complete
// reader finds, and those of the quick one if it accepts the document; or the findings.
// front_matter_dump --time ROUNDS FILE... prints the processor microseconds for one file.
#include "skillmd/front_matter.hpp"
#include "skillmd/plain_front_matter.hpp"
#include "skillmd/yaml_front_matter.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

using namespace skillhost;

namespace {

std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void dump(const std::string &path) {
  const std::string document = contentsOf(path);
  Json line{{"file", path}};
  const FrontMatterResult result = parseFrontMatter(document, path);
  if (result.frontMatter) line["fields"] = result.frontMatter->fields;
  line["findings"] = Json::array();
  for (const Finding &finding : result.findings) line["findings"].push_back(render(finding));
  const FrontMatterBlock block = findFrontMatter(document);
  if (block.state == FrontMatterBlock::State::Closed) {
    if (const FrontMatterResult yaml = readYaml(block, path); yaml.frontMatter)
      line["yaml"] = yaml.frontMatter->fields;
    if (const auto plain = readPlain(block)) line["plain"] = plain->fields;
  }
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::fputs((text + "\n").c_str(), stdout);
}

template <class Read>
void measure(const char *name, const std::vector<std::string> &documents, int rounds, Read read) {
  std::size_t taken = 0;
  const std::clock_t start = std::clock(); // processor time ignores other work on the machine
  for (int round = 0; round < rounds; ++round)
    for (const std::string &document : documents) taken += read(document) ? 1U : 0U;
  const double spent = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const double calls = static_cast<double>(documents.size()) * rounds;
  std::printf("%-6s %8.2f us a document, %5.1f %% taken\n", name, spent / calls,
              100.0 * static_cast<double>(taken) / calls);
}

} // namespace

int main(int count, char **arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 3 || words[0] != "--time") {
    for (const std::string &path : words) dump(path);
    return 0;
  }
  std::vector<std::string> documents;
  for (std::size_t i = 2; i < words.size(); ++i) {
    std::string document = contentsOf(words[i]);
    if (findFrontMatter(document).state == FrontMatterBlock::State::Closed)
      documents.push_back(std::move(document));
  }
  const int rounds = std::stoi(words[1]);
  measure("whole", documents, rounds, [](const std::string &document) {
    return parseFrontMatter(document, {}).frontMatter.has_value();
  });
  measure("plain", documents, rounds, [](const std::string &document) {
    return readPlain(findFrontMatter(document)).has_value();
  });
  measure("yaml", documents, rounds, [](const std::string &document) {
    return readYaml(findFrontMatter(document), {}).frontMatter.has_value();
  });
  return 0;
}
