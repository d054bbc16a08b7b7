import { accounts, users } from "@purser/db";
import { countWaitingForLocks } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Reply, type TestAuth, createTestAuth, password, tokenIn } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const parallel = 8;
const times = <Output>(run: (index: number) => Promise<Output>) =>
  Promise.all(Array.from({ length: parallel }, (_, index) => run(index)));
const taken = { status: 422, body: { code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" } };
const accepted = (replies: Reply[]) => replies.filter(({ status }) => status === 200);
const refused = (replies: Reply[]) =>
  replies.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body["code"]]);

/** Has the user request a change of address, and returns the path of its link. */
async function requestChange(client: Awaited<ReturnType<TestAuth["signUp"]>>["client"], newEmail: string) {
  await test.mails();
  expect((await client.post("/change-email", { newEmail })).status).toBe(200);
  return `/verify-email?token=${tokenIn((await test.mails()).find(({ to }) => to === newEmail))}`;
}

describe("verify-email", () => {
  it("refuses a change to an address that was taken meanwhile", async () => {
    const { client, userId } = await test.signUpVerified("late@example.com");
    const link = await requestChange(client, "wanted@example.com");
    await test.signUp("wanted@example.com");
    expect(await client.get(link)).toMatchObject(taken);
    // The link is not used up, because nothing changed.
    await test.purser.db.delete(users).where(eq(users.email, "wanted@example.com"));
    expect((await client.get(link)).status).toBe(200);
    const [user] = await test.purser.db.select().from(users).where(eq(users.id, userId));
    expect(user?.email).toBe("wanted@example.com");
  });

  it("gives an address to one of several users who want it at once", async () => {
    const people = await times((index) => test.signUp(`rival-${index}@example.com`));
    const links: string[] = [];
    for (const { client } of people) links.push(await requestChange(client, "prize@example.com"));
    const replies = await Promise.all(people.map(({ client }, index) => client.get(links[index]!)));
    expect(accepted(replies)).toHaveLength(1);
    expect(refused(replies)).toEqual(Array.from({ length: parallel - 1 }, () => [422, taken.body.code]));
  });
});

describe("an address that several requests want at once", () => {
  it("goes to one sign-up", async () => {
    const body = { email: "race@example.com", password, name: "Sam" };
    const replies = await times(() => test.client().post("/sign-up/email", body));
    expect(accepted(replies)).toHaveLength(1);
    expect(refused(replies)).toEqual(Array.from({ length: parallel - 1 }, () => [422, taken.body.code]));
  });

  it("goes to one user that an administrator creates", async () => {
    const { client } = await test.signUpVerified("boss@example.com");
    await test.auth.makeAdministrator("boss@example.com");
    const body = { email: "made@example.com", password, name: "Sam" };
    const replies = await times(() => client.post("/admin/create-user", body));
    expect(accepted(replies)).toHaveLength(1);
    for (const [status, code] of refused(replies)) {
      expect([400, 422]).toContain(status);
      expect(code).toBe("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
    }
  });
});

describe("concurrent requests of one user", () => {
  it("set up one second factor", async () => {
    const { client } = await test.signUp("factor@example.com");
    const replies = await times(() => client.post("/two-factor/enable", { password }));
    expect(accepted(replies).length).toBeGreaterThanOrEqual(1);
    for (const [status, code] of refused(replies)) expect([status, code]).toEqual([409, "CONFLICT"]);
  });

  it("set one first password by several reset links", async () => {
    const { id } = await test.auth.createUser({ email: "first@example.com", name: "Sam" });
    const tokens: string[] = [];
    for (let mail = 0; mail < 4; mail += 1) {
      await test.client().post("/request-password-reset", { email: "first@example.com" });
      tokens.push(tokenIn((await test.mails())[0]));
    }
    const replies = await Promise.all(
      tokens.map((token, index) =>
        test.client().post("/reset-password", { token, newPassword: `password ${index}` }),
      ),
    );
    // A request that begins after the end of another has a valid link of its own.
    expect(accepted(replies).length).toBeGreaterThanOrEqual(1);
    for (const refusal of refused(replies))
      expect([
        [409, "CONFLICT"],
        [400, "INVALID_TOKEN"],
      ]).toContainEqual(refusal);
    expect(await test.purser.db.select().from(accounts).where(eq(accounts.userId, id))).toHaveLength(1);
  });

  it.each([
    ["/sign-in/email", (email: string) => ({ email, password })],
    ["/api-key/create", () => ({ name: "late" })],
    ["/two-factor/enable", () => ({ password })],
  ])("are unauthenticated at %s if the user is deleted before they end", async (path, bodyOf) => {
    const email = `leaver${path.replaceAll("/", "-")}@example.com`;
    const { client, userId } = await test.signUp(email);
    const { db } = test.purser;
    const reply = await db.transaction(async (transaction) => {
      await transaction.delete(users).where(eq(users.id, userId));
      const pending = client.post(path, bodyOf(email));
      await expect.poll(() => countWaitingForLocks(db)).toBe(1);
      return { pending };
    });
    expect(await reply.pending).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  });
});
