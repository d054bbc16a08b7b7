// @module-tag slow
import { day } from "@purser/core/testing";
import { decodeWire, encodeWire } from "@purser/core/wire";
import { subscriptions } from "@purser/db";
import { type Caller, isOrganizationKey } from "@purser/platform";
import { appRouter, isTrackedStream, restRoutes } from "@purser/router";
import {
  type Person,
  type Scene,
  areaOfProcedure,
  callProcedure,
  createScene,
  createSceneOfArea,
  exampleInputs,
  organizationKeySecret,
  problemOf,
} from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Client, importBuiltClient } from "./testing/built-client.ts";
import { restRequest } from "./testing/rest-request.ts";
import { type TestService, createTestService } from "./testing/service.ts";

/** What a caller receives over any transport: the output, or the problem without its request id. */
type Outcome = { output: unknown } | { code: string; status: number; detail: string; issues: unknown };
type Transport = (
  caller: Caller | null,
  procedure: string,
  input: Record<string, unknown>,
) => Promise<Outcome>;

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await createTestService();
  client = await importBuiltClient();
});
afterAll(() => service.close());

const routes = restRoutes(appRouter);

const transports: Record<string, Transport> = {
  async inProcess(caller, procedure, input) {
    try {
      const output = await callProcedure(service.purser.as(caller), procedure, input);
      return { output: isTrackedStream(output) ? await firstOf(output, ([, value]) => value) : output };
    } catch (error) {
      const { code, status, message, issues } = problemOf(error);
      return { code, status, detail: message, issues };
    }
  },

  async trpc(caller, procedure, input) {
    const { type } = routes.find((route) => route.procedure === procedure)!;
    const wire = JSON.stringify(encodeWire(input));
    const isGet = type !== "mutation";
    const address = `/trpc/${procedure}${isGet ? `?input=${encodeURIComponent(wire)}` : ""}`;
    const response = await service.app.request(address, {
      method: isGet ? "GET" : "POST",
      headers: { "content-type": "application/json", ...(await credentialOf(caller)) },
      body: isGet ? null : wire,
    });
    if (isStream(response)) return { output: decodeWire(await firstData(response)) };
    const body = (await response.json()) as { result?: { data?: unknown }; error?: unknown };
    if (body.result) return { output: decodeWire(body.result.data) };
    const { data } = decodeWire(body.error) as { data: { problem: Outcome } };
    return problemOutcome(data.problem);
  },

  async rest(caller, procedure, input) {
    const route = routes.find((one) => one.procedure === procedure)!;
    const request = restRequest(route, input);
    for (const [name, value] of Object.entries(await credentialOf(caller))) request.headers.set(name, value);
    const response = await service.app.request(request);
    if (isStream(response)) return { output: await firstData(response) };
    const text = await response.text();
    if (response.ok) return { output: text === "" ? undefined : JSON.parse(text) };
    return problemOutcome(JSON.parse(text));
  },

  async client(caller, procedure, input) {
    const purser = client.createPurserClient({
      baseUrl: "http://localhost:3000",
      headers: await credentialOf(caller),
      fetch: async (address, init) => service.app.request(new Request(address, init)),
    });
    try {
      const output = callProcedure(purser, procedure, input) as unknown;
      const isIterable = typeof output === "object" && Symbol.asyncIterator in output!;
      return {
        output: isIterable ? await firstOf(output as AsyncIterable<unknown>, (value) => value) : await output,
      };
    } catch (error) {
      if (!(error instanceof client.PurserError)) throw error;
      const { code, status, message, issues } = error;
      return { code, status, detail: message, issues: issues.length > 0 ? issues : undefined };
    }
  },
};

/** Leaving the loop ends the stream. */
async function firstOf<Value>(stream: AsyncIterable<Value>, read: (value: Value) => unknown) {
  for await (const value of stream) return read(value);
  throw new Error("The stream ended without a value");
}

const isStream = (response: Response) => response.headers.get("content-type") === "text/event-stream";

/** Returns the data of the first value of a stream. */
async function firstData(response: Response): Promise<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let data: string | undefined;
  while ((data = /^data: (.+"type":.+)$/m.exec(text)?.[1]) === undefined)
    text += (await reader.read()).value!;
  await reader.cancel();
  return JSON.parse(data);
}

/** The session of each user. */
const sessions = new Map<string, Promise<string>>();

async function credentialOf(caller: Caller | null): Promise<Record<string, string>> {
  if (caller === null) return {};
  if (isOrganizationKey(caller)) return { "x-api-key": organizationKeySecret(caller.keyId) };
  const session = sessions.get(caller.userId) ?? service.auth.openSession(caller.userId);
  sessions.set(caller.userId, session);
  return { authorization: `Bearer ${await session}` };
}

function problemOutcome(problem: unknown): Outcome {
  const { code, status, detail, issues } = problem as Exclude<Outcome, { output: unknown }>;
  return { code, status, detail, issues };
}

