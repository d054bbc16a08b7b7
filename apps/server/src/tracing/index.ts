import type { Settings } from "@purser/platform/settings";
import type { ReportFailure, Tracing } from "./port.ts";

/**
 * Starts tracing if the settings name a collector; otherwise returns null. Only this function loads OpenTelemetry's
 * modules, so that a process without tracing does not pay for them.
 */
export async function openTracing(
  { traces }: Pick<Settings, "traces">,
  reportFailure: ReportFailure,
): Promise<Tracing | null> {
  if (traces === null) return null;
  const { startTracing } = await import("./start.ts");
  return startTracing(traces, reportFailure);
}
