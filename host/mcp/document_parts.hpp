// SPDX-License-Identifier: Apache-2.0
// Documents as parts of one answer: as text, as an image, or as base64, as much as there is room
// for.
#pragma once

#include "ground/json.hpp"
#include "skills/skill.hpp"

#include <cstddef>
#include <string>

namespace skillhost {

// What a client is told of a file without reading it: path, uri, mime_type and, where known, size.
Json describeFile(const Skill &skill, std::size_t file);

class DocumentParts {
public:
  // `room` bytes of JSON: for the text and the images together, and as many for the data.
  explicit DocumentParts(std::size_t room) : room_(room) {}

  // Adds what follows `offset` in `bytes`. False when offset is past their end.
  bool add(Json described, const std::string &bytes, bool base64, std::size_t offset);
  void addFailure(Json described, const std::string &why);

  Json documents = Json::array();
  std::string text;
  std::string images; // blocks of content, a comma before each
  bool truncated = false;

private:
  bool full();
  void addText(Json &one, const std::string &bytes, std::size_t offset);
  void addBase64(Json &one, const std::string &bytes, std::size_t offset);
  bool addImage(Json &one, const std::string &bytes);
  void begin(const Json &one);
  void spend(std::size_t bytes);
  void readOn(Json &one, std::size_t begin, std::size_t end, std::size_t all);

  std::size_t room_;
};

} // namespace skillhost
