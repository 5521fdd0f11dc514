// SPDX-License-Identifier: Apache-2.0
// A model as the library sentence-transformers keeps it: a folder of weights, vocabulary and JSON.
#pragma once

#include "kernels/kernels.hpp"
#include "word_piece.hpp"

#include <cstddef>
#include <string>

namespace skillhost::embedding {

enum class Pooling { Mean, Cls };

struct ModelDescription {
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t width = 0;      // of a token's vector, and of the text's
  std::size_t innerWidth = 0; // of the layer between
  std::size_t vocabulary = 0;
  std::size_t positions = 0; // tokens that the weights know places for
  std::size_t types = 0;
  std::size_t mostTokens = 0; // of a text that are read
  float epsilon = 0;
  Activation activation = Activation::Gelu;
  Pooling pooling = Pooling::Mean;
  WordPiece::Options words;
  std::string queryPrefix, passagePrefix; // that the folder's own configuration names
};

// config.json, 1_Pooling/config.json, and where they are there sentence_bert_config.json,
// tokenizer_config.json and config_sentence_transformers.json. Throws skh::Error(SKH_INVALID),
// which names file, key and value, for every model that is not of BERT's form.
ModelDescription describeModel(const std::string &folder);

// vocab.txt, whose size must be the description's. Throws skh::Error(SKH_INVALID).
WordPiece readVocabulary(const std::string &folder, const ModelDescription &model);

} // namespace skillhost::embedding
