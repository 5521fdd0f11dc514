// SPDX-License-Identifier: Apache-2.0
#include "loaded_model.hpp"

#include "ground/descriptor.hpp"
#include "ground/guarded.hpp"

#include <skillhost/plugin.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace skillhost::hybrid {
namespace {

// The number in the text is the version of the arithmetic.
Blake3::Digest digestOf(const std::string &folder, const std::function<void()> &checkpoint) {
  Blake3 sum;
  sum.add("skillhost embedding 1\n");
  constexpr std::string_view unigramFile = "sentencepiece.bpe.model";
  for (const std::string_view name :
       {std::string_view("model.safetensors"), std::string_view("vocab.txt"), unigramFile,
        std::string_view("config.json"), std::string_view("1_Pooling/config.json"),
        std::string_view("sentence_bert_config.json"), std::string_view("tokenizer_config.json")}) {
    const std::string path = folder + "/" + std::string(name);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    // Kept vectors of models without this file stay valid.
    if (!file && name == unigramFile) continue;
    struct stat info{};
    // The end of a pipe or a device may never come.
    if (file && (::fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode)))
      throw skh::Error(SKH_INVALID, path + ": not a regular file");
    std::vector<char> part(std::size_t{1} << 20U);
    std::uint64_t length = 0;
    for (ssize_t got = file ? 1 : 0; got > 0;) {
      checkpoint();
      got = ::read(file.number(), part.data(), part.size());
      if (got < 0) throw skh::Error(SKH_UNAVAILABLE, path + ": cannot be read");
      sum.add({part.data(), static_cast<std::size_t>(got)});
      length += static_cast<std::uint64_t>(got);
    }
    sum.add({reinterpret_cast<const char *>(&length), sizeof length});
  }
  return sum.finish();
}

using Key = std::pair<Blake3::Digest, const embedding::Kernels *>;
using Loaded = std::map<Key, std::weak_ptr<const LoadedModel>>;

Guarded<Loaded> &loadedModels() {
  static Guarded<Loaded> all;
  return all;
}

} // namespace

std::shared_ptr<const LoadedModel> loadModel(const std::string &folder,
                                             const std::string &instructions,
                                             const std::function<void()> &checkpoint) {
  const embedding::Kernels &kernels = embedding::kernelsCalled(instructions);
  const Key key{digestOf(folder, checkpoint), &kernels};
  std::shared_ptr<const LoadedModel> model;
  loadedModels().with([&](const Loaded &all) {
    if (const auto known = all.find(key); known != all.end()) model = known->second.lock();
  });
  if (model) return model;
  // Without the lock, because this takes long.
  auto made = std::make_shared<const LoadedModel>(
      LoadedModel{kernels, embedding::Encoder(folder, kernels, checkpoint), key.first});
  // Embedding a word reveals weights that are finite but give no valid vector.
  embedding::Encoder::Workspace workspace;
  made->encoder.embed("skill", workspace);
  // The vectors of this model are kept under its digest, so it must be that of the files that were
  // read.
  if (digestOf(folder, checkpoint) != key.first)
    throw skh::Error(SKH_UNAVAILABLE,
                     folder + ": the model changed while it was read; start the server again");
  loadedModels().with([&](Loaded &all) {
    std::erase_if(all, [](const auto &one) { return one.second.expired(); });
    std::weak_ptr<const LoadedModel> &known = all[key];
    model = known.lock();
    if (!model) known = model = std::move(made);
  });
  return model;
}

} // namespace skillhost::hybrid
