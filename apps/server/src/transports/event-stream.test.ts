import { type Person, organizationKeySecret, testSettings } from "@purser/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

const base = "http://localhost:3000";
let service: TestService;
let owner: Person;
let headers: Record<string, string>;
let organizationId: string;
const open = new Set<SseReader>();

beforeAll(async () => {
  const { httpLimits } = testSettings();
  service = await createTestService({ settings: { httpLimits: { ...httpLimits, responseTimeoutMs: 5000 } } });
});
afterAll(() => service.close());
beforeEach(async () => {
  owner = await service.purser.person();
  headers = await service.signedIn(owner);
  organizationId = await service.purser.organization(owner);
});
afterEach(async () => {
  for (const reader of open) await reader.cancel();
  open.clear();
  await expect.poll(() => streams().size).toBe(0);
});

const streams = () => service.purser.platform.eventStreams;
const rename = (name: string) => service.purser.as(owner).organizations.update({ id: organizationId, name });

interface Message {
  event?: string;
  id?: string;
  data?: string;
  retry?: string;
  comment?: string;
}

/** Reads the messages of a response, which end with blank lines. */
class SseReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor({ body }: Response) {
    this.#reader = body!.getReader();
    open.add(this);
  }

  /** Returns the next message but heartbeats, or null at the end. */
  async next(): Promise<Message | null> {
    for (;;) {
      const message = await this.nextOrHeartbeat();
      if (message?.comment !== "heartbeat") return message;
    }
  }

  async nextOrHeartbeat(): Promise<Message | null> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const lines = this.#text.slice(0, end).split("\n");
        this.#text = this.#text.slice(end + 2);
        return Object.fromEntries(
          lines.map((line) => {
            const [name = "", value = ""] = line.split(/:\s?(.*)/);
            return [name || "comment", value];
          }),
        );
      }
      const { done, value } = await this.#reader.read();
      if (done) return null;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

const get = (path: string, more: Record<string, string> = {}) =>
  service.app.request(`${base}${path}`, { headers: { ...headers, ...more } });
const rest = (query = "", more: Record<string, string> = {}) =>
  get(`/api/events/stream?organizationId=${organizationId}${query}`, more);
const trpc = (input: object = {}, more: Record<string, string> = {}) => {
  const text = encodeURIComponent(JSON.stringify({ organizationId, ...input }));
  return get(`/trpc/events.stream?input=${text}`, more);
};
const problemOfResponse = async (response: Response) => {
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, code, retryAfter: response.headers.get("retry-after") };
};

