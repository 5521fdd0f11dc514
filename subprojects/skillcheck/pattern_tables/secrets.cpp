// SPDX-License-Identifier: Apache-2.0
// Patterns for reading, gathering and sending credentials, keys and the environment.
#include "patterns.hpp"

namespace skillhost {
namespace {

// Commands that read a file, and the folder of the user.
#define READS                                                                                      \
  R"re((?:\b(?:cat|less|more|head|tail|base64|xxd|cp|tar|zip|grep|rg|strings|type|gc|get-content|copy-item|find|curl|wget|nc|openssl)\b|\b(?:open|read_text|read_bytes|readfile(?:sync)?|path|copyfile|copy|loads?|expanduser|join|glob|file\.read|file_get_contents)\s*\(|<\s*|@).{0,80}?)re"
#define HOME_FOLDER                                                                                \
  R"re((?:~|\$\{?home\}?|%userprofile%|\$env:userprofile|\$env:home|/root|/home/[^/\s"']+|/users/[^/\s"']+|path\.home\(\)["'\s/]*|expanduser\(["']~["']\)["',\s/]*|homedir\(\)["',\s+/]*|\bhome["',\s+/]*)[/\\"',\s]*)re"
#define CREDENTIALS                                                                                \
  R"re((?:\.ssh["',\s/\\]*(?:id_(?:rsa|dsa|ecdsa|ed25519)\b(?:$|[^.\w])|\*|["'\s)/]*$|/?["')\s;|&])|\.aws["',\s/\\]+credentials|\.netrc\b|\.pypirc\b|\.git-credentials|\.docker["',\s/\\]+config\.json|\.gnupg\b|\.config["',\s/\\]+gcloud["',\s/\\]+\S*(?:credential|\.db)|\.config["',\s/\\]+gh["',\s/\\]+hosts|\.claude["',\s/\\]+\.?credentials|\.azure["',\s/\\]+\S*token|\.kube["',\s/\\]+config|\.npmrc\b|\.vault-token|\.bitcoin["',\s/\\]+wallet|\.ethereum["',\s/\\]+keystore|\.config["',\s/\\]+solana["',\s/\\]+id\.json|\.electrum|\.openclaw["',\s/\\]+\S*(?:\.env|credential|openclaw\.json)|\.clawdbot["',\s/\\]+\S*(?:\.env|credential|clawdbot\.json)))re"
#define SECRET_NAME                                                                                \
  R"re(\w*(?:token|secret|passwo?r?d|passwd|api_?key|private_?key|credential|access_?key|database_url)\w*)re"

constexpr Pattern secretTable[] = {
    {"secret.credentials-sent", high, Speech::Command, Fact::None,
     ".ssh,.aws,.netrc,.npmrc,.pypirc,.gnupg,.kube,.git-credentials,.docker,gcloud,.env,/etc/"
     "shadow,"
     "wallet,keystore,.claude,.openclaw,.clawdbot",
     R"re((?:(?:\.ssh/(?:id_\w+|\*|["']?\s)|\.ssh/?["'\s]|\.aws/credentials|\.netrc|\.npmrc|\.pypirc|\.gnupg|\.kube/config|\.git-credentials|\.docker/config|gcloud/\S*credential|/\.env\b|\s\.env\b|/etc/shadow|wallet\.dat|keystore|\.claude/\.?credentials|\.openclaw/|\.clawdbot/)[^\n]*\|\s*(?:curl|wget|nc|ncat|netcat|socat|openssl\s+s_client|ssh|mail|sendmail)\b|\b(?:curl|wget|http)\s[^|\n]*(?:-d|-F|-T|--data\S*|--form\S*|--upload-file|--post-file)[\s=]*["']?[^\s]*(?:@|\$\(\s*(?:cat|base64|<)[^)]*|`(?:cat|base64)[^`]*)?(?:~|\$\{?home\}?|/root|/home/\w+)?/?\S*(?:\.ssh/(?:id_\w+|\*)|\.aws/credentials|\.netrc|\.npmrc|\.pypirc|\.kube/config|\.git-credentials|\.docker/config|/etc/shadow|wallet\.dat|@\.env\b|@\S*/\.env\b|\$\(\s*cat\s+\S*\.env\b)|\b(?:scp|rsync)\s+(?:-[a-hj-z]\w*\s+)*\S*(?:\.ssh/id_\w+|\.aws/credentials|\.gnupg\S*)\s+(?:\S+\s+)*\S+@?[\w.-]+:))re"},
    {"secret.credentials-read", medium, Speech::Command, Fact::ReadsCredentials,
     ".ssh,.aws,.netrc,.npmrc,.pypirc,.gnupg,.kube,.git-credentials,.docker,gcloud,.config,."
     "claude,"
     ".azure,.vault-token,.bitcoin,.ethereum,.electrum,.openclaw,.clawdbot",
     READS HOME_FOLDER CREDENTIALS},
    {"secret.credentials-read", medium, Speech::Command, Fact::ReadsCredentials,
     "/etc/shadow,/etc/gshadow,/etc/sudoers,/proc/",
     R"re((?:\b(?:cat|head|tail|cp|less|more|grep|base64|scp|curl|getline|john|unshadow)\b.{0,60}|\b(?:open|readfile\w*|read_text)\s*\(\s*["']|@)(?:/etc/g?shadow\b|/etc/sudoers\b|/proc/(?:self|\d+|\*)/environ))re"},
    {"secret.credentials-read", medium, Speech::Command, Fact::ReadsCredentials,
     "login data,logins.json,key4.db,cookies.sqlite,cookies,local state",
     R"re(\b(?:chrome|chromium|brave|edge|opera|firefox|mozilla|vivaldi)\b.*(?:login data|logins\.json|key4\.db|cookies\.sqlite|[/\\]cookies\b|local state))re"},
    {"secret.credentials-read", medium, Speech::Command, Fact::ReadsCredentials,
     "find-generic-password,find-internet-password,dump-keychain,secret-tool,cmdkey,vaultcmd,"
     "mimikatz,sekurlsa,lsadump,lsass,keychain-db",
     R"re(\bsecurity\s+(?:find-(?:generic|internet)-password\s+-|dump-keychain\b)|\bsecret-tool\s+(?:lookup|search)\b|\bcmdkey\s+/list|\bvaultcmd\s+/list|\b(?:invoke-mimikatz\b|mimikatz(?:\.exe)?["']?\s+["']?(?:\w+::|-)|sekurlsa::|lsadump::)|\blsass\b.{0,40}\b(?:dump|minidump)|(?:cat|cp|tar|zip|open)\b.{0,60}keychain-db)re"},
    {"", low, Speech::Command, Fact::Sends,
     "requests.post,requests.put,httpx.,urlopen,axios,fetch(,curl,wget,"
     "http.request,https.request,.sendall,smtplib,invoke-restmethod,"
     "invoke-webrequest,ftplib,session.post",
     R"re(\b(?:requests|httpx|session|client|axios)\.(?:post|put|patch)\s*\(|\burlopen\s*\(.*\bdata\b|\burllib\.request\.request\s*\(.*\bdata\b|\bfetch\s*\(.*\b(?:post|put)\b|\bcurl\b.*\s(?:-d|-F|-T|--data\S*|--form\S*|--upload-file)[\s=]|\bwget\b.*--post-|\bhttps?\.request\s*\(|\.sendall\s*\(|smtplib\.smtp|invoke-(?:restmethod|webrequest)\b.*-body|\bftplib\.ftp)re"},
    {"", low, Speech::Command, Fact::Sends, "method,body",
     R"re(\bmethod\s*:\s*["'](?:post|put)["'])re"},

    {"secret.credentials-read", medium, Speech::Command, Fact::ReadsCredentials,
     R"re('.ssh',".ssh",'.aws',".aws",export-secret-key)re",
     R"re(["']\.ssh["']\s*[,/]\s*["']id_(?:rsa|dsa|ecdsa|ed25519)["']|["']\.aws["']\s*[,/]\s*["']credentials["']|\bgpg\b.*--export-secret-(?:sub)?keys?\b)re"},
    {"secret.credentials-sent", high, Speech::Command, Fact::None, "export-secret-key",
     R"re(--export-secret-(?:sub)?keys?\b.*\|\s*(?:curl|wget|nc|ncat|ssh|mail)\b)re"},

    // The environment.
    {"secret.environment-sent", high, Speech::Command, Fact::None,
     "env,set,export,declare,printenv",
     R"re((?:^|[\s;&|(`"'])(?:env|printenv|set|export\s+-p|declare\s+-x|compgen\s+-v)\s*(?:\|\s*(?:base64|gzip|grep|sort|tr|xxd|jq|openssl|awk|sed|tee)\b[^|`]*)*\|\s*(?:curl|wget|nc|ncat|netcat|socat|openssl\s+s_client|mail|telnet)\b)re"},
    {"secret.environment-sent", high, Speech::Command, Fact::None,
     "$(env,$(printenv,$(set,`env,`printenv,<(env,<(printenv,environ",
     R"re(\b(?:curl|wget|nc|http)\b.*(?:\$\(\s*(?:env|printenv|set)\b|`(?:env|printenv)\b|<\(\s*(?:env|printenv)\b|@/proc/(?:self|\d+)/environ))re"},
    {"secret.environment-sent", high, Speech::Command, Fact::None,
     "os.environ,process.env,$env:,env:,std::env::vars",
     R"re(\b(?:requests|httpx|session|client)\.(?:post|put|get)\s*\(.*(?:dict\(\s*os\.environ|os\.environ\.copy|=\s*os\.environ\s*[,)]|\*\*os\.environ)|\b(?:fetch|axios\.(?:post|put))\s*\(.*(?:json\.stringify\(\s*process\.env\s*\)|[:,{(]\s*process\.env\s*[,})]|\.\.\.process\.env)|invoke-(?:restmethod|webrequest)\b.*(?:get-childitem\s+env:|gci\s+env:|dir\s+env:|ls\s+env:))re"},
    {"", low, Speech::Command, Fact::WholeEnvironment, "os.environ,process.env,env:,environ",
     R"re(\bdict\(\s*os\.environ\s*\)|\bos\.environ\.copy\(\)|\bjson\.dumps\(.{0,40}os\.environ\s*[,)]|\bstr\(\s*os\.environ\s*\)|\bos\.environ\.items\(\)|json\.stringify\(\s*process\.env\s*[,)]|object\.(?:entries|keys)\(\s*process\.env|\{\s*\.\.\.process\.env|(?:get-childitem|gci|dir)\s+env:)re"},
    {"secret.environment-sent", medium, Speech::Command, Fact::None, "$,getenv",
     R"re(\b(?:curl|wget|nc)\s.*\s(?:-d|-F|--data\S*|--form\S*|--post-data)[\s=]*["']?[^\s]*?(?:token|secret|key|data|env|session|pass|auth|=|\{).{0,80}?\$[({]?)re" SECRET_NAME},
    {"secret.environment-sent", medium, Speech::Command, Fact::None, "$(",
     R"re(\bcurl\s.*\s(?:-d|-F|--data\S*)[\s=]*["']?\$[({])re" SECRET_NAME},
    {"secret.environment-sent", medium, Speech::Command, Fact::None,
     "| curl,|curl,| wget,|wget,| nc,|nc",
     R"re(\b(?:echo|printf)\b[^|]*(?:credential|token|secret|passw|api_?key|private_?key)[^|]*(?:\|[^|]*)?\|\s*(?:curl\b[^|]*(?:-d|--data\S*|-F|-T)[\s=]*["']?\S*@?-|wget\b[^|]*--post-|nc\s|ncat\s)|\|\s*base64\b[^|]*\|\s*(?:curl\b[^|]*(?:-d|--data\S*|-F|-T)\b|wget\b[^|]*--post-|nc\s|ncat\s))re"},
    {"", low, Speech::Command, Fact::SecretInto, "environ,getenv,process.env",
     R"re(\b(\w+)\s*=\s*[^=\n]{0,60}?(?:os\.environ(?:\.get\(|\[)|os\.getenv\(|process\.env[.\[])\s*["']?)re" SECRET_NAME},
    {"", low, Speech::Command, Fact::SendsVariable,
     "requests.post,requests.put,httpx.post,axios.post",
     R"re(\b(?:requests|httpx|axios)\.(?:post|put)\s*\(.*\b(?:json|data|params|files)\s*=\s*\{?[^)}]*?:\s*(\w+)\s*[,}])re"},
    {"", low, Speech::Command, Fact::SendsVariable,
     "requests.post,requests.put,httpx.post,axios.post",
     R"re(\b(?:requests|httpx)\.(?:post|put)\s*\(.*\b(?:data|json)\s*=\s*(\w+)\s*[,)])re"},
    {"secret.environment-collected", medium, Speech::Command, Fact::None,
     "b64encode,base64,hexlify",
     R"re(\b(?:b64encode|urlsafe_b64encode|b32encode|hexlify)\s*\(\s*(?:os\.environ|os\.getenv|str\(\s*os\.environ|json\.dumps\(.{0,30}os\.environ)|\becho\s+(?:-n\s+)?["']?\$\{?)re" SECRET_NAME
     R"re(\}?["']?\s*\|\s*base64\b)re"},
    {"", low, Speech::Command, Fact::SecretIntoMap, "environ,getenv",
     R"re(["']\w+["']\s*:\s*(?:os\.environ(?:\.get\(|\[)|os\.getenv\()\s*["'])re" SECRET_NAME},
    {"", low, Speech::Command, Fact::PicksSecrets,
     R"re(upper(),lower(),tolowercase,touppercase,"secret",'secret',/secret,|secret,secret|)re",
     R"re((?:secret|token|passw\w*|api_?key|credential)["']?\s*(?:,|\]|in\s+\w+\.(?:upper|lower)\(\)|\|).*(?:\.upper\(\)|\.lower\(\)|key|token|secret|passw)|/[^/\n]*(?:secret|token)[^/\n]*\|[^/\n]*/i?\.test\()re"},
    {"", low, Speech::Command, Fact::WritesJson, "json.dump", R"re(\bjson\.dumps?\s*\()re"},
};

#undef READS
#undef HOME_FOLDER
#undef CREDENTIALS
#undef SECRET_NAME

} // namespace

std::span<const Pattern> secretPatterns() noexcept { return secretTable; }

} // namespace skillhost
