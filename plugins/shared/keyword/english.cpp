// SPDX-License-Identifier: Apache-2.0
#include "english.hpp"

namespace skillhost::keyword {

const std::string_view englishStopWords =
    "a about above after again against all am an and any are aren as at be because been before "
    "being below between both but by can cannot could couldn d did didn do does doesn doing don "
    "down during each few for from further had hadn has hasn have haven having he her here hers "
    "herself him himself his how i if in into is isn it its itself just ll m me more most mustn "
    "my myself no nor not now of off on once only or other our ours ourselves out over own re s "
    "same shan she should shouldn so some such t than that the their theirs them themselves "
    "then there these they this those through to too under until up ve very was wasn we were "
    "weren what when where which while who whom why will with won would wouldn you your yours "
    "yourself yourselves";

const std::string_view englishRequestWords =
    "able accurate actual actually additional additionally already alright also although always "
    "among another anyone anything anyway around ask asking assist assistance available aware "
    "away back based basic become believe best better big bit bring call came certain clear "
    "clearly come complete comprehensive consider couple curious curiously currently day days "
    "dear detail detailed details different difficult easily easy effective effectively "
    "efficient efficiently either else enough ensure ensuring especially even ever every "
    "everything exact exactly example examples excited explain explore exploring fact far "
    "favorite feel feeling finally find following full fun furthermore general generally get "
    "give given giving go going good got great happy hard hear heard hello help hey hi hope "
    "however id idea ideas identify important include included includes including information "
    "instance instead interest interested issue issues kind kindly know last lastly later "
    "latest least less let like likely little long look looking lot lots made main make many "
    "may maybe mean mention mentioned might moreover much multiple must name named necessary "
    "need needed needs never new next number often ok okay one order original particular "
    "particularly people perfect perfectly perhaps piece place please plus possible possibly "
    "potential prefer pretty problem provide provided provides providing purpose put question "
    "questions quick quickly quite rather ready real really receive recent recently recommend "
    "regard regarding related relevant request requests require required respective retrieve "
    "right said search see seem send set shall share show similar simple simply since small "
    "solution someone something sorry special specific specifically specified start still stuff "
    "suggest suggestions sure surely take talk task tasks tell thank thanks therefore thing "
    "things think though together top total toward tried true truly trying two type types "
    "understand unique upon use useful user users using usually value variety various via want "
    "watch way ways well whatever whether whole willing wish within without wonder wondering "
    "word work working world year years yes yet";

} // namespace skillhost::keyword
