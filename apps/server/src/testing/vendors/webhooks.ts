import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText } from "@purser/core";
import { type TestService, createTestService } from "../service.ts";
import type { Example, VendorExamples } from "./examples.ts";

/** What happened to a vendor's examples. */
export interface Outcome {
  vendor: string;
  area: string;
  examples: number;
  variants: number;
  /** The number of responses with each status, and of events with each state afterward. */
  counts: Record<string, number>;
  /** Answers of 5xx and events that could not be applied, with the changes that cause them. */
  problems: Map<string, string[]>;
}

const areas = { cards: "issuers", billing: "payments", banking: "banks" } as const;

/** Sends a vendor's examples and their variants, signed, to the webhook endpoint, and applies each. */
export async function feedExamples(vendor: VendorExamples, examples: readonly Example[]): Promise<Outcome> {
  let current: Example["message"] = {};
  const api = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    request.resume().on("end", () => response.end(JSON.stringify(vendor.reply(current, request.url ?? ""))));
  });
  api.listen(0, "127.0.0.1");
  await once(api, "listening");
  const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const own = { [vendor.vendor]: { ...vendor.settings, baseUrl: address, basePath: address } };
  const settings = {
    sandbox: false,
    localBilling: false,
    banks: {},
    issuers: {},
    payments: {},
    [areas[vendor.area]]: own,
  };
  const service = await createTestService({ settings });
  const outcome: Outcome = {
    vendor: vendor.vendor,
    area: vendor.area,
    examples: examples.length,
    variants: examples.reduce((sum, { variants }) => sum + variants.length, 0),
    counts: {},
    problems: new Map(),
  };
  const deliver = async (name: string, change: string, message: unknown) => {
    current = message as Example["message"];
    for (const result of await delivered(service, vendor, current)) {
      outcome.counts[result.state] = (outcome.counts[result.state] ?? 0) + 1;
      if (result.problem === null) continue;
      const key = `${name}: ${result.problem}`;
      outcome.problems.set(key, [...(outcome.problems.get(key) ?? []), change]);
    }
  };
  try {
    for (const { name, message, variants } of examples) {
      await deliver(name, "as published", message);
      for (const { change, message: variant } of variants) await deliver(name, change, variant);
    }
  } finally {
    await service.close();
    api.closeAllConnections();
    api.close();
  }
  return outcome;
}

interface Result {
  state: string;
  problem: string | null;
}

/** Sends a message to the endpoint, then applies it as the job does that the endpoint enqueued. */
async function delivered(
  { app, purser }: TestService,
  { area, vendor, sign }: VendorExamples,
  message: Example["message"],
): Promise<Result[]> {
  const { body, headers } = await sign(message, purser.clock.now());
  const response = await app.request(`http://localhost:3000/api/webhooks/${area}/${vendor}`, {
    method: "POST",
    body: new Uint8Array(body),
    headers: Object.fromEntries(headers),
  });
  const { status } = response;
  const text = await response.text();
  if (status >= 400) {
    const reason = text.replaceAll(/req_[\w-]+/g, "req").slice(-160);
    return [{ state: `HTTP ${status}`, problem: `HTTP ${status} …${reason}` }];
  }
  const answer: Result = { state: `HTTP ${status}`, problem: null };
  const receiver = purser.receivers.find((one) => one.area === area && one.provider === vendor)!;
  const checked = await receiver.verify(body, headers, purser.clock.now());
  if (checked.outcome === "refused") return [answer];
  const { eventId, type } = checked;
  const event = {
    area,
    provider: vendor,
    eventId,
    type,
    receivedAt: purser.clock.now(),
    body: body.toString(),
  };
  try {
    return [answer, { state: await receiver.apply(event), problem: null }];
  } catch (error) {
    return [answer, { state: "FAILED", problem: errorText(error).replaceAll(/\d{4,}/g, "#") }];
  }
}
