import { minute } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "./endpoints.ts";
import { type Reply, type TestAuth, base, createTestAuth, password, tokenIn } from "./testing/client.ts";
import { totp, wrongTotp } from "./testing/totp.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth({ authAttemptsPerAddress: 60, authAttemptsPerAccount: 10 });
});
afterAll(() => test.purser.close());

const signIn = (email: string, secret: string, client = test.client()) =>
  client.post("/sign-in/email", { email, password: secret });
const statuses = (replies: Reply[]) => Object.entries(Object.groupBy(replies, ({ status }) => status));
const counts = (replies: Reply[]) =>
  Object.fromEntries(statuses(replies).map(([status, all]) => [status, all!.length]));
const times = <Output>(count: number, run: (index: number) => Promise<Output>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

describe("AUTH_ATTEMPTS_PER_ACCOUNT", () => {
  it("admits ten of 100 concurrent wrong passwords, and then refuses the right one too", async () => {
    await test.signUp("target@example.com");
    const replies = await times(100, (index) => signIn("target@example.com", `wrong password ${index}`));
    expect(counts(replies)).toEqual({ 401: 10, 429: 90 });
    const refused = await signIn("target@example.com", password);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED", status: 429, requestId: "req_test" },
    });
    expect(Number(refused.headers.get("retry-after"))).toBe(900);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    test.purser.clock.advance(15 * minute);
    expect((await signIn("target@example.com", password)).status).toBe(200);
  });

  it("does not reveal whether an account exists", async () => {
    const replies = await times(20, (index) => signIn("Nobody@example.com", `wrong password ${index}`));
    expect(counts(replies)).toEqual({ 401: 10, 429: 10 });
    expect((await signIn("nobody@EXAMPLE.com", password)).status).toBe(429);
  });

  it("does not count successful attempts", async () => {
    await test.signUp("frequent@example.com");
    expect(counts(await times(15, () => signIn("frequent@example.com", password)))).toEqual({ 200: 15 });
  });

  it("does not affect other accounts", async () => {
    await test.signUp("neighbor@example.com");
    await times(10, (index) => signIn("someone@example.com", `wrong password ${index}`));
    expect((await signIn("neighbor@example.com", password)).status).toBe(200);
  });

  it("counts wrong passwords of a signed-in user separately from sign-in", async () => {
    const { client } = await test.signUp("inside@example.com");
    const guess = (secret: string) =>
      client.post("/change-password", { currentPassword: secret, newPassword: "another password" });
    const replies = await times(14, (index) => guess(`wrong password ${index}`));
    expect(counts(replies)).toEqual({ 400: 10, 429: 4 });
    expect((await guess(password)).status).toBe(429);
    expect((await signIn("inside@example.com", password)).status).toBe(200);
  });

  it("limits the mails to one address", async () => {
    await test.signUp("flooded@example.com");
    await test.mails();
    const replies = await times(15, () =>
      test.client().post("/request-password-reset", { email: "flooded@example.com" }),
    );
    expect(counts(replies)).toEqual({ 200: 10, 429: 5 });
    expect(await test.mails()).toHaveLength(10);
  });

  it("limits the mails of one kind apart from those of others", async () => {
    const { client } = await test.signUp("asker@example.com");
    const email = "many-kinds@example.com";
    await test.signUp(email);
    const changes = await times(15, () => client.post("/change-email", { newEmail: email }));
    expect(counts(changes)).toEqual({ 200: 10, 429: 5 });
    const ask = (path: string) => test.client().post(path, { email });
    expect(await ask("/send-verification-email")).toMatchObject({ status: 200 });
    expect(await ask("/request-password-reset")).toMatchObject({ status: 200 });
  });

  it("counts no mail that is refused for want of a session", async () => {
    const { client } = await test.signUp("mover@example.com");
    const change = { newEmail: "moved@example.com" };
    const replies = await times(15, () => test.client().post("/change-email", change));
    expect(counts(replies)).toEqual({ 401: 15 });
    expect((await client.post("/change-email", change)).status).toBe(200);
  });

  it("does not keep a signed-in user from switching the second factor on while others guess", async () => {
    const email = "guessed@example.com";
    const { client } = await test.signUp(email);
    await times(10, (index) => signIn(email, `wrong password ${index}`));
    expect((await signIn(email, password)).status).toBe(429);
    const { body } = await client.post("/two-factor/enable", { password });
    const uri = String(body["totpURI"]);
    const verify = (code: string) => client.post("/two-factor/verify-totp", { code });
    expect((await verify(totp(uri))).status).toBe(200);
    // A code that could complete a sign-in counts with the guesses at the password.
    test.purser.clock.advance(30_000);
    expect((await verify(totp(uri))).status).toBe(429);
  });

  it("limits the codes that switch the second factor on", async () => {
    const { client } = await test.signUp("setting-up@example.com");
    const { body } = await client.post("/two-factor/enable", { password });
    const uri = String(body["totpURI"]);
    const verify = (code: string) => client.post("/two-factor/verify-totp", { code });
    expect(counts(await times(14, () => verify(wrongTotp(uri))))).toEqual({ 401: 10, 429: 4 });
    expect((await verify(totp(uri))).status).toBe(429);
  });
});

