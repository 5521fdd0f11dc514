// SPDX-License-Identifier: Apache-2.0
#include "segment_builder.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace skillhost::keyword {
namespace {

// Gives each distinct attribute one number.
class AttributeList {
public:
  explicit AttributeList(Segment &segment) : segment_(segment) {}
  void add(std::string_view name, std::string_view value) {
    key_.assign(name).append(1, '\0').append(value);
    const std::uint32_t number = known_.number(key_);
    if (std::size_t{2} * number == segment_.attributeTexts.size()) {
      segment_.attributeTexts.add(name);
      segment_.attributeTexts.add(value);
    }
    segment_.attributes.push_back(number);
  }
  void endOfEntry() {
    segment_.attributeEnds.push_back(static_cast<std::uint32_t>(segment_.attributes.size()));
  }

private:
  Segment &segment_;
  TermTable known_;
  std::string key_;
};

void shrink(Segment &segment) {
  segment.texts.shrink();
  segment.attributeTexts.shrink();
  segment.attributes.shrink();
  segment.vocabulary.words.shrink();
}

struct Occurrence {
  std::uint32_t term;
  Counts counts;
  std::uint16_t entry;
};

void addTerms(const TermCounts &counts, std::uint16_t entry, std::vector<Occurrence> &to) {
  for (const TermCount &each : counts.terms) to.push_back({each.term, each.counts, entry});
}

Postings postingsOf(TermTable table, const std::vector<Occurrence> &occurrences) {
  const std::size_t terms = table.size();
  // A counting sort: `places` holds the start of each term's occurrences, afterwards their end.
  std::vector<std::size_t> places(terms + 1);
  for (const Occurrence &one : occurrences) ++places[one.term + 1];
  std::partial_sum(places.begin(), places.end(), places.begin());
  std::vector<PostingsBuilder::Key> sorted(occurrences.size());
  for (const Occurrence &one : occurrences)
    sorted[places[one.term]++] = PostingsBuilder::keyOf(one.counts, one.entry);
  PostingsBuilder builder(std::move(table));
  std::vector<PostingsBuilder::Key> keys;
  std::size_t at = 0;
  for (std::size_t term = 0; term < terms; ++term) {
    keys.assign(sorted.begin() + static_cast<std::ptrdiff_t>(at),
                sorted.begin() + static_cast<std::ptrdiff_t>(places[term]));
    at = places[term];
    builder.add(keys);
  }
  return builder.build();
}

struct Source {
  std::uint32_t input;
  std::uint32_t entry;
};

std::vector<Source> inOrderOfId(std::span<const MergeInput> inputs) {
  std::vector<Source> order;
  for (std::uint32_t input = 0; input < inputs.size(); ++input)
    for (std::uint32_t entry = 0; entry < inputs[input].segment->size(); ++entry)
      if (!inputs[input].removed->contains(entry)) order.push_back({input, entry});
  std::sort(order.begin(), order.end(), [&](const Source &left, const Source &right) {
    return inputs[left.input].segment->id(left.entry) <
           inputs[right.input].segment->id(right.entry);
  });
  return order;
}

Postings mergedPostings(std::span<const MergeInput> inputs, const Places &places,
                        Postings Segment::*which, const std::function<void()> &checkpoint) {
  constexpr std::uint32_t none = UINT32_MAX;
  TermTable table;
  // For each input, its own number of each merged term.
  std::vector<std::vector<std::uint32_t>> numbers(inputs.size());
  for (std::size_t input = 0; input < inputs.size(); ++input) {
    const Postings &postings = (*inputs[input].segment).*which;
    for (std::uint32_t term = 0; term < postings.terms().size(); ++term) {
      bool alive = false;
      postings.forEachGroup(term, [&](const Postings::Group &group) {
        alive =
            alive || std::any_of(group.entries.begin(), group.entries.end(),
                                 [&](std::uint16_t entry) { return places[input][entry] != gone; });
      });
      if (!alive) continue;
      const std::uint32_t number = table.number(postings.terms().term(term));
      if (number >= numbers[input].size()) numbers[input].resize(table.size(), none);
      numbers[input][number] = term;
    }
    checkpoint();
  }
  const std::size_t terms = table.size();
  for (std::vector<std::uint32_t> &each : numbers) each.resize(terms, none);
  PostingsBuilder builder(std::move(table));
  std::vector<PostingsBuilder::Key> keys;
  for (std::size_t term = 0; term < terms; ++term) {
    if (term % 1024 == 0) checkpoint();
    keys.clear();
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      if (numbers[input][term] == none) continue;
      ((*inputs[input].segment).*which)
          .forEachGroup(numbers[input][term], [&](const Postings::Group &group) {
            for (const std::uint16_t entry : group.entries)
              if (const std::uint32_t place = places[input][entry]; place != gone)
                keys.push_back(
                    PostingsBuilder::keyOf(group.counts, static_cast<std::uint16_t>(place)));
          });
    }
    builder.add(keys);
  }
  return builder.build();
}

