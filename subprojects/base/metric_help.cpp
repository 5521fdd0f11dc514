// SPDX-License-Identifier: Apache-2.0
#include "base/metric_help.hpp"

#include <algorithm>
#include <array>

namespace skillhost::metrics {
namespace {

constexpr std::array helps{
    MetricHelp{"process_cpu_seconds_total", "User and system time of the process in seconds."},
    MetricHelp{"process_max_fds", "How many file descriptors the process may have open."},
    MetricHelp{"process_open_fds", "File descriptors that the process has open."},
    MetricHelp{"process_resident_memory_bytes", "Resident memory of the process in bytes."},
    MetricHelp{"process_start_time_seconds",
               "When the process was started, in seconds since 1970-01-01 UTC."},
    MetricHelp{"process_threads", "Threads of the process."},
    MetricHelp{"process_virtual_memory_bytes", "Virtual memory of the process in bytes."},
    MetricHelp{"skillhost_audit_lines_lost_total", "Lines of the audit that were lost."},
    MetricHelp{"skillhost_authentications_total", "Credentials by what was answered of them."},
    MetricHelp{"skillhost_build_info", "The version of skillhost; always 1."},
    MetricHelp{"skillhost_catalogue_findings", "Findings of skills by severity."},
    MetricHelp{"skillhost_catalogue_generation",
               "Grows by one with every catalogue of this process."},
    MetricHelp{"skillhost_catalogue_published_timestamp_seconds",
               "When the catalogue that is served was made, in seconds since 1970-01-01 UTC."},
    MetricHelp{"skillhost_catalogue_skills", "Skills that are served."},
    MetricHelp{"skillhost_http_connections", "Open connections of clients."},
    MetricHelp{"skillhost_http_connections_accepted_total", "Connections that were accepted."},
    MetricHelp{"skillhost_http_connections_dropped_total",
               "Connections that the server has ended, by reason."},
    MetricHelp{"skillhost_http_received_bytes_total", "Bytes received from clients."},
    MetricHelp{"skillhost_http_requests_refused_total",
               "Requests that the HTTP transport itself refused, by status."},
    MetricHelp{"skillhost_http_sent_bytes_total", "Bytes sent to clients."},
    MetricHelp{"skillhost_http_unsent_bytes",
               "Bytes of answers of more than 64 KiB that clients have not taken yet."},
    MetricHelp{"skillhost_instance_call_seconds", "Time in calls of a plugin instance."},
    MetricHelp{"skillhost_instance_failures_total",
               "Calls of a plugin instance that failed, by code."},
    MetricHelp{"skillhost_instance_queue_seconds",
               "Time that calls of a plugin instance have waited."},
    MetricHelp{"skillhost_instance_refused_total",
               "Calls refused because the queue of the plugin instance was full."},
    MetricHelp{"skillhost_instance_waiting_calls", "Calls in the queue of a plugin instance."},
    MetricHelp{"skillhost_log_lines_lost_total", "Lines of the log that were lost."},
    MetricHelp{"skillhost_network_refused_total",
               "Connections of a plugin instance that its network rule did not allow."},
    MetricHelp{"skillhost_observer_events_total", "Events that a plugin which observes has taken."},
    MetricHelp{"skillhost_observer_lost_total",
               "Events that a plugin which observes was not told of, or did not take."},
    MetricHelp{"skillhost_request_seconds", "Duration of MCP requests by method."},
    MetricHelp{"skillhost_review_approvals_valid",
               "1 while what was decided can be read as it stands now, else 0."},
    MetricHelp{"skillhost_review_skills",
               "Skills of sources that rules of trust are about, by what was decided of them."},
    MetricHelp{"skillhost_review_waiting_skills",
               "Skills that are withheld or served with a warning until somebody decides."},
    MetricHelp{"skillhost_review_withheld_skills", "Skills that rules of trust withhold."},
    MetricHelp{"skillhost_search_indexed_skills", "Skills that the search index holds."},
    MetricHelp{"skillhost_search_pending_skills",
               "Skills that the search index was given and has not committed yet."},
    MetricHelp{"skillhost_searches_total",
               "Searches by outcome: found, none (no skill fits) or failed."},
    MetricHelp{"skillhost_source_last_success_timestamp_seconds",
               "When a refresh of the source last succeeded, in seconds since 1970-01-01 UTC."},
    MetricHelp{"skillhost_source_refreshes_total", "Refreshes of the source by outcome."},
    MetricHelp{"skillhost_source_skills", "Skills that the source brings."},
    MetricHelp{
        "skillhost_source_state",
        "1 for the state that the source is in: ok, stale (the last refresh failed, what was "
        "known is served) or failed (nothing is)."},
    MetricHelp{"skillhost_source_up", "1 when the last refresh of the source succeeded, else 0."},
    MetricHelp{"skillhost_state_foreign_values_total",
               "Values of the shared state that no replica of this service has made."},
    MetricHelp{"skillhost_state_messages_lost_total",
               "How often messages of other replicas may have been lost."},
    MetricHelp{"skillhost_state_messages_total", "Messages of other replicas."},
    MetricHelp{"skillhost_state_operations_total",
               "Operations at the engine of the shared state by outcome."},
    MetricHelp{"skillhost_state_reachable",
               "1 while the engine of the shared state answers, else 0."},
    MetricHelp{"skillhost_telemetry_items_total",
               "Spans, log records and series of metrics by signal, and by what the collector made "
               "of them."},
    MetricHelp{"skillhost_tool_failures_total", "Calls of tools that failed, by tool and code."},
    MetricHelp{"skillhost_tool_seconds", "Duration of calls of tools."},
    MetricHelp{"skillhost_usage_events_total", "Uses of skills that were recorded."},
    MetricHelp{"skillhost_usage_lost_total",
               "Uses of skills that were not recorded, for want of room or because the file could "
               "not be written."},
    MetricHelp{"skillhost_usage_refusals_skipped_total",
               "Refusals of callers that were not recorded because there were many in one second."},
};

static_assert(std::is_sorted(helps.begin(), helps.end(),
                             [](const auto &a, const auto &b) { return a.name < b.name; }));

} // namespace

std::span<const MetricHelp> metricHelps() { return helps; }

std::string_view helpOf(std::string_view name) {
  const auto found = std::lower_bound(
      helps.begin(), helps.end(), name,
      [](const MetricHelp &one, std::string_view wanted) { return one.name < wanted; });
  if (found != helps.end() && found->name == name) return found->help;
  return name.starts_with("skillhost_plugin_") ? "Reported by a plugin."
                                               : "A figure without a description.";
}

std::string_view unitOf(std::string_view name) {
  constexpr std::string_view total = "_total";
  if (name.ends_with(total)) name.remove_suffix(total.size());
  for (const std::string_view unit : {"seconds", "bytes"})
    if (name.ends_with(unit) && name.size() > unit.size() &&
        name[name.size() - unit.size() - 1] == '_')
      return unit;
  return {};
}

} // namespace skillhost::metrics