describe("AUTH_ATTEMPTS_PER_ADDRESS", () => {
  it("admits 60 of 100 concurrent attempts, whatever address their headers claim", async () => {
    const client = test.client("192.0.2.1");
    const replies = await times(100, (index) =>
      client.post(
        "/sign-in/email",
        {},
        { "x-forwarded-for": `198.51.100.${index}`, "x-purser-client-address": `198.51.100.${index}` },
      ),
    );
    expect(counts(replies)).toEqual({ 400: 60, 429: 40 });
    expect((await signIn("other@example.com", password, test.client("192.0.2.2"))).status).toBe(401);
    test.purser.clock.advance(minute);
    expect((await signIn("other@example.com", password, client)).status).toBe(401);
  });

  it("counts an IPv6 network as one address", async () => {
    const replies = await times(70, (index) => test.client(`2001:db8:1:2::${index}`).post("/sign-in/email"));
    expect(counts(replies)).toEqual({ 400: 60, 429: 10 });
  });

  it("applies before the body is read, and to every spelling of the path", async () => {
    const client = test.client("192.0.2.9");
    await times(60, () => client.post("/sign-in/email", {}));
    expect((await client.post("/sign-in/email", "{")).status).toBe(429);
    for (const path of [
      "/sign-in//email",
      "/sign-in/email/",
      "/sign-in/%65mail",
      "/Sign-In/email",
      "/./sign-in/email;x",
    ]) {
      const reply = await client.post(path, { email: "target@example.com", password });
      expect([path, reply.status]).toEqual([path, 404]);
    }
  });

  it("applies to every request that sends a mail", async () => {
    const sending = Object.values(endpoints)
      .flatMap(({ GET, POST }) => [GET ?? [], POST ?? []].flat())
      .filter(({ mails, notifies, changes }) => mails ?? notifies ?? changes);
    expect(sending.filter(({ attempt }) => !attempt)).toEqual([]);
    const { client } = await test.signUpVerified("many-keys@example.com");
    await test.signUp("opening@example.com");
    const link = `/verify-email?token=${tokenIn((await test.mails())[0])}`;
    await times(60, () => client.post("/sign-in/email", {}));
    expect((await client.post("/api-key/create", { name: "one more" })).status).toBe(429);
    expect((await client.get(link)).status).toBe(429);
    test.purser.clock.advance(minute);
    expect((await client.get(link)).status).toBe(200);
  });

  it("does not apply to endpoints without a secret", async () => {
    const client = test.client("192.0.2.10");
    await times(60, () => client.post("/sign-in/email", {}));
    expect((await client.get("/get-session")).status).toBe(200);
  });
});

describe("the address of a session", () => {
  it("is the one that the server saw, whatever the headers claim", async () => {
    const client = test.client("203.0.113.5");
    const forged = {
      "x-forwarded-for": "1.2.3.4",
      "x-purser-client-address": "1.2.3.4",
      "x-real-ip": "1.2.3.4",
    };
    await client.post("/sign-up/email", { email: "address@example.com", password, name: "Sam" }, forged);
    const session = await client.get("/get-session", { origin: base });
    expect(session.body["session"]).toMatchObject({ ipAddress: "203.0.113.5" });
  });
});
