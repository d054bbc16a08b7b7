import { decodeWire, encodeWire } from "@purser/core/wire";
import { subscriptions } from "@purser/db";
import { appRouter, restRoutes } from "@purser/router";
import {
  type Person,
  type Scene,
  callProcedure,
  exampleInputs,
  problemOf,
  createScene,
} from "@purser/testing";
import { day } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, importBuiltClient } from "./testing/built-client.ts";
import { restRequest } from "./testing/rest-request.ts";
import { type TestService, createTestService } from "./testing/service.ts";

/** What a caller learns, whatever the door: the output, or the problem without its request id. */
type Answer = { output: unknown } | { code: string; status: number; detail: string; issues: unknown };
type Door = (person: Person | null, procedure: string, input: Record<string, unknown>) => Promise<Answer>;

let service: TestService;
let client: Client;

beforeAll(async () => {
  service = await createTestService();
  client = await importBuiltClient();
});
afterAll(() => service.close());

const routes = restRoutes(appRouter);

const doors: Record<string, Door> = {
  async inProcess(person, procedure, input) {
    try {
      return { output: await callProcedure(service.purser.as(person), procedure, input) };
    } catch (error) {
      const { code, status, message, issues } = problemOf(error);
      return { code, status, detail: message, issues };
    }
  },

  async trpc(person, procedure, input) {
    const { type } = routes.find((route) => route.procedure === procedure)!;
    const wire = JSON.stringify(encodeWire(input));
    const address = `/trpc/${procedure}${type === "query" ? `?input=${encodeURIComponent(wire)}` : ""}`;
    const response = await service.app.request(address, {
      method: type === "query" ? "GET" : "POST",
      headers: { "content-type": "application/json", ...(await bearer(person)) },
      body: type === "query" ? null : wire,
    });
    const body = (await response.json()) as { result?: { data?: unknown }; error?: unknown };
    if (body.result) return { output: decodeWire(body.result.data) };
    const { data } = decodeWire(body.error) as { data: { problem: Answer } };
    return problemAnswer(data.problem);
  },

  async rest(person, procedure, input) {
    const route = routes.find((one) => one.procedure === procedure)!;
    const { authorization = "" } = await bearer(person);
    const token = authorization.slice("Bearer ".length) || null;
    const response = await service.app.request(restRequest(route, input, { token }));
    const text = await response.text();
    if (response.ok) return { output: text === "" ? undefined : JSON.parse(text) };
    return problemAnswer(JSON.parse(text));
  },

  async client(person, procedure, input) {
    const purser = client.createPurserClient({
      baseUrl: "http://localhost:3000",
      headers: await bearer(person),
      fetch: async (address, init) => service.app.request(new Request(address, init)),
    });
    try {
      return { output: await callProcedure(purser, procedure, input) };
    } catch (error) {
      if (!(error instanceof client.PurserError)) throw error;
      const { code, status, message, issues } = error;
      return { code, status, detail: message, issues: issues.length > 0 ? issues : undefined };
    }
  },
};

async function bearer(person: Person | null): Promise<{ authorization?: string }> {
  return person ? { authorization: `Bearer ${await service.auth.openSession(person.userId)}` } : {};
}

function problemAnswer(problem: unknown): Answer {
  const { code, status, detail, issues } = problem as Exclude<Answer, { output: unknown }>;
  return { code, status, detail, issues };
}

describe.each(routes.map(({ procedure }) => procedure))("%s", (procedure) => {
  it("has the same effect and answer through all four doors", async () => {
    const answers = new Map<string, string>();
    const reads = routes.find((route) => route.procedure === procedure)!.type === "query";
    for (const [name, door] of Object.entries(doors)) {
      const scene = await (reads ? sceneOfArea(procedure) : createScene(service.purser, procedure));
      const input = exampleInputs[procedure]!(scene);
      answers.set(name, comparable(await door(whoMay(procedure, scene), procedure, input)));
    }
    expectSame(answers);
  });

  it("refuses strangers, members, nobody and unknown fields alike through all four doors", async () => {
    const scene = await sceneOfArea(procedure);
    const { stranger, member, owner } = scene.people;
    const input = exampleInputs[procedure]!(scene);
    for (const [person, fields] of [
      [stranger, input],
      [member, input],
      [null, input],
      [owner, { ...input, unheardOf: "1" }],
    ] as const) {
      const answers = new Map<string, string>();
      for (const [name, door] of Object.entries(doors)) {
        answers.set(name, comparable(await door(person, procedure, fields)));
      }
      expectSame(answers);
    }
  });
});

/**
 * What only reads finds for every door what it found for the first, refused calls change nothing, and what a member
 * may do comes to the same each time: one scene serves an area.
 */
const scenes = new Map<string, Promise<Scene>>();
function sceneOfArea(procedure: string): Promise<Scene> {
  const area = procedure.replace(/^sandbox\./, "").split(".")[0]!;
  const scene = scenes.get(area) ?? arrange(area, procedure);
  scenes.set(area, scene);
  return scene;
}

async function arrange(area: string, procedure: string): Promise<Scene> {
  // For a checkout, the scene has no subscription.
  const scene = await createScene(service.purser, area === "billing" ? "billing.portal" : procedure);
  if (area === "organizations") await subscribe(scene.organizationId);
  return scene;
}

function expectSame(answers: Map<string, string>): void {
  const inProcess = answers.get("inProcess");
  for (const [door, answer] of answers) expect({ door, answer }).toEqual({ door, answer: inProcess });
}

function whoMay(procedure: string, scene: Scene): Person {
  if (procedure === "organizations.invitations.accept") return scene.invitedPerson;
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

/** As JSON has it, with what differs between two scenes named by the order in which it appears. */
function comparable(answer: Answer): string {
  const seen = new Map<string, string>();
  const text = JSON.stringify(answer, null, 1);
  return text.replaceAll(
    /\b(?:org|mem|inv|user|aud|bcn|bac|btx|bsy|lnk|card|pol|ctx|sub|cus|evt)_[0-9a-z]{26}|\blocal\/(?:checkout|portal)\/[\w-]+|\btxn-[0-9a-f]{32}|"lastFour": "\d{4}"|\b[Pp]erson[ -]\d+/g,
    (found) => {
      if (!seen.has(found)) seen.set(found, `#${seen.size}`);
      return seen.get(found)!;
    },
  );
}
