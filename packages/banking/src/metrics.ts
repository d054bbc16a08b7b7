import { defineCounter, defineGauge, defineHistogram } from "@purser/platform";
import { countConnections } from "./connections/store.ts";
import { countQuarantined } from "./syncs/store/quarantine.ts";

export const bankingMetrics = {
  rows: defineCounter("purser_bank_rows_total", {
    help: "Bank transactions that syncs have added, modified or removed",
    labels: ["provider", "change"],
  }),
  syncDuration: defineHistogram("purser_bank_sync_duration_seconds", {
    help: "Syncs of bank connections by outcome: succeeded, superseded or the code of the failure",
    labels: ["provider", "outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  }),
  connections: defineGauge("purser_bank_connections", {
    help: "Active bank connections by condition: healthy, failing or needs_person",
    labels: ["provider", "condition"],
    read: countConnections,
  }),
  quarantine: defineGauge("purser_bank_quarantine", {
    help: "Bank transactions in quarantine by reason",
    labels: ["reason"],
    read: countQuarantined,
  }),
};
