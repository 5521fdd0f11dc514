// SPDX-License-Identifier: Apache-2.0
// Puts documents into one answer: as text, as an image, or as base64, as far as there is room.
#pragma once

#include "ground/json.hpp"
#include "skills/skill.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace skillhost {

// Describes a file without reading it: path, uri, mime_type and, if known, size.
Json describeFile(const Skill &skill, std::size_t file);

// Limits the size of the documents in an answer, in bytes of JSON.
struct DocumentRoom {
  std::size_t all = 0;   // for text, images, and structured data if it is sent, too
  std::size_t text = 0;  // for text: what the client shows its model
  std::size_t forms = 1; // number of forms in which the text is sent: 1, or 2 with structured data
};

class DocumentParts {
public:
  // `call` is the text of the call with which a model reads on, without its last arguments.
  // `folder` is the skill's folder; empty if it is not on the reader's machine.
  DocumentParts(DocumentRoom room, std::string call, std::string folder)
      : room_(room), call_(std::move(call)), folder_(std::move(folder)) {}

  // A text is cut only if it is the only document; beside others it is sent whole or not at all.
  struct Wanted {
    bool base64 = false, alone = true;
    std::size_t offset = 0;
  };
  // Adds what follows the offset in `bytes`, which may differ from those of the file. Returns false
  // if the offset is past their end.
  bool add(Json described, const std::string &bytes, const Wanted &wanted);
  void addFailure(Json described, const std::string &why);
  void addTooLarge(Json described); // was not read, because the others need the room

  Json documents = Json::array();
  std::string text;
  std::string images; // blocks of content, a comma before each
  bool truncated = false;

private:
  bool full();
  void addText(Json &one, const std::string &bytes, const Wanted &wanted);
  void addBase64(Json &one, const std::string &bytes, const Wanted &wanted);
  bool addImage(Json &one, const std::string &bytes);
  void begin(const Json &one);
  void leaveOut();
  void spend(std::size_t bytes);
  std::size_t room() const;
  std::string where(const Json &one) const;
  void readOn(Json &one, std::size_t begin, std::size_t end, std::size_t all, bool base64);

  DocumentRoom room_;
  const std::string call_, folder_;
};

} // namespace skillhost
