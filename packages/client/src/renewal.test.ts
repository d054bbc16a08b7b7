import { AsyncLocalStorage } from "node:async_hooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createPurserClient } from "./client.ts";
import { PurserError } from "./error.ts";
import type { PurserClientOptions } from "./options.ts";

type Respond = (request: Request) => Response | Promise<Response>;

/** A client whose server answers with these responses, the last of them again and again. */
function clientOf(responses: Respond[], options: Partial<PurserClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    requests.push(request);
    return (responses.length > 1 ? responses.shift() : responses[0])!(request);
  };
  const client = createPurserClient({ baseUrl: "https://purser.example", fetch, batch: false, ...options });
  return { client, requests };
}

const result =
  (data: unknown): Respond =>
  () =>
    Response.json({ result: { data } });
const refused: Respond = () =>
  Response.json(
    { code: "UNAUTHENTICATED", status: 401, detail: "Sign in.", requestId: "req_1", retryable: false },
    { status: 401 },
  );
const id = "org_1";

describe("onUnauthorized", () => {
  /** A server that knows only the token `new`. */
  const guarded: Respond = (request) =>
    request.headers.get("authorization") === "Bearer new" ? result(null)(request) : refused(request);

  it("renews the token once for all calls that fail together, and repeats each of them once", async () => {
    const onUnauthorized = vi.fn<() => Promise<string>>(async () => "new");
    const { client, requests } = clientOf([guarded], { token: "old", onUnauthorized });
    const keys = { idempotencyKey: "key-1" };
    const outputs = await Promise.all([
      client.organizations.get({ id }),
      client.organizations.delete({ id }, keys),
      client.organizations.get({ id }),
    ]);
    expect(outputs).toEqual([null, null, null]);
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    expect(requests).toHaveLength(6);
    const mutations = requests.filter(({ method }) => method === "POST");
    expect(mutations.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["key-1", "key-1"]);
    await client.organizations.get({ id });
    expect([requests.length, onUnauthorized.mock.calls.length]).toEqual([7, 1]);
  });

  it("does not renew again for a call that began before and fails after the renewal", async () => {
    const slow = Promise.withResolvers<void>();
    const { client, requests } = clientOf(
      [
        async (request) => {
          await slow.promise;
          return guarded(request);
        },
        guarded,
      ],
      { token: "old", onUnauthorized: () => "new" },
    );
    const first = client.organizations.get({ id });
    await client.organizations.get({ id });
    slow.resolve();
    expect(await first).toBeNull();
    expect(requests).toHaveLength(4);
  });

  it("renews the credential of each person by itself, and gives no person the token of another", async () => {
    const person = new AsyncLocalStorage<string>();
    const isNew: Respond = (request) =>
      request.headers.get("authorization")?.startsWith("Bearer new-")
        ? result(request.headers.get("authorization"))(request)
        : refused(request);
    const onUnauthorized = vi.fn<() => Promise<string>>(async () => `new-${person.getStore()}`);
    const token = () => `old-${person.getStore()}`;
    const { client, requests } = clientOf([isNew], { token, onUnauthorized });
    const readAs = (name: string) =>
      person.run(name, () => client.organizations.get({ id }) as Promise<unknown>);
    const names = ["ada", "grace", "ada", "grace"];
    const expected = names.map((name) => `Bearer new-${name}`);
    expect(await Promise.all(names.map(readAs))).toEqual(expected);
    expect(onUnauthorized).toHaveBeenCalledTimes(2);
    // The function still returns the refused tokens.
    expect(await Promise.all(names.map(readAs))).toEqual(expected);
    expect([requests.length, onUnauthorized.mock.calls.length]).toEqual([12, 2]);
  });

  it.each([
    ["a function for the token", { token: () => null }],
    ["a function for the headers", { headers: () => ({}) }],
  ])("renews those who have no credential one by one, with %s", async (_, options) => {
    const person = new AsyncLocalStorage<string>();
    const who: Respond = (request) =>
      request.headers.has("authorization")
        ? result(request.headers.get("authorization"))(request)
        : refused(request);
    const onUnauthorized = vi.fn<() => Promise<string>>(async () => `new-${person.getStore()}`);
    const { client } = clientOf([who], { ...options, onUnauthorized });
    const readAs = (name: string) =>
      person.run(name, () => client.organizations.get({ id }) as Promise<unknown>);
    const names = ["ada", "grace"];
    expect(await Promise.all(names.map(readAs))).toEqual(["Bearer new-ada", "Bearer new-grace"]);
    expect(onUnauthorized).toHaveBeenCalledTimes(2);
    expect(await readAs("grace")).toBe("Bearer new-grace");
  });

  it("renews once for all calls without a credential if the function then returns one", async () => {
    let token: string | null = null;
    const onUnauthorized = vi.fn<() => Promise<string | null>>(async () => (token = "new"));
    const { client } = clientOf([guarded], { token: () => token, onUnauthorized });
    const read = () => client.organizations.get({ id }) as Promise<unknown>;
    expect(await Promise.all([read(), read(), read()])).toEqual([null, null, null]);
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["returns null", async () => null],
    ["throws", () => Promise.reject(new Error("No session"))],
  ])("renews for each person who has no credential, although the renewal of another %s", async (_, fail) => {
    const person = new AsyncLocalStorage<string>();
    const onUnauthorized = vi.fn<() => Promise<string | null>>(async () =>
      person.getStore() === "ada" ? fail() : "new",
    );
    const { client } = clientOf([guarded], { token: () => null, onUnauthorized });
    const readAs = (name: string) =>
      person.run(name, () => client.organizations.get({ id }) as Promise<unknown>);
    const [ada, grace] = await Promise.allSettled(["ada", "grace"].map(readAs));
    expect(ada!.status).toBe("rejected");
    expect(grace).toEqual({ status: "fulfilled", value: null });
    expect(onUnauthorized).toHaveBeenCalledTimes(2);
  });

  it("does not renew for a call that ended while others without a credential were renewed", async () => {
    const first = Promise.withResolvers<null>();
    const onUnauthorized = vi.fn<() => Promise<null>>(() => first.promise);
    const { client, requests } = clientOf([guarded], { token: () => null, onUnauthorized });
    const slow = client.organizations.get({ id });
    await expect.poll(() => onUnauthorized.mock.calls.length).toBe(1);
    const leaving = new AbortController();
    const left = client.organizations.get({ id }, { signal: leaving.signal });
    await expect.poll(() => requests.length).toBe(2);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "ABORTED" });
    first.resolve(null);
    await expect(slow).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
  });

  describe("in a page, whose calls are all of one person", () => {
    const ten = Array.from({ length: 10 }, (_, index) => index);
    beforeEach(() => void vi.stubGlobal("location", { href: "https://purser.example/" }));

    it("renews a cookie once, also for calls that are refused afterwards", async () => {
      let isSignedIn = false;
      const slow = Promise.withResolvers<void>();
      const late: Respond = async (request) => {
        await slow.promise;
        return refused(request);
      };
      const byCookie: Respond = (request) => (isSignedIn ? result(null) : refused)(request);
      const onUnauthorized = vi.fn<() => void>(() => void (isSignedIn = true));
      const headers = () => ({ traceparent: "00-1-1-00" });
      const { client, requests } = clientOf([late, byCookie], { headers, onUnauthorized });
      const calls = ten.map(() => client.organizations.get({ id }) as Promise<unknown>);
      expect(await Promise.all(calls.slice(1))).toEqual(ten.slice(1).map(() => null));
      slow.resolve();
      expect(await calls[0]).toBeNull();
      expect([requests.length, onUnauthorized.mock.calls.length]).toEqual([20, 1]);
    });

    it("renews once for all calls if there is no credential", async () => {
      const onUnauthorized = vi.fn<() => Promise<null>>(async () => null);
      const { client } = clientOf([guarded], { token: () => null, onUnauthorized });
      const outcomes = await Promise.allSettled(ten.map(() => client.organizations.get({ id })));
      expect(outcomes).toMatchObject(ten.map(() => ({ reason: { code: "UNAUTHENTICATED" } })));
      expect(onUnauthorized).toHaveBeenCalledTimes(1);
    });

    it("renews once for all calls, and keeps no token that the function does not return later", async () => {
      const onUnauthorized = vi.fn<() => Promise<string>>(async () => "new");
      const { client, requests } = clientOf([guarded], { token: () => null, onUnauthorized });
      const calls = ten.map(() => client.organizations.get({ id }) as Promise<unknown>);
      expect(await Promise.all(calls)).toEqual(ten.map(() => null));
      expect(onUnauthorized).toHaveBeenCalledTimes(1);
      // Otherwise a person who signs out would stay signed in.
      await client.organizations.get({ id });
      expect(requests.slice(-2).map(({ headers }) => headers.get("authorization"))).toEqual([
        null,
        "Bearer new",
      ]);
      expect(onUnauthorized).toHaveBeenCalledTimes(2);
    });
  });

  it("replaces a refused API key", async () => {
    const keyless: Respond = (request) =>
      request.headers.has("x-api-key") ? refused(request) : guarded(request);
    const headers = { "x-api-key": "ended" };
    const { client } = clientOf([keyless], { headers, onUnauthorized: () => "new" });
    expect(await client.organizations.get({ id })).toBeNull();
  });

  it("leaves the token of a function in use once it differs from the refused one", async () => {
    let token = "old";
    const { client, requests } = clientOf([guarded, guarded, result(null)], {
      token: () => token,
      onUnauthorized: () => "new",
    });
    await client.organizations.get({ id });
    token = "newest";
    await client.organizations.get({ id });
    const sent = requests.map(({ headers }) => headers.get("authorization"));
    expect(sent).toEqual(["Bearer old", "Bearer new", "Bearer newest"]);
  });

  it("does not renew a credential that the call brings itself", async () => {
    const onUnauthorized = vi.fn<() => string>(() => "new");
    const { client, requests } = clientOf([guarded], { token: "old", onUnauthorized });
    for (const headers of [{ Authorization: "Bearer own" }, { "X-Api-Key": "own" }, { cookie: "own=1" }])
      await expect(client.organizations.get({ id }, { headers })).rejects.toMatchObject({ status: 401 });
    expect([requests.length, onUnauthorized.mock.calls.length]).toEqual([3, 0]);
  });

  it("is not called for a refusal of the function for the token", async () => {
    const own = new PurserError("UNAUTHENTICATED", "Sign in.", { status: 401 });
    const onUnauthorized = vi.fn<() => string>(() => "new");
    const { client } = clientOf([guarded], { token: () => Promise.reject(own), onUnauthorized });
    await expect(client.organizations.get({ id })).rejects.toMatchObject({ message: "Sign in." });
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  it("may leave the new credential to a function", async () => {
    let token = "old";
    const onUnauthorized = () => void (token = "new");
    const { client, requests } = clientOf([guarded], { token: () => token, onUnauthorized });
    expect(await client.organizations.get({ id })).toBeNull();
    expect(requests).toHaveLength(2);
  });

  it("repeats no call a second time, and none without a new credential", async () => {
    const still = clientOf([refused], { token: "old", onUnauthorized: () => "useless" });
    await expect(still.client.organizations.get({ id })).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(still.requests).toHaveLength(2);
    const none = clientOf([refused], { onUnauthorized: () => null });
    await expect(none.client.organizations.get({ id })).rejects.toMatchObject({ status: 401 });
    expect(none.requests).toHaveLength(1);
  });

  it("passes its own error on, and is called again the next time", async () => {
    const failure = new Error("No network");
    const onUnauthorized = vi.fn<() => string>().mockImplementationOnce(() => {
      throw failure;
    });
    onUnauthorized.mockReturnValue("new");
    const { client } = clientOf([guarded], { onUnauthorized });
    await expect(client.organizations.get({ id })).rejects.toBe(failure);
    expect(await client.organizations.get({ id })).toBeNull();
  });
});
