// @module-tag slow
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventTypes, exampleIds } from "@purser/core";
import { testClock } from "@purser/core/testing";
import { authErrorCodes } from "@purser/identity";
import { type Scene, createScene, withBankTransactions } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "../../testing/listening-service.ts";
import { runShell } from "../../testing/shell.ts";
import { createTypeScriptProject } from "../../testing/typescript-project.ts";
import { areaOf, readApiDocument } from "./document.ts";
import { guidePage } from "./guide.ts";
import { contractInput, sampleInput } from "./sample-input.ts";

const { document, operations } = readApiDocument({ sandbox: true });
const areas = new Set(document.tags.map(({ name }) => areaOf(name)));
const guides = ["/docs/guide", "/docs/webhooks"];
const addresses = ["/docs", ...guides, "/docs/problems", ...[...areas].map((area) => `/docs/${area}`)];
const folder = mkdtempSync(join(tmpdir(), "purser-reference-"));
let server: ListeningService;
let scene: Scene;
let eventId: string;
let pages: string[];

beforeAll(async () => {
  // better-auth goes by the real time.
  server = await startListeningService({ clock: testClock(new Date()) });
  const { purser } = server.service;
  scene = await withBankTransactions(purser, await createScene(purser, "cards.get"));
  const { organizationId, people } = scene;
  const [event] = await purser.as(people.owner).events.list({ organizationId, limit: 1 });
  eventId = event!.id;
  pages = await Promise.all(
    addresses.map(async (path) => {
      const response = await fetch(server.base + path);
      expect(response.status, path).toBe(200);
      return response.text();
    }),
  );
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** The samples of a kind, by operation, as a reader copies them. */
function samplesOf(kind: "curl" | "TypeScript" | "Response"): Map<string, string> {
  const ofOperations = pages.filter((_, index) => !guides.includes(addresses[index]!));
  const blocks = ofOperations.flatMap((page) => [
    ...page.matchAll(/<pre [^>]*aria-label="(\S+), (\S+)"[^>]*><code>(.*?)<\/code>/gs),
  ]);
  return new Map(
    blocks
      .filter(([, name]) => name === kind)
      .map(([, , operation = "", code = ""]) => [operation, unescaped(code)]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** A sample as the page shows it to a signed-in reader: with the reader's own identifiers. */
function withOwnIds(sample: string): string {
  const own: [example: string, id: string][] = [
    [exampleIds.org, scene.organizationId],
    [exampleIds.user, scene.people.owner.userId],
    [exampleIds.inv, scene.invitationId],
    [exampleIds.bcn, scene.connectionId],
    [exampleIds.bac, scene.accountId],
    [exampleIds.btx, scene.transactionId],
    [exampleIds.card, scene.cardId],
    [exampleIds.pol, scene.policyId],
    [exampleIds.ctx, scene.cardTransactionId],
    [exampleIds.evt, eventId],
  ];
  return own.reduce((text, [example, id]) => text.replaceAll(example, id), sample);
}

async function tokenOf(person: { userId: string }): Promise<string> {
  return server.service.auth.openSession(person.userId);
}

const queries = operations.filter(({ route, method }) => (route ? route.type === "query" : method === "GET"));

/** Queries that the owner of an organization may not call, or whose example names nothing. */
const refused: Record<string, string> = {
  "billing.events.list": "403",
  "webhookEndpoints.deliveries.get": "404",
  "auth.apiKeyGet": "404",
  "auth.verifyEmail": "401",
  "auth.adminListUsers": "403",
  "auth.adminGetUser": "403",
};

describe("the API reference", () => {
  it("describes every type of event, and what its data holds", () => {
    const events = pages[addresses.indexOf("/docs/events")]!;
    const shown = [...events.matchAll(/<dt><code>([a-z_.]+)<\/code> <span class="type">data: (\w+)/g)];
    expect(new Set(shown.map(([, type]) => type))).toEqual(new Set(eventTypes));
    expect(shown).toHaveLength(eventTypes.length);
    expect(shown.map(([, , data]) => data)).not.toContain("any");
  });

  it("shows what the events have in common as each of them may have it", () => {
    const events = pages[addresses.indexOf("/docs/events")]!;
    const [, kind = ""] = events.split("The kind of the subject.");
    expect(kind.slice(0, 600)).toMatch(
      /One\s+of\s+<code>organization<\/code>, .*<code>card_transaction<\/code>/s,
    );
    expect(events).not.toContain("&quot;organization&quot;</span>");
  });

  it("describes every operation of the OpenAPI document, and every error code", () => {
    const all = pages.join("\n");
    const missing = operations.filter(({ operationId }) => !all.includes(`id="${operationId}"`));
    expect(missing.map(({ operationId }) => operationId)).toEqual([]);
    const undescribed = Object.keys(authErrorCodes).filter((code) => !all.includes(`<tr id="${code}"`));
    expect(undescribed).toEqual([]);
  });

  it("links only to what exists", () => {
    const ids = new Map(pages.map((page, index) => [addresses[index]!, idsOf(page)]));
    const links = new Set(
      pages.flatMap((page, index) =>
        [...page.matchAll(/href="([^"]*)"/g)].map(([, to = ""]) =>
          to.startsWith("#") ? addresses[index]! + to : to.replace(server.base, ""),
        ),
      ),
    );
    const others = [...links].filter((link) => !/^(\/|https:\/\/|$)/.test(link));
    expect(others).toEqual([]);
    const own = [...links].filter((link) => link.startsWith("/docs"));
    const dead = own.filter((link) => {
      const [path = "", fragment] = link.split("#");
      return !ids.has(path) || (fragment !== undefined && !ids.get(path)!.has(fragment));
    });
    expect(dead).toEqual([]);
    for (const page of pages) expect([...page.matchAll(/ id="/g)].length).toBe(idsOf(page).size);
  });

  it("sends at most 150 kB to a browser, all pages and assets together", async () => {
    const assets = ["purser.css", "purser.svg", "reference.css", "reference.js", "api.js"];
    const paths = [...addresses, ...assets.map((name) => `/assets/${name}`), "/docs/index.json"];
    const sizes = await Promise.all(paths.map(bytesSent));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThan(150_000);
  });

  it("sends at most 20 kB of both guides", async () => {
    const sizes = await Promise.all(guides.map(bytesSent));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000);
  });

  it("answers 404 for an area that does not exist", async () => {
    expect((await fetch(`${server.base}/docs/nothing`)).status).toBe(404);
  });
});

describe("the guides", () => {
  it("call the service that shows them", () => {
    const [guide = ""] = guides.map((path) => pages[addresses.indexOf(path)]!);
    expect(guide).toContain(`API=${server.base}/api`);
    expect(guide).not.toContain("localhost:3000");
  });

  it("link operations and files that are pages of the service, and name the other files", async () => {
    const markdown =
      "`cards.get` [a](webhooks.md#verify-it) [b](../apps/console/README.md#x) [c](operations.md) ![d](d.png)";
    const link = (code: string) => (code === "cards.get" ? "/docs/cards#cards.get" : undefined);
    const { body } = guidePage(markdown, { link, baseUrl: "" });
    expect(String(await body)).toBe(
      '<p><a href="/docs/cards#cards.get"><code>cards.get</code></a> <a href="/docs/webhooks#verify-it">a</a> ' +
        '<a href="/">b</a> c (<code>docs/operations.md</code> in <a href="/docs/guide#1-start-the-service">the repository</a>) </p>',
    );
  });

  it("escape what they show, and refuse Markdown that has no look", async () => {
    const rendering = { link: () => undefined, baseUrl: "" };
    const { body } = guidePage("a < b & `c > d`\n\n```ts\nconst e = f<g>;\n```", rendering);
    expect(String(await body)).toContain("<p>a &lt; b &amp; <code>c &gt; d</code></p>");
    expect(String(await body)).toContain("<code>const e = f&lt;g&gt;;</code>");
    expect(() => guidePage("<b>bold</b>", rendering)).toThrow("has no look");
  });
});

describe("the samples", () => {
  it("of a sign-in show its response without a second factor, whose fields exclude the session", () => {
    const response = samplesOf("Response").get("auth.signInEmail")!;
    expect(JSON.parse(response)).toMatchObject({ user: { banned: false, banReason: null }, redirect: false });
    expect(response).not.toContain("twoFactorRedirect");
  });

  it("have an input that the contract of the operation accepts", () => {
    const invalid = operations.flatMap((operation) => {
      const input = contractInput(operation, sampleInput(operation, document.components.schemas));
      const { error } = operation.contract.safeParse(input);
      return error ? [`${operation.operationId}: ${error.message}`] : [];
    });
    expect(invalid).toEqual([]);
  });

  it("in curl run unchanged, and answer a query with the reader's data", async () => {
    const samples = samplesOf("curl");
    const isRest = ({ route }: (typeof operations)[number]) => route !== undefined;
    const rest = operations.filter(isRest).map(({ operationId }) => operationId);
    const own = await statusesOf(
      queries.map(({ operationId }) => [operationId, withOwnIds(samples.get(operationId)!)]),
    );
    const failed = [...own].filter(([name, { status }]) => status !== (refused[name] ?? "200"));
    expect(failed).toEqual([]);

    const asTheyStand = await statusesOf(rest.map((name) => [name, samples.get(name)!]));
    // The fictional company of the examples does not exist here. Nothing is wrong with the request itself.
    const malformed = [...asTheyStand].filter(([, { status }]) => !/^(20.|403|404)$/.test(status));
    expect(malformed).toEqual([]);
  });

  it("in TypeScript compile with the client, and answer a query with the reader's data", async () => {
    const project = await createTypeScriptProject();
    try {
      const samples = samplesOf("TypeScript");
      const inClient = operations.filter(({ isInClient }) => isInClient);
      expect([...samples.keys()].toSorted()).toEqual(
        inClient.map(({ operationId }) => operationId).toSorted(),
      );
      await project.write(
        Object.fromEntries([...samples].map(([name, text]) => [`${name}.ts`, withOwnIds(text)])),
      );
      expect(await project.check()).toBe("");
      // It never ends.
      expect(samples.get("events.stream")).toMatch(/^for await \(const value of purser\.events\.stream\(/m);
      const run = queries.filter(({ operationId }) => !(operationId in refused));
      await project.write({
        "all.js": run.map(({ operationId }) => `await import("./${operationId}.ts");`).join("\n"),
      });
      const env = { TOKEN: await tokenOf(scene.people.owner) };
      expect(await project.run("all.js", env)).toMatchObject({ code: 0 });
    } finally {
      await project.remove();
    }
  });
});

/** Runs commands in one shell, as the owner. Returns the status and the body of each response. */
async function statusesOf(samples: [name: string, command: string][]) {
  const lines = samples.map(([name, command]) => `NAME=${name}\n${command}`);
  const script = `curl() { command curl -s -w '\\n@%{http_code} '"$NAME"'\\n' "$@"; }\n${lines.join("\n")}`;
  const env = { TOKEN: await tokenOf(scene.people.owner) };
  const { code, stdout, stderr } = await runShell(script, { folder, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const answers = [...stdout.matchAll(/(.*?)\n@(\d+) (\S+)\n/gs)];
  expect(answers.length).toBe(samples.length);
  return new Map(answers.map(([, body = "", status = "", name = ""]) => [name, { status, body }]));
}

/** The bytes of a response's body as they are sent to a browser, which accepts compression. */
async function bytesSent(path: string): Promise<number> {
  const headers = { "accept-encoding": "gzip, deflate, br" };
  const [response] = (await once(get(server.base + path, { headers }), "response")) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).byteLength;
  return bytes;
}

function idsOf(page: string): Set<string> {
  return new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
}
