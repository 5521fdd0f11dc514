// SPDX-License-Identifier: Apache-2.0
// Patterns for data that leaves the machine, and for miners.
#include "patterns.hpp"

namespace skillhost {
namespace {

#define COLLECTORS                                                                                 \
  R"re((?:https?://|@|\.|\b)(?:[\w-]+\.)*(?:webhook\.site|requestbin\.(?:com|net|io)|\bm\.pipedream\.net|burpcollaborator\.net|oastify\.com|oast\.(?:fun|live|me|online|pro|site)|interact\.sh|interactsh\.com|dnslog\.cn|ceye\.io|requestcatcher\.com|hookbin\.com|requestinspector\.com|canarytokens\.com)\b)re"
#define TUNNELS                                                                                    \
  R"re((?:https?://|tcp://)(?:[\w{}<>$-]+\.)*(?:ngrok\.io|ngrok\.app|ngrok-free\.(?:app|dev)|trycloudflare\.com|serveo\.net|loca\.lt|localhost\.run|transfer\.sh|file\.io|0x0\.st|temp\.sh|bashupload\.com|gofile\.io|anonfiles\.com|catbox\.moe|discord(?:app)?\.com/api/webhooks/\d|api\.telegram\.org/bot))re"
#define SENDING                                                                                    \
  R"re((?:\s-d\b|\s-F\b|\s-T\b|--data|--form|--upload-file|--post-|-X\s*(?:post|put)|\.post\b|\.put\b|urlopen|fetch\s*\(|sendbeacon|invoke-restmethod|invoke-webrequest|\$\(|\$\{?\w*(?:token|key|secret|data)|\|\s*(?:curl|nc)\b))re"
// Hosts below which anybody gets a name at once, for nothing or for a short time.
#define FREE_HOST                                                                                  \
  R"re((?:(?:https?://|@|\s|["'`=])(?:[\w-]+\.)+(?:onrender\.com|herokuapp\.com|vercel\.app|netlify\.app|repl\.co|replit\.(?:app|dev)|glitch\.me|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|surge\.sh|up\.railway\.app|fly\.dev|deno\.dev|pythonanywhere\.com|000webhostapp\.com|cyclic\.app|koyeb\.app|duckdns\.org|ddns\.net|hopto\.org|zapto\.org|no-ip\.(?:org|biz)|sytes\.net|infinityfreeapp\.com|rf\.gd|ngrok\.io|ngrok\.app|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|run\.place|tunnelmole\.net|bore\.pub)(?:[:/\s"'`)\]]|$)|https?://(?:[\w-]+\.)+(?:tk|ga|gq|cf)(?:[:/\s"'`)\]]|$)))re"
#define FREE_HOST_WORDS                                                                            \
  "onrender.com,herokuapp.com,vercel.app,netlify.app,repl.co,replit.,glitch.me,pages.dev,"         \
  "workers.dev,web.app,firebaseapp,surge.sh,railway.app,fly.dev,deno.dev,pythonanywhere,"          \
  "000webhost,cyclic.app,koyeb.app,duckdns,ddns.net,hopto.org,zapto.org,no-ip.,sytes.net,"         \
  "infinityfree,rf.gd,ngrok,trycloudflare,loca.lt,serveo,localhost.run,run.place,"                 \
  "tunnelmole,bore.pub,.tk,.ga,.gq,.cf"
// The names of files that a command sends.
#define SENDS_FILE                                                                                 \
  R"re(\bcurl\b.*\s(?:(?:-F|--form)[\s=]*["']?[\w\[\]-]+=<?@|(?:-T|--upload-file)[\s=]*["']?[^\s-]))re"
#define SENDS_FILE_TAIL                                                                            \
  R"re(\s(?:(?:-F|--form)[\s=]*["']?[\w\[\]-]+=<?@|(?:-T|--upload-file)[\s=]*["']?[^\s-]))re"
#define ADDRESS R"re(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})re"

