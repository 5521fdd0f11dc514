// SPDX-License-Identifier: Apache-2.0
#include "collection.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace skillhost::retrieval {
namespace {

using Json = nlohmann::json;

void forEachLine(const std::filesystem::path &file,
                 const std::function<void(const std::string &, std::size_t)> &take) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + ": cannot be read");
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    try {
      take(line, number);
    } catch (const std::exception &error) {
      throw std::runtime_error(file.string() + ":" + std::to_string(number) + ": " + error.what());
    }
  }
}

} // namespace

Collection readCollection(const std::filesystem::path &folder) {
  Collection collection;
  collection.name = folder.filename().empty() ? folder.parent_path().filename().string()
                                              : folder.filename().string();
  forEachLine(folder / "corpus.jsonl", [&](const std::string &line, std::size_t) {
    const Json value = Json::parse(line);
    collection.documents.push_back(
        {value.at("_id"), value.at("title"), value.at("text"), value.value("body", std::string())});
  });
  std::map<std::string, std::set<std::string>> relevant;
  forEachLine(folder / "qrels.tsv", [&](const std::string &line, std::size_t number) {
    if (number == 1) return; // the heading
    std::istringstream columns(line);
    std::string question;
    std::string document;
    double score = 0;
    if (!(columns >> question >> document >> score)) throw std::runtime_error("not three columns");
    if (score > 0) relevant[question].insert(document);
  });
  forEachLine(folder / "queries.jsonl", [&](const std::string &line, std::size_t) {
    const Json value = Json::parse(line);
    const auto found = relevant.find(value.at("_id").get<std::string>());
    if (found != relevant.end())
      collection.questions.push_back({found->first, value.at("text"), found->second});
  });
  return collection;
}

} // namespace skillhost::retrieval
