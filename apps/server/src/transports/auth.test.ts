import { testSettings } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type TestService, type TestServiceOptions, createTestService } from "../testing/service.ts";

const base = "http://localhost:3000";
const large = "x".repeat(1024 * 1024 + 1);
const json = { "content-type": "application/json" };
/** More than fits into the memory of the service below. */
const tooMuchForNow = JSON.stringify({ email: "sam@example.com", password: "x".repeat(20_000) });

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});
afterAll(() => service.close());

async function started(settings: NonNullable<TestServiceOptions["settings"]>): Promise<TestService> {
  const other = await createTestService({ settings });
  onTestFinished(() => other.close());
  return other;
}

async function send({ app }: TestService, path: string, init: RequestInit) {
  const response = await app.request(base + path, init);
  return { response, body: (await response.json()) as Record<string, unknown> };
}

const signIn = (one: TestService, init: RequestInit = {}) =>
  send(one, "/api/auth/sign-in/email", { method: "POST", headers: json, body: "{}", ...init });

describe("a request under /api/auth", () => {
  it("is refused for its path and its method before its size and its type", async () => {
    const nowhere = await send(service, "/api/auth/nope", { method: "POST", body: large });
    expect([nowhere.response.status, nowhere.body["code"]]).toEqual([404, "NOT_FOUND"]);
    for (const [method, path, allow] of [
      ["PUT", "/api/auth/get-session", "GET, HEAD"],
      ["POST", "/api/auth/get-session", "GET, HEAD"],
      ["PATCH", "/api/auth/sign-in/email", "POST"],
    ] as const) {
      const { response, body } = await send(service, path, { method, body: large });
      expect([response.status, body["code"]]).toEqual([405, "METHOD_NOT_ALLOWED"]);
      expect(response.headers.get("allow")).toBe(allow);
    }
  });

  it("is refused for its path, method, size and type before it counts against a limit", async () => {
    const limited = await started({ requestsPerCaller: 1 });
    const refused = [
      await send(limited, "/api/auth/nope", { method: "POST" }),
      await send(limited, "/api/auth/get-session", { method: "POST" }),
      await signIn(limited, { body: large }),
      await signIn(limited, { headers: { "content-type": "text/plain" } }),
    ];
    expect(refused.map(({ response }) => response.status)).toEqual([404, 405, 413, 415]);
    expect((await signIn(limited)).response.status).toBe(400);
    const again = [
      await send(limited, "/api/auth/nope", { method: "POST" }),
      await signIn(limited, { headers: { "content-type": "text/plain" } }),
      await signIn(limited),
    ];
    expect(again.map(({ response }) => response.status)).toEqual([404, 415, 429]);
  });

  it.each([
    ["413", "PAYLOAD_TOO_LARGE", {}, { body: large }, { connection: "close" }],
    ["429", "RATE_LIMITED", { requestsPerCaller: 0 }, {}, { "retry-after": expect.stringMatching(/^\d+$/) }],
    [
      "503",
      "UNAVAILABLE",
      { httpLimits: { ...testSettings().httpLimits, bodyMemoryBytes: 20_000 } },
      { body: tooMuchForNow },
      { "retry-after": "1" },
    ],
  ] as const)(
    "has the message of an error beside its problem: %s",
    async (status, code, settings, init, told) => {
      // A browser's request for a page, which gets no page here.
      const headers = { ...json, accept: "text/html" };
      const { response, body } = await signIn(await started(settings), { headers, ...init });
      expect(body).toMatchObject({
        status: Number(status),
        code,
        message: expect.any(String),
        detail: body["message"],
      });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(Object.fromEntries(response.headers)).toMatchObject(told);
    },
  );

  it("is logged with its endpoint, and its user if it needs one", async () => {
    const lines: object[] = [];
    const logger = { debug() {}, info: (facts: object) => void lines.push(facts), warn() {}, error() {} };
    const logged = await createTestService({ logger });
    onTestFinished(() => logged.close());
    const person = await logged.purser.person();
    const headers = { ...json, ...(await logged.signedIn(person)) };
    await send(logged, "/api/auth/api-key/delete", { method: "POST", headers, body: "{}" });
    await signIn(logged);
    await send(logged, "/api/auth/nope", { method: "POST" });
    expect(lines).toMatchObject([
      { method: "POST", route: "/api/auth/api-key/delete", status: 400, userId: person.userId },
      { method: "POST", route: "/api/auth/sign-in/email", status: 400 },
      { method: "POST", route: "/api/auth/*", status: 404 },
    ]);
    expect(lines[1]).not.toHaveProperty("userId");
  });
});