constexpr Pattern exfiltrationTable[] = {
    {"exfil.collector", high, Speech::Command, Fact::None,
     "webhook.site,requestbin,pipedream.net,burpcollaborator,oastify,oast.,interact.sh,interactsh,"
     "dnslog.cn,ceye.io,requestcatcher,hookbin,requestinspector",
     SENDING R"re(.*)re" COLLECTORS R"re(|)re" COLLECTORS R"re(.*)re" SENDING},
    {"exfil.collector", medium, Speech::Command, Fact::None,
     "webhook.site,requestbin,pipedream.net,burpcollaborator,oastify,oast.,interact.sh,interactsh,"
     "dnslog.cn,ceye.io,requestcatcher,hookbin,requestinspector",
     R"re(https?://)re" COLLECTORS R"re(/?[\w-]*)re"},
    {"exfil.collector", medium, Speech::Command, Fact::None,
     "ngrok,trycloudflare,serveo,loca.lt,localhost.run,transfer.sh,file.io,0x0.st,temp.sh,"
     "bashupload,"
     "gofile,anonfiles,catbox,api/webhooks,api.telegram.org",
     SENDING R"re(.*)re" TUNNELS R"re(|)re" TUNNELS R"re(.*)re" SENDING},
    {"exfil.dns", high, Speech::Command, Fact::None,
     "dig ,nslookup ,host ,ping ,drill ,resolve-dnsname",
     R"re((?:^|[\s;&|(\x60"'])(?:dig|nslookup|host|ping|drill|resolve-dnsname|getent\s+hosts)\s[^\n;|]*(?:\$\([^\n]*\)|`(?:cat|whoami|hostname|id|uname|env|echo|base64)[^`\n]*`|\{\w*(?:encoded|secret|data|chunk|payload|token|key|hex|b64)\w*\}|\$\{?\w*(?:encoded|secret|data|chunk|payload|token|key|hex|b64|exfil)\w*\}?)\.[\w${}-]+[\w${}.-]*)re"},
    {"exfil.dns", high, Speech::Command, Fact::None, "dig ,nslookup ,host ",
     R"re(\b(?:xxd|base64|base32|od)\b.*(?:^|[\s;&|(])(?:dig|nslookup|host)\s+(?:[-+@]\S+\s+)*["']?\$\{?\w+\}?\.[\w-]+)re"},
    {"exfil.dns", high, Speech::Command, Fact::None, "gethostby,getaddrinfo,resolve",
     R"re(\b(?:gethostbyname|getaddrinfo|resolver?\.(?:query|resolve)|dns\.(?:lookup|resolve\w*))\s*\(\s*(?:f["'][^"'\n]*\{[^}\n]*(?:encoded|secret|data|chunk|payload|token|key|hex|b64)|`[^`\n]*\$\{[^}\n]*(?:encoded|secret|data|chunk|payload|token|key|hex|b64)|\w*(?:encoded|secret|data|chunk|payload|token|hex|b64)\w*\s*\+))re"},
    {"exfil.raw-address", high, Speech::Download, Fact::None, "curl,wget,http",
     R"re(\b(?:curl|wget|http)\b.*(?:\s-d\b|\s-F\b|\s-T\b|--data|--form|--upload-file|--post-|-X\s*(?:post|put)).*(?:https?://|\s))re" ADDRESS
     R"re(\b|\b(?:curl|wget)\b.*https?://)re" ADDRESS
     R"re(\b.*(?:\s-d\b|\s-F\b|\s-T\b|--data|--form|--upload-file|--post-))re"},
    {"exfil.raw-address", high, Speech::Download, Fact::None, ".post,.put,fetch(,urlopen",
     R"re(\.(?:post|put)\s*\(\s*f?["'`]https?://)re" ADDRESS
     R"re(\b|\bfetch\s*\(\s*["'`]https?://)re" ADDRESS
     R"re(\b.*\b(?:post|put)\b|\burlopen\s*\(\s*["']https?://)re" ADDRESS R"re(\b.*data)re"},
    {"exfil.raw-address", high, Speech::Download, Fact::None, "/dev/tcp,nc ,ncat,scp,rsync",
     R"re((?:\|\s*(?:nc|ncat|netcat)\s+(?:-\S+\s+)*|>\s*/dev/(?:tcp|udp)/))re" ADDRESS R"re(\b)re"},
    {"exfil.encoded-address", medium, Speech::Anywhere, Fact::None, "ahr0chm6ly,ahr0cdovl,68747470",
     R"re((?-i:aHR0cHM6Ly[A-Za-z0-9+/_-]{8,}|aHR0cDovL[A-Za-z0-9+/_-]{8,})|\b68747470(?:73)?3a2f2f[0-9a-f]{8,})re"},
    {"exfil.image-link", medium, Speech::Anywhere, Fact::None, "![,<img",
     R"re((?:!\[[^\]]*\]\(\s*|<img[^>]*src\s*=\s*["']?)https?://[^)\s"'>]*[?&/=](?:\{\{?|\$\{?|<|\[|%7b)\s*(?:\w+[_\s-])*(?:data|secrets?|token|api[_-]?key|conversation|history|prompt|context|base64|encoded|chat|messages?|credentials?|summary)(?:[_\s-]\w+)*\s*[}\])>%])re"},
    {"exfil.free-host", high, Speech::Download, Fact::None, FREE_HOST_WORDS,
     R"re((?:\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|http)\s|\b(?:requests|httpx|session|client|axios)\.\w+\s*\(|\bfetch\s*\(|\burlopen\s*\(|\burlretrieve\s*\().*)re" FREE_HOST},
    {"exfil.free-host", medium, Speech::Words, Fact::None, FREE_HOST_WORDS,
     R"re(\b(?:send|upload|forward|post|submit|transmit|report|push|sync|back\s?up|copy|log)(?:ing|s)?\b[^\n]{0,120})re" FREE_HOST},
    {"exec.install-from-free-host", high, Speech::Words, Fact::None, FREE_HOST_WORDS,
     R"re(\b(?:download|install|installer|setup|get|grab)\b[^\n]{0,100}\b(?:from|at|via|here|visit|page)\b[^\n]{0,60})re" FREE_HOST},
    {"exfil.file-posted", high, Speech::Download, Fact::None, "curl",
     SENDS_FILE
     R"re(.*https?://[\w-]+\.[\w.-]+|\bcurl\b.*https?://[\w-]+\.[\w.-]+.*)re" SENDS_FILE_TAIL},
    {"exfil.file-posted", medium, Speech::Download, Fact::None, "files",
     R"re(\b(?:requests|httpx|session|client)\.(?:post|put)\s*\(\s*f?["'`]https?://[\w-]+\.[\w.-]+.*\bfiles\s*=)re"},
    {"", low, Speech::Command, Fact::NamesEndpoint, "http",
     R"re(\b\w*(?:url|endpoint|server|host|api)\w*\s*=\s*f?["'`]https?://[\w-]+\.[\w.-]+)re"},
    {"", low, Speech::Command, Fact::PostsFiles, "files",
     R"re(\b(?:requests|httpx|session|client)\.(?:post|put)\s*\([^"'`)]*\bfiles\s*=)re"},
    {"exfil.upload", low, Speech::Words, Fact::None, "upload,send,forward,post",
     R"re(\b(?:upload|send|forward|post)\s+(?:(?:a\s+copy\s+of|the|all|its|every|this|your|contents?\s+of)\s+)*[^\n]{0,60}\bto\s+[^\n]{0,60}https?://[\w-]+\.\w)re"},
    {"mining.miner", high, Speech::Command, Fact::None, "stratum+",
     R"re(\bstratum\+(?:tcp|ssl|tls)s?://)re"},
    {"mining.miner", high, Speech::Command, Fact::None,
     "xmrig,xmr-stak,minerd,cpuminer,nbminer,phoenixminer,lolminer,ethminer,coinhive,--donate-"
     "level,"
     "nicehash,cryptonight,t-rex",
     R"re((?:^|[\s/;&|`"'(])(?:xmrig|xmr-stak|minerd|cpuminer|nbminer|phoenixminer|lolminer|ethminer|t-rex)(?:\.exe)?["']?\s+(?:-\S|["']|&|\S*pool|\$)|\bcoinhive\.(?:min\.js|anonymous|user)|--donate-level\b|(?:curl|wget|git\s+clone|releases)\b.*\b(?:xmrig|cpuminer|nbminer|lolminer|phoenixminer)\b)re"},
    {"mining.miner", high, Speech::Command, Fact::None, "randomx,ethash,kawpow,--algo",
     R"re(--(?:algo|coin)[=\s](?:randomx|rx/|cn/|cryptonight|ethash|kawpow|monero)\S*.*\s-(?:o|-url|-pool)\b)re"},
    {"mining.miner", low, Speech::Anywhere, Fact::None, "xmrig,coinhive,cryptonight",
     R"re(\b(?:xmrig|coinhive|cryptonight)\b)re"},
};

#undef COLLECTORS
#undef TUNNELS
#undef SENDING
#undef ADDRESS
#undef FREE_HOST
#undef FREE_HOST_WORDS
#undef SENDS_FILE
#undef SENDS_FILE_TAIL

} // namespace

std::span<const Pattern> exfiltrationPatterns() noexcept { return exfiltrationTable; }

} // namespace skillhost
