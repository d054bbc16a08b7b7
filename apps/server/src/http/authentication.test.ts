import { minute } from "@purser/core/testing";
import { sessions } from "@purser/db";
import { recordWork } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

const base = "http://localhost:3000";
const recorder = recordWork();
let service: TestService;

beforeAll(async () => {
  service = await createTestService({ settings: { requestsPerCaller: 2 }, tracer: recorder.tracer });
});
afterAll(async () => {
  recorder.stop();
  await service.close();
});
// A new minute for the limits.
beforeEach(() => service.purser.clock.advance(minute));

type Credential = Record<string, string>;
const call = async (headers: Credential = {}) => service.app.request(`${base}/api/me`, { headers });
const statusOf = async (headers?: Credential) => (await call(headers)).status;

/** The token of a session that was ended. */
async function endedSession(): Promise<string> {
  const { purser, auth } = service;
  const { userId } = await purser.person();
  const token = await auth.openSession(userId);
  await purser.db.delete(sessions).where(eq(sessions.userId, userId));
  return token;
}

describe("a credential that fails", () => {
  it.each([
    ["a key of an organization", async () => ({ "x-api-key": "purser_org_x" })],
    ["a key of a user", async () => ({ "x-api-key": "purser_x" })],
    ["a bearer token", async () => ({ authorization: `Bearer ${await endedSession()}` })],
    ["a cookie", async () => ({ cookie: `better-auth.session_token=${await endedSession()}` })],
  ])("is not looked up once the client's network is limited: %s", async (_what, headersOf) => {
    const headers: Credential = await headersOf();
    const looking = await recorder.measure(() => call(headers));
    expect(looking.statements).not.toEqual([]);
    expect([await statusOf(headers), await statusOf(headers)]).toEqual([401, 429]);
    const refused = await recorder.measure(async () => {
      const response = await call(headers);
      expect([response.status, response.headers.get("retry-after")]).toEqual([429, "60"]);
    });
    expect(refused.statements).toEqual([]);
  });

  it("does not exclude the valid credentials of its network", async () => {
    const { purser, signedIn } = service;
    const [known, revoked] = [await signedIn(await purser.person()), await signedIn(await purser.person())];
    expect([await statusOf(known), await statusOf(revoked)]).toEqual([200, 200]);
    const failing = { "x-api-key": "purser_x" };
    for (const status of [401, 401, 429, 429]) expect(await statusOf(failing)).toBe(status);
    expect(await statusOf(known)).toBe(200);
    // A known credential that fails is no longer known.
    await purser.db.delete(sessions);
    await call(revoked);
    expect((await recorder.measure(() => call(revoked))).statements).toEqual([]);
  });

  it("is limited apart from the anonymous requests of its network", async () => {
    for (const status of [401, 401, 429]) expect(await statusOf()).toBe(status);
    const { purser, signedIn } = service;
    expect(await statusOf(await signedIn(await purser.person()))).toBe(200);
  });
});
