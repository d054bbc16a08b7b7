import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorText } from "@purser/core";
import { type TestService, createTestService } from "../service.ts";
import type { VendorExamples } from "./examples.ts";
import type { Example } from "./messages.ts";
import { vendorScene } from "./scene.ts";

/** What happened to a vendor's examples. */
export interface Outcome {
  vendor: string;
  area: string;
  examples: number;
  variants: number;
  /** The number of responses with each status, and of events with each state afterward. */
  counts: Record<string, number>;
  /** Whatever is neither mapped nor ignored, quarantined or refused for a named reason, with the changes that cause it. */
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
    sandbox: true,
    sandboxBilling: false,
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
    const published = message as Example["message"];
    current = vendor.fresh?.(published) ?? published;
    for (const result of await delivered(service, vendor, current)) {
      outcome.counts[result.state] = (outcome.counts[result.state] ?? 0) + 1;
      const isExpected = change !== "as published" || vendor.unreadable?.(current) === true;
      if (result.problem === null || (isExpected && expected.has(result.state))) continue;
      const key = `${name}: ${result.problem}`;
      outcome.problems.set(key, [...(outcome.problems.get(key) ?? []), change]);
    }
  };
  try {
    const adopt = await vendorScene(service, vendor);
    for (const { name, message, variants } of examples) {
      current = message;
      const reference = vendor.referenceIn(message);
      // What the adapter cannot read as published, it reports below.
      if (reference !== null) await adopt(reference).catch(() => {});
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

/** The inbox keeps a quarantined event for an operator. A refused one is no event: the vendor sends it again. */
const expected: ReadonlySet<string> = new Set(["QUARANTINED", "REFUSED"]);

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
    const isRefused = status === 400 && text.includes("The body is not an event");
    return [{ state: isRefused ? "REFUSED" : `HTTP ${status}`, problem: `HTTP ${status} …${reason}` }];
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
    const problem = errorText(error).replaceAll(/\d{4,}/g, "#");
    return [answer, { state: problem.includes("cannot parse") ? "QUARANTINED" : "FAILED", problem }];
  }
}
