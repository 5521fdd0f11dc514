{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}
{{- /* The release's name, with that of the chart unless it has it already; 52 characters leave room for suffixes. */ -}}
{{- define "skillhost.name" -}}
{{- if contains "skillhost" .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-skillhost" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "skillhost.selector" -}}
app.kubernetes.io/name: skillhost
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "skillhost.labels" -}}
{{ include "skillhost.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "skillhost.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- /* skillhost.yaml: what the installation says, and what belongs to the pod. */ -}}
{{- define "skillhost.configuration" -}}
{{- $config := deepCopy .Values.config -}}
{{- $http := get $config "http" | default dict -}}
{{- $_ := set $http "listen" (list "0.0.0.0:8080") -}}
{{- $_ := set $http "public_url" .Values.publicUrl -}}
{{- /* http.path is what clients ask for: that of publicUrl, unless an ingress rewrites it. */ -}}
{{- if not (hasKey $http "path") }}{{ $_ := set $http "path" (urlParse .Values.publicUrl).path }}{{ end -}}
{{- if .Values.trustedProxies -}}
{{- $_ := set $http "trusted_proxies" .Values.trustedProxies -}}
{{- if not (hasKey $http "forwarded_field") }}{{ $_ := set $http "forwarded_field" "x-forwarded-for" }}{{ end -}}
{{- end -}}
{{- $_ := set $config "transport" "http" -}}
{{- $_ := set $config "http" $http -}}
{{- if gt (int .Values.maxMemoryMb) 0 -}}
{{- $limits := get $config "limits" | default dict -}}
{{- if not (hasKey $limits "max_memory_mb") }}{{ $_ := set $limits "max_memory_mb" (int .Values.maxMemoryMb) }}{{ end -}}
{{- $_ := set $config "limits" $limits -}}
{{- end -}}
{{- if .Values.state.enabled -}}
{{- $engine := merge (dict "address" .Values.state.address "user" .Values.state.user "password" "env:VALKEY_PASSWORD") (deepCopy .Values.state.config) -}}
{{- $_ := set $config "state" (dict "plugin" "valkey" "config" $engine "secret" "env:SKILLHOST_STATE_SECRET" "prefix" .Values.state.prefix) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{- /* What no schema can say; each ends the rendering. */ -}}
{{- define "skillhost.checked" -}}
{{- if and .Values.state.enabled (not .Values.environmentSecret) -}}
{{- fail "state.enabled needs environmentSecret: a secret with VALKEY_PASSWORD and SKILLHOST_STATE_SECRET" -}}
{{- end -}}
{{- $auth := get .Values.config "auth" | default dict -}}
{{- if and (eq (get $auth "plugin" | default "none") "static") (not .Values.tokensSecret) -}}
{{- fail "config.auth.plugin static needs tokensSecret: a secret with the key tokens.json, as `skillhost token add` writes it" -}}
{{- end -}}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) -}}
{{- fail (printf "autoscaling.minReplicas (%v) is more than autoscaling.maxReplicas (%v)" .Values.autoscaling.minReplicas .Values.autoscaling.maxReplicas) -}}
{{- end -}}
{{- end -}}
