import { Badge, type BadgeProps } from "@mantine/core";
import { inWords } from "../data/format.ts";

type Tone = "good" | "busy" | "warn" | "bad" | "off";

const colors: Record<Tone, string> = { good: "green", busy: "blue", warn: "orange", bad: "red", off: "gray" };

/** The tone of each status of the service, in the spelling of the API. */
const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: "good",
  COMPLETED: "good",
  DELIVERED: "good",
  ENABLED: "good",
  POSTED: "good",
  SUCCEEDED: "good",
  APPROVED: "good",
  AUTHORIZED: "good",
  ok: "good",
  PENDING: "busy",
  QUEUED: "busy",
  RUNNING: "busy",
  syncing: "busy",
  PAUSED: "warn",
  PAST_DUE: "warn",
  INCOMPLETE: "warn",
  needs_reauthorization: "warn",
  FROZEN: "bad",
  DECLINED: "bad",
  FAILED: "bad",
  UNPAID: "bad",
  failing: "bad",
};

const words: Readonly<Record<string, string>> = {
  ok: "Connected",
  syncing: "Syncing",
  needs_reauthorization: "Sign in again",
  PAST_DUE: "Past due",
  // The word of banks, as in filters and sums.
  POSTED: "Booked",
};

/** A status in words. The color only repeats what the words say. */
export function Status({ status, ...badge }: { status: string } & BadgeProps) {
  return (
    <Badge variant="light" color={colors[tones[status] ?? "off"]} tt="none" fw={550} flex="none" {...badge}>
      {words[status] ?? inWords(status)}
    </Badge>
  );
}
