# bash completion for skillhost. Load it with: source <(skillhost completion bash)
_skillhost_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_skillhost_paths() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_skillhost() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} path='' i
  COMPREPLY=()
  # Bash splits --option=value at the equals sign.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
    --skill-rules|--fail-on|--write-lock|--against|--skill-dir|--store-key|--trusted-key|--in|--description|--keep|--wasm|--output|--to|--above|--key|--user|--token-env|--token-file|--docker-config|--ca-file|--timeout|--into|-c|--config|--name|--plugin|--since|--until|--by|--kind|--skill|--limit|--file|--reason|--expires|--who|--digest|--seen|--sign|--config|--deadline-ms|--only|--allow-read|--skills|--resource|--scope|--expires-in|--kind|--token-command|--header|--connect-timeout-ms|--log-level|--log-format|--client-id|--client-metadata|--url|--index-url|--instructions|--set|--watch|--skills-dir|--project-root|--expose|--results|--paths|--skills-lock|--names|--include|--exclude|--top-k|--max-skill-content-chars|--transport|--listen|--port|--public-url|--tls-certificate|--tls-key|--plugins-dir|--plugins-lock|--search|--min-score|--auth|--oauth-client-id|--oauth-client-secret|--oauth-provider-url|--audit-log) ((i++)); [[ ${COMP_WORDS[i]} == '=' ]] && ((i++)); continue ;;
    esac
    case "$path ${COMP_WORDS[i]}" in
    ' serve') path=' serve' ;;
    ' validate') path=' validate' ;;
    ' plugins') path=' plugins' ;;
    ' search') path=' search' ;;
    ' skill') path=' skill' ;;
    ' skill list') path=' skill list' ;;
    ' skill info') path=' skill info' ;;
    ' skill new') path=' skill new' ;;
    ' skill validate') path=' skill validate' ;;
    ' skill save') path=' skill save' ;;
    ' skill load') path=' skill load' ;;
    ' skill remove') path=' skill remove' ;;
    ' skill verify') path=' skill verify' ;;
    ' skill export') path=' skill export' ;;
    ' skill import') path=' skill import' ;;
    ' skill rollback') path=' skill rollback' ;;
    ' skill sign') path=' skill sign' ;;
    ' skill push') path=' skill push' ;;
    ' skill pull') path=' skill pull' ;;
    ' add') path=' add' ;;
    ' remove') path=' remove' ;;
    ' update') path=' update' ;;
    ' list') path=' list' ;;
    ' source') path=' source' ;;
    ' source list') path=' source list' ;;
    ' source status') path=' source status' ;;
    ' source refresh') path=' source refresh' ;;
    ' usage') path=' usage' ;;
    ' doctor') path=' doctor' ;;
    ' lock') path=' lock' ;;
    ' review') path=' review' ;;
    ' review list') path=' review list' ;;
    ' review show') path=' review show' ;;
    ' review diff') path=' review diff' ;;
    ' review approve') path=' review approve' ;;
    ' review reject') path=' review reject' ;;
    ' review sign') path=' review sign' ;;
    ' review export') path=' review export' ;;
    ' review import') path=' review import' ;;
    ' bom') path=' bom' ;;
    ' check') path=' check' ;;
    ' try') path=' try' ;;
    ' token') path=' token' ;;
    ' token add') path=' token add' ;;
    ' token list') path=' token list' ;;
    ' token revoke') path=' token revoke' ;;
    ' key') path=' key' ;;
    ' key new') path=' key new' ;;
    ' connect') path=' connect' ;;
    ' login') path=' login' ;;
    ' logout') path=' logout' ;;
    ' health') path=' health' ;;
    ' generate') path=' generate' ;;
    ' client-config') path=' client-config' ;;
    ' model') path=' model' ;;
    ' model fetch') path=' model fetch' ;;
    ' model list') path=' model list' ;;
    ' model check') path=' model check' ;;
    ' completion') path=' completion' ;;
    esac
  done
  case "$previous" in
  --skill-rules) _skillhost_words 'lenient basic strict'; return ;;
  --fail-on) _skillhost_words 'error warning advice never'; return ;;
  --write-lock) _skillhost_paths -f; return ;;
  --against) _skillhost_paths -f; return ;;
  --skill-dir) _skillhost_paths -d; return ;;
  --store-key) _skillhost_paths -f; return ;;
  --trusted-key) _skillhost_paths -f; return ;;
  --in) _skillhost_paths -d; return ;;
  --description) :; return ;;
  --keep) :; return ;;
  --wasm) _skillhost_paths -f; return ;;
  --output) _skillhost_paths -d; return ;;
  --to) :; return ;;
  --above) :; return ;;
  --key) _skillhost_paths -f; return ;;
  --user) :; return ;;
  --token-env) :; return ;;
  --token-file) _skillhost_paths -f; return ;;
  --docker-config) _skillhost_paths -f; return ;;
  --ca-file) _skillhost_paths -f; return ;;
  --timeout) :; return ;;
  --into) _skillhost_paths -d; return ;;
  -c|--config) _skillhost_paths -f; return ;;
  --name) :; return ;;
  --plugin) _skillhost_words 'github well_known filesystem'; return ;;
  --since) :; return ;;
  --until) :; return ;;
  --by) _skillhost_words 'skill client day principal query'; return ;;
  --kind) _skillhost_words 'load read search refusal'; return ;;
  --skill) :; return ;;
  --limit) :; return ;;
  --file) _skillhost_paths -f; return ;;
  --reason) :; return ;;
  --expires) :; return ;;
  --who) :; return ;;
  --digest) :; return ;;
  --seen) :; return ;;
  --sign) _skillhost_paths -f; return ;;
  --config) _skillhost_paths -f; return ;;
  --deadline-ms) :; return ;;
  --only) :; return ;;
  --allow-read) _skillhost_paths -f; return ;;
  --skills) _skillhost_paths -d; return ;;
  --resource) :; return ;;
  --scope) :; return ;;
  --expires-in) :; return ;;
  --kind) _skillhost_words 'signing store'; return ;;
  --token-command) :; return ;;
  --header) :; return ;;
  --connect-timeout-ms) :; return ;;
  --log-level) _skillhost_words 'DEBUG INFO WARNING ERROR'; return ;;
  --log-format) _skillhost_words 'text json'; return ;;
  --client-id) :; return ;;
  --client-metadata) :; return ;;
  --url) :; return ;;
  --index-url) :; return ;;
  --instructions) _skillhost_words 'auto portable avx2 avx512 neon'; return ;;
  --set) :; return ;;
  --watch) _skillhost_words 'auto inotify poll off'; return ;;
  --example-config) _skillhost_words 'yaml json markdown'; return ;;
  --skills-dir) _skillhost_paths -d; return ;;
  --project-root) _skillhost_paths -d; return ;;
  --expose) _skillhost_words 'gateway skills both'; return ;;
  --results) _skillhost_words 'auto text both structured'; return ;;
  --paths) _skillhost_words 'auto absolute uri untouched'; return ;;
  --skills-lock) _skillhost_paths -f; return ;;
  --names) _skillhost_words 'first strict'; return ;;
  --include) :; return ;;
  --exclude) :; return ;;
  --top-k) :; return ;;
  --max-skill-content-chars) :; return ;;
  --transport) _skillhost_words 'stdio http'; return ;;
  --listen) :; return ;;
  --port) :; return ;;
  --public-url) :; return ;;
  --tls-certificate) _skillhost_paths -f; return ;;
  --tls-key) _skillhost_paths -f; return ;;
  --plugins-dir) _skillhost_paths -d; return ;;
  --plugins-lock) _skillhost_paths -f; return ;;
  --search) :; return ;;
  --min-score) :; return ;;
  --auth) :; return ;;
  --oauth-client-id) :; return ;;
  --oauth-client-secret) :; return ;;
  --oauth-provider-url) :; return ;;
  --audit-log) _skillhost_paths -f; return ;;
  esac
  case "$path" in
  ' serve')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' validate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-rules --strict --hidden --json --sarif --fail-on '
    else _skillhost_paths -f; fi ;;
  ' plugins')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --write-lock -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' search')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --explain --evaluate --against -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' skill info')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' skill new')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --in --description '
    else :; fi ;;
  ' skill validate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-rules --strict --hidden --json --sarif --fail-on '
    else _skillhost_paths -f; fi ;;
  ' skill save')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --keep --zstd --wasm --allow-leaked-keys -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill load')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature --output '
    else :; fi ;;
  ' skill remove')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir '
    else :; fi ;;
  ' skill verify')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature '
    else :; fi ;;
  ' skill export')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --trusted-key --require-signature '
    else :; fi ;;
  ' skill import')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --keep --zstd --trusted-key --require-signature -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill rollback')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --skill-dir --store-key --to --above --key '
    else :; fi ;;
  ' skill sign')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --skill-dir --store-key --key '
    else :; fi ;;
  ' skill push')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --force --allow-leaked-keys --user --token-env --token-file --docker-config --ca-file --plain-http --allow-private-addresses --timeout -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' skill pull')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --into --force --trusted-key --user --token-env --token-file --docker-config --ca-file --plain-http --allow-private-addresses --timeout '
    else :; fi ;;
  ' skill')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list info new validate save load remove verify export import rollback sign push pull '; fi ;;
  ' add')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config --name --token-env --plugin --hidden --no-check '
    else _skillhost_paths -f; fi ;;
  ' remove')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config '
    else :; fi ;;
  ' update')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -c --config '
    else :; fi ;;
  ' list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -c --config '
    else :; fi ;;
  ' source list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source status')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source refresh')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' source')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list status refresh '; fi ;;
  ' usage')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --since --until --by --kind --skill --unused --limit --json --csv -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' doctor')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' lock')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --check -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --all -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review show')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review diff')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review approve')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --expires --who --digest --seen --sign -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review reject')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --reason --expires --who --digest --seen --sign -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' review sign')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review export')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review import')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_paths -f; fi ;;
  ' review')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'list show diff approve reject sign export import '; fi ;;
  ' bom')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --files -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else :; fi ;;
  ' check')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --config --json --deadline-ms --only --allow-read --trusted '
    else _skillhost_paths -f; fi ;;
  ' try')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --config --deadline-ms --skills --resource --allow-read --trusted '
    else _skillhost_paths -f; fi ;;
  ' token add')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --scope --expires-in '
    else :; fi ;;
  ' token list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file --json '
    else :; fi ;;
  ' token revoke')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --file '
    else :; fi ;;
  ' token')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'add list revoke '; fi ;;
  ' key new')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --kind '
    else _skillhost_paths -f; fi ;;
  ' key')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'new '; fi ;;
  ' connect')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --token-env --token-file --token-command --login --header --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format --client-id --client-metadata --scope --no-browser '
    else :; fi ;;
  ' login')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --client-id --client-metadata --scope --no-browser --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format '
    else :; fi ;;
  ' logout')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format '
    else :; fi ;;
  ' health')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --ready --ca-file --connect-timeout-ms '
    else :; fi ;;
  ' generate')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --url --output --force --save-skill --save --dry-run --timeout --token-env --token-file --token-command --login --header --ca-file --connect-timeout-ms --allow-plain-token --log-level --log-format --skill-dir --store-key --keep --zstd '
    else :; fi ;;
  ' client-config')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --write --remove --project --file --name --url --token-env --token-file --token-command --header --allow-plain-token --connect -h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'claude-code claude-desktop vscode cursor windsurf zed codex gemini-cli goose opencode json'; fi ;;
  ' model fetch')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --force --index-url '
    else _skillhost_paths -d; fi ;;
  ' model list')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json '
    else _skillhost_paths -d; fi ;;
  ' model check')
    if [[ $current == -* ]]; then _skillhost_words '-h --help --json --instructions '
    else _skillhost_paths -d; fi ;;
  ' model')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'fetch list check '; fi ;;
  ' completion')
    if [[ $current == -* ]]; then _skillhost_words '-h --help '
    else _skillhost_words 'bash zsh fish'; fi ;;
  '')
    if [[ $current == -* ]]; then _skillhost_words '-h --help -c --config --no-config --set -v --verbose --hidden --watch -V --version --example-config --config-schema --print-config --skills-dir --keep-going --project-root --expose --results --operator-tools --paths --locked --skills-lock --skill-rules --strict --names --include --exclude --top-k --max-skill-content-chars --transport --listen --port --public-url --allow-anonymous --tls-certificate --tls-key --plugins-dir --plugins-lock --search --min-score --auth --oauth-client-id --oauth-client-secret --oauth-provider-url --audit-log --log-level --log-format '
    else _skillhost_words 'serve validate plugins search skill add remove update list source usage doctor lock review bom check try token key connect login logout health generate client-config model completion '; fi ;;
  esac
}
complete -F _skillhost skillhost