WordCounts mergedVocabulary(std::span<const MergeInput> inputs) {
  WordCounts sum;
  for (const MergeInput &input : inputs) {
    WordCounts one = input.segment->vocabulary;
    for (const std::uint16_t entry : input.removed->entries()) {
      const Entry dropped = input.segment->entry(entry);
      for (const std::string &word : vocabularyOf(textsOf(dropped))) one.take(word);
    }
    for (std::uint32_t word = 0; word < one.counts.size(); ++word)
      if (one.counts[word] > 0) sum.add(one.words.term(word), one.counts[word]);
  }
  return sum;
}

} // namespace

Segment segmentOf(std::span<const NewEntries::value_type *const> entries, Stems &stems,
                  BodySink &bodies) {
  Segment segment;
  Analyser analyser(stems);
  BodyPacker packer;
  AttributeList attributes(segment);
  std::vector<Occurrence> wordsOf;
  std::vector<Occurrence> runsOf;
  std::vector<Occurrence> longOf;
  TermTable longWords;
  TermCounter longCounter;
  std::uint16_t number = 0;
  for (const NewEntries::value_type *const each : entries) {
    const auto &[id, entry] = *each;
    FieldTexts texts = textsOf(entry);
    texts.body = entry.body;
    const AnalysedEntry analysed = analyser.analyse(texts);
    for (const std::string_view text :
         {std::string_view(id), std::string_view(entry.revision), std::string_view(entry.name),
          std::string_view(entry.description)})
      segment.texts.add(text);
    for (const auto &[name, value] : entry.attributes) attributes.add(name, value);
    attributes.endOfEntry();
    for (std::size_t field = 0; field < fieldCount; ++field) {
      segment.lengths[field].push_back(analysed.words.lengths[field]);
      segment.runLengths[field].push_back(analysed.runs.lengths[field]);
    }
    addTerms(analysed.words, number, wordsOf);
    addTerms(analysed.runs, number, runsOf);
    for (const std::string &word : analysed.longWords)
      longCounter.add(longWords.number(word), Field::Name);
    addTerms(longCounter.take(), number, longOf);
    for (const std::string &word : analysed.vocabulary) segment.vocabulary.add(word);
    bodies.add(packer.pack(entry.body), static_cast<std::uint32_t>(entry.body.size()));
    ++number;
  }
  segment.words = postingsOf(analyser.words(), wordsOf);
  segment.runs = postingsOf(analyser.runs(), runsOf);
  segment.longWords = postingsOf(std::move(longWords), longOf);
  segment.findShapes();
  shrink(segment);
  return segment;
}

Segment merged(std::span<const MergeInput> inputs, BodySink &bodies, Places &places,
               const std::function<void()> &checkpoint) {
  Segment segment;
  AttributeList attributes(segment);
  places.clear();
  for (const MergeInput &input : inputs) places.emplace_back(input.segment->size(), gone);
  std::uint32_t number = 0;
  for (const Source &source : inOrderOfId(inputs)) {
    const Segment &from = *inputs[source.input].segment;
    if (number % 256 == 0) checkpoint();
    places[source.input][source.entry] = number++;
    for (std::size_t text = 0; text < Segment::textsOfEntry; ++text)
      segment.texts.add(from.texts[source.entry * Segment::textsOfEntry + text]);
    for (const std::uint32_t attribute : from.attributesOf(source.entry))
      attributes.add(from.attributeTexts[std::size_t{2} * attribute],
                     from.attributeTexts[std::size_t{2} * attribute + 1]);
    attributes.endOfEntry();
    for (std::size_t field = 0; field < fieldCount; ++field) {
      segment.lengths[field].push_back(from.lengths[field][source.entry]);
      segment.runLengths[field].push_back(from.runLengths[field][source.entry]);
    }
    const BodyPlace &place = from.bodies.places()[source.entry];
    const std::string body = from.bodies.packed(source.entry);
    if (body.size() != place.packed)
      throw std::runtime_error("the body of " + std::string(from.id(source.entry)) +
                               " cannot be read");
    bodies.add(body, place.bytes);
  }
  segment.words = mergedPostings(inputs, places, &Segment::words, checkpoint);
  segment.runs = mergedPostings(inputs, places, &Segment::runs, checkpoint);
  segment.longWords = mergedPostings(inputs, places, &Segment::longWords, checkpoint);
  segment.vocabulary = mergedVocabulary(inputs);
  segment.findShapes();
  shrink(segment);
  return segment;
}

} // namespace skillhost::keyword