describe("events.stream over REST", () => {
  it("sends headers that no proxy buffers, stores or compresses, and a place before any event", async () => {
    const response = await rest("", { "accept-encoding": "br, gzip" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "no-store, no-transform",
      "content-type": "text/event-stream",
      "x-accel-buffering": "no",
    });
    expect(response.headers.has("content-encoding")).toBe(false);
    const first = await new SseReader(response).next();
    expect(first).toEqual({
      retry: expect.stringMatching(/^\d{4}$/),
      id: expect.any(String),
      comment: "connected",
    });
  });

  it("sends each event with its type, its cursor, and the JSON that a list has", async () => {
    const reader = new SseReader(await rest());
    await reader.next();
    await rename("One");
    const message = await reader.next();
    const listed = (await (await get(`/api/events?organizationId=${organizationId}`)).json()) as object[];
    expect({ ...message, data: JSON.parse(message!.data!) }).toEqual({
      event: "organization.updated",
      id: expect.any(String),
      data: listed[0],
    });
    const feed = await get(`/api/events/feed?organizationId=${organizationId}&cursor=${message!.id}`);
    expect(await feed.json()).toMatchObject({ events: [], hasMore: false });
  });

  it("continues after the id of the header, else of the query", async () => {
    const reader = new SseReader(await rest());
    const ids = [(await reader.next())!.id!];
    for (const name of ["One", "Two"]) {
      await rename(name);
      ids.push((await reader.next())!.id!);
    }
    const firstFrom = async (response: Response) => {
      const other = new SseReader(response);
      await other.next();
      return JSON.parse((await other.next())!.data!).data.name as string;
    };
    expect(await firstFrom(await rest(`&lastEventId=${ids[0]}`))).toBe("One");
    expect(await firstFrom(await rest("", { "last-event-id": ids[1]! }))).toBe("Two");
    expect(await firstFrom(await rest(`&lastEventId=${ids[0]}`, { "last-event-id": ids[1]! }))).toBe("Two");
  });

  it("answers what it refuses with a problem document", async () => {
    const wrong = await rest("&types=card.eaten");
    expect(await problemOfResponse(wrong)).toMatchObject({ status: 400, code: "VALIDATION_FAILED" });
    const cursor = await rest("", { "last-event-id": "x" });
    expect(await problemOfResponse(cursor)).toMatchObject({ status: 400, code: "VALIDATION_FAILED" });
    headers = {};
    expect(await problemOfResponse(await rest())).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    headers = await service.signedIn(await service.purser.person());
    expect(await problemOfResponse(await rest())).toMatchObject({
      status: 404,
      code: "ORGANIZATION_NOT_FOUND",
    });
  });

  it("answers HEAD without a stream", async () => {
    const response = await service.app.request(`${base}/api/events/stream?organizationId=${organizationId}`, {
      method: "HEAD",
      headers,
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(streams().size).toBe(0);
  });

  it("sends a comment with the present place every 15 seconds", async () => {
    const reader = new SseReader(await rest("&types=card.created"));
    const first = await reader.next();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const next = reader.nextOrHeartbeat();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(await next).toEqual({ comment: "heartbeat", id: expect.any(String) });
      expect(first!.id).toEqual(expect.any(String));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("events.stream over tRPC", () => {
  it("speaks the protocol of httpSubscriptionLink", async () => {
    const reader = new SseReader(await trpc());
    const connected = await reader.next();
    expect(connected).toMatchObject({ event: "connected", id: expect.any(String) });
    await rename("One");
    const { data, id, event } = (await reader.next())!;
    expect(event).toBeUndefined();
    expect(JSON.parse(data!)).toMatchObject({
      type: "organization.updated",
      createdAt: `\u0001D${service.purser.clock.now().toISOString()}`,
    });
    await rename("Two");
    const resumed = new SseReader(await trpc({ lastEventId: connected!.id }, { "last-event-id": id! }));
    await resumed.next();
    expect(JSON.parse((await resumed.next())!.data!)).toMatchObject({ data: { name: "Two" } });
  });

  it("refuses batches, POST and connectionParams", async () => {
    const batch = await get("/trpc/events.stream,events.stream?batch=1&input={}");
    expect(batch.status).toBe(400);
    const post = await service.app.request(`${base}/trpc/events.stream`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ organizationId }),
    });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await get("/trpc/events.stream?connectionParams={}")).status).toBe(400);
  });

  it("answers what it refuses with an error of tRPC", async () => {
    headers = {};
    const response = await trpc();
    const { error } = (await response.json()) as { error: { data: { problem: { code: string } } } };
    expect([response.status, error.data.problem.code]).toEqual([401, "UNAUTHENTICATED"]);
  });
});

describe("a stream", () => {
  it("ends with the problem when its session ends, on REST and tRPC", async () => {
    const readers = [new SseReader(await rest()), new SseReader(await trpc())];
    for (const reader of readers) await reader.next();
    const signOut = await service.app.request(`${base}/api/auth/sign-out`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    });
    expect(signOut.status).toBe(200);
    await rename("Secret");
    const [onRest, onTrpc] = await Promise.all(readers.map((reader) => reader.next()));
    expect(onRest).toMatchObject({ event: "error" });
    expect(JSON.parse(onRest!.data!)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(onTrpc).toMatchObject({ event: "serialized-error" });
    expect(JSON.parse(onTrpc!.data!)).toMatchObject({ data: { problem: { code: "UNAUTHENTICATED" } } });
    for (const reader of readers) expect(await reader.next()).toBeNull();
  });

  it("ends when its key is revoked", async () => {
    const { keyId } = await service.purser.organizationKey(organizationId, "read");
    headers = { "x-api-key": organizationKeySecret(keyId) };
    const reader = new SseReader(await rest());
    await reader.next();
    await rename("One");
    expect(await reader.next()).toMatchObject({ event: "organization.updated" });
    await service.purser.as(owner).keys.revoke({ id: keyId });
    await rename("Secret");
    const last = await reader.next();
    expect(JSON.parse(last!.data!)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(await reader.next()).toBeNull();
  });

  it("is one of 20 per credential, whatever else the credential comes with", async () => {
    for (let count = 0; count < 20; count += 1) await new SseReader(await rest()).next();
    const refused = await problemOfResponse(await rest("", { "x-other": "1" }));
    expect(refused).toEqual({ status: 429, code: "RATE_LIMITED", retryAfter: "5" });
    expect((await trpc()).status).toBe(429);
    headers = await service.signedIn(owner);
    expect(await new SseReader(await rest()).next()).not.toBeNull();
  });

  it("is closed if its client does not read", async () => {
    const reader = new SseReader(await rest());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await reader.next();
      await vi.advanceTimersByTimeAsync(5000);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(() => streams().size).toBe(0);
  });
});

describe("a process that stops", () => {
  it("asks the clients of its streams to connect again a little later, and ends them", async () => {
    const stopping = await createTestService();
    const person = await stopping.purser.person();
    const id = await stopping.purser.organization(person);
    const request = async () =>
      stopping.app.request(`${base}/api/events/stream?organizationId=${id}`, {
        headers: await stopping.signedIn(person),
      });
    const reader = new SseReader(await request());
    await reader.next();
    stopping.purser.platform.eventStreams.drain();
    expect(Number((await reader.next())!.retry)).toBeGreaterThanOrEqual(500);
    expect(await reader.next()).toBeNull();
    expect(await problemOfResponse(await request())).toMatchObject({ status: 503, retryAfter: "1" });
    await stopping.close();
  });
});