describe.each(routes.map(({ procedure }) => procedure))("%s", (procedure) => {
  it("has the same effect and response over all four transports", async () => {
    const outcomesOn = async (sceneOf: () => Promise<Scene>, outcomes = new Map<string, string>()) => {
      for (const [name, call] of Object.entries(transports)) {
        if (outcomes.has(name)) continue;
        const scene = await sceneOf();
        const input = await inputOf(procedure, scene);
        outcomes.set(name, comparable(await call(permittedPerson(procedure, scene), procedure, input)));
      }
      return outcomes;
    };
    if (routes.find((route) => route.procedure === procedure)!.type !== "mutation") {
      expectOneSuccess(await outcomesOn(() => sceneOfArea(procedure)));
      return;
    }
    // Many mutations can be repeated with the same response. The others need a scene each time.
    const area = areaOfProcedure(procedure);
    const known = repeatedOn.get(area);
    if (known !== undefined && isOneSuccess(await outcomesOn(async () => known))) return;
    const scene = await createScene(service.purser, procedure);
    const repeated = await outcomesOn(async () => scene);
    if (isOneSuccess(repeated)) {
      repeatedOn.set(area, scene);
      return;
    }
    // The first call was the only one of its scene, as are those that follow.
    const outcomes = new Map([...repeated].slice(0, 1));
    expectOneSuccess(await outcomesOn(() => createScene(service.purser, procedure), outcomes));
  });

  it("answers strangers, members, keys, anonymous callers and unknown fields alike over all four transports", async () => {
    const scene = await sceneOfArea(procedure);
    const { stranger, readKey, member, owner } = scene.callers;
    const input = await inputOf(procedure, scene);
    for (const [caller, fields] of [
      [stranger, input],
      [readKey, input],
      [member, input],
      [null, input],
      [owner, { ...input, unheardOf: "1" }],
    ] as const) {
      const outcomes = new Map<string, string>();
      for (const [name, call] of Object.entries(transports)) {
        outcomes.set(name, comparable(await call(caller, procedure, fields)));
      }
      expectSame(outcomes);
    }
  });
});

/** A feed has its event, and a stream begins before one, so that there is a first one to compare. */
async function inputOf(procedure: string, scene: Scene): Promise<Record<string, unknown>> {
  const input = exampleInputs[procedure]!(scene);
  const { organizationId, people } = scene;
  if (procedure === "events.feed") {
    const { feed, list } = service.purser.as(people.owner).events;
    // Transactions of other tests may hold some events up, and let them through between two calls.
    const isComplete = async () => {
      const recorded = await list({ organizationId });
      return recorded.length > 0 && (await feed({ organizationId })).events.length === recorded.length;
    };
    await vi.waitUntil(isComplete, { timeout: 60_000, interval: 5 });
  }
  if (procedure !== "events.stream") return input;
  const stream = await service.purser.as(people.owner).events.stream({ organizationId });
  if (!isTrackedStream(stream)) throw new Error("A subscription answers with a stream");
  const lastEventId = beginnings.get(scene) ?? stream.cursor;
  await stream.return();
  if (!beginnings.has(scene))
    await service.purser.as(people.owner).organizations.update({ id: organizationId, name: "Followed" });
  beginnings.set(scene, lastEventId);
  return { ...input, lastEventId };
}

const beginnings = new Map<Scene, string>();

/** The scene of each area on which mutations were repeated last. */
const repeatedOn = new Map<string, Scene>();

/** One scene per area is enough for queries and refused calls, which change nothing. */
const scenes = new Map<string, Promise<Scene>>();
function sceneOfArea(procedure: string): Promise<Scene> {
  const area = areaOfProcedure(procedure);
  const scene = scenes.get(area) ?? newScene(area, procedure);
  scenes.set(area, scene);
  return scene;
}

async function newScene(area: string, procedure: string): Promise<Scene> {
  const scene = await createSceneOfArea(service.purser, procedure);
  if (area === "organizations") await subscribe(scene.organizationId);
  return scene;
}

function expectSame(outcomes: Map<string, string>): void {
  const inProcess = outcomes.get("inProcess");
  for (const [transport, outcome] of outcomes)
    expect({ transport, outcome }).toEqual({ transport, outcome: inProcess });
}

/** Who may call a procedure gets its output, over each transport the same. */
function expectOneSuccess(outcomes: Map<string, string>): void {
  expectSame(outcomes);
  expect(isOneSuccess(outcomes), outcomes.get("inProcess")).toBe(true);
}

/** Whether all transports returned the same output. */
function isOneSuccess(outcomes: Map<string, string>): boolean {
  const [first = "", ...others] = new Set(outcomes.values());
  return others.length === 0 && (first === "{}" || first.startsWith('{\n "output"'));
}

function permittedPerson(procedure: string, scene: Scene): Person {
  if (procedure === "organizations.invitations.accept") return scene.invitedPerson;
  // The holder of the scene's card.
  if (procedure === "cards.reveal") return scene.people.member;
  const isForAdministrators = /^billing\.(sync$|events\.)/.test(procedure);
  return isForAdministrators ? scene.people.administrator : scene.people.owner;
}

async function subscribe(organizationId: string): Promise<void> {
  const now = service.purser.clock.now();
  await service.purser.db.insert(subscriptions).values({
    organizationId,
    id: `manual-${organizationId}`,
    customerId: "customer",
    status: "ACTIVE",
    planId: "plan",
    variantId: "variant",
    currentPeriodStart: now,
    currentPeriodEnd: new Date(now.getTime() + 30 * day),
    canceledAt: null,
    cancelAtPeriodEnd: false,
  });
}

/** The outcome as JSON, with identifiers that differ between scenes numbered by their first appearance. */
function comparable(outcome: Outcome): string {
  const seen = new Map<string, string>();
  const text = JSON.stringify(outcome, null, 1);
  return text.replaceAll(
    /\b(?:org|mem|inv|user|aud|key|bcn|bac|btx|bsy|lnk|card|pol|ctx|sub|cus|evt|whe|whd)_[0-9a-z]{26}|\blocal\/(?:checkout|portal)\/[\w-]+|\btxn-[0-9a-f]{32}|\bpurser_org_[\w-]{4,}|\bwhsec_[\w+/]{43}=|(?<=\w)\.[\w-]{43}(?=")|"lastFour": "\d{4}"|\b[Pp]erson[ -]\d+/g,
    (found) => {
      if (!seen.has(found)) seen.set(found, `#${seen.size}`);
      return seen.get(found)!;
    },
  );
}
