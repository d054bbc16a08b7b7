import { users } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authOperations } from "./contract/index.ts";
import { type TestAuth, type TestClient, base, createTestAuth, password, tokenIn } from "./testing/client.ts";

let test: TestAuth;
let client: TestClient;
let bearer: string;
let userId: string;
beforeAll(async () => {
  test = await createTestAuth();
  ({ client, bearer, userId } = await test.signUp("input@example.com"));
});
afterAll(() => test.purser.close());

const userRow = async () => (await test.purser.db.select().from(users).where(eq(users.id, userId)))[0];

describe("inputs under /api/auth", () => {
  it.each([
    ["an image that is a script", { image: "javascript:alert(1)" }, ["image"]],
    ["an image that is data", { image: "data:image/png;base64,AAAA" }, ["image"]],
    ["an image without a scheme", { image: "//example.com/me.png" }, ["image"]],
    ["an image that is not a string", { image: 7 }, ["image"]],
    [
      "an image of more than 2048 characters",
      { image: `https://example.com/${"x".repeat(2048)}` },
      ["image"],
    ],
    ["a name of a megabyte", { name: "x".repeat(1_000_000) }, ["name"]],
    ["a name of 201 characters", { name: "x".repeat(201) }, ["name"]],
    ["an empty name", { name: "  " }, ["name"]],
    ["a name that is not a string", { name: { first: "Sam" } }, ["name"]],
    ["U+0000", { name: "a\0b" }, ["name"]],
    ["a lone surrogate", { name: "\ud83d" }, ["name"]],
    ["a name that is null", { name: null }, ["name"]],
    ["metadata of more than 16 kB", { metadata: Array(9).fill("x".repeat(2000)) }, ["metadata"]],
    ["a field name with U+0000", { "\0": "x" }, []],
  ])("refuse %s", async (_, body, path) => {
    const before = await userRow();
    const reply = await client.post("/update-user", body);
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", requestId: "req_test" } });
    const issues = reply.body["issues"] as { path: string[] }[];
    expect(issues.map((issue) => issue.path)).toContainEqual(path);
    expect(await userRow()).toEqual(before);
  });

  it("trim a name, and accept an image or null", async () => {
    expect(
      (await client.post("/update-user", { name: "  Sam  ", image: "https://example.com/me.png" })).status,
    ).toBe(200);
    expect(await userRow()).toMatchObject({ name: "Sam", image: "https://example.com/me.png" });
    expect((await client.post("/update-user", { image: null })).status).toBe(200);
    expect(await userRow()).toMatchObject({ image: null });
  });

  it("change nothing without fields, for signed-in callers only", async () => {
    const before = await userRow();
    expect(await client.post("/update-user", {})).toMatchObject({ status: 200, body: { status: true } });
    expect(await userRow()).toEqual(before);
    expect(await test.client().post("/update-user", {})).toMatchObject({ status: 401 });
  });

  it.each([
    { emailVerified: true },
    { role: "admin" },
    { email: "other@example.com" },
    { id: "user_1" },
    { createdAt: "2000-01-01T00:00:00.000Z" },
    { banned: false, twoFactorEnabled: true },
  ])("change no field that users may not change: %j", async (body) => {
    const { updatedAt: _, ...before } = (await userRow())!;
    const reply = await client.post("/update-user", body);
    expect(reply.status).toBe(400);
    expect(await userRow()).toMatchObject(before);
  });

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "refuse %s as an unknown field",
    async (name) => {
      const before = await userRow();
      const reply = await client.post("/update-user", `{"${name}": {"name": "x"}, "name": "Changed"}`);
      expect(reply).toMatchObject({ status: 400, body: { issues: [{ code: "unrecognized_keys" }] } });
      expect(await userRow()).toEqual(before);
    },
  );

  it("refuse a body that is nested too deeply, at any depth", async () => {
    const deep = `{"metadata":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(await client.post("/api-key/create", deep)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
    const hidden = { metadata: { a: { b: ["x".repeat(3000)] } } };
    expect((await client.post("/api-key/create", hidden)).body["issues"]).toMatchObject([
      { path: ["metadata", "a", "b", 0], code: "too_big" },
    ]);
  });

  it.each([["[]"], ['"text"'], ["null"], ["7"]])("refuse a body that is not an object: %s", async (body) => {
    const reply = await client.post("/update-user", body);
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  });

  it.each([["{"], ["name=Sam"], ["{'name':1}"]])("refuse a body that is not JSON: %s", async (body) => {
    expect(await client.post("/update-user", body)).toMatchObject({
      status: 400,
      body: { code: "MALFORMED_JSON" },
    });
  });

  it("refuse a body that is not UTF-8", async () => {
    const headers = { cookie: client.cookie(), origin: base, "content-type": "application/json" };
    const body = Buffer.from('{"name":"Zo\u00eb"}', "latin1");
    const request = new Request(`${base}/api/auth/update-user`, { method: "POST", headers, body });
    expect(await client.send(request)).toMatchObject({ status: 400, body: { code: "MALFORMED_JSON" } });
  });

  it.each([
    ["application/json; charset=utf-16", 415],
    ["application/json; charset=iso-8859-1", 415],
    ['Application/JSON; charset="UTF-8"', 200],
    ["application/problem+json", 200],
    ["application/jsonp", 415],
  ])("accept only JSON in UTF-8: %s", async (type, status) => {
    const reply = await client.post("/update-user", { name: "Sam" }, { "content-type": type });
    expect(reply.status).toBe(status);
  });

  const requiring = authOperations.filter(
    ({ method, input }) => method === "POST" && !input.safeParse({}).success,
  );
  it.each(requiring.map(({ path }) => path))(
    "refuse a body without the required fields: %s",
    async (path) => {
      const authorization = `Bearer ${bearer}`;
      expect(await test.client().post(path, {}, { authorization })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_FAILED" },
      });
    },
  );

  const posted = authOperations.filter(({ method }) => method === "POST");
  it.each(posted.map(({ path, input }) => [path, "email" in input.shape] as const))(
    "refuse an unknown field, so a misspelt one is not ignored: %s",
    async (path, takesAddress) => {
      const body = { ...(takesAddress && { email: "input@example.com" }), misspelt: true };
      const reply = await test.client().post(path, body, { authorization: `Bearer ${bearer}` });
      expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
      expect(reply.body["issues"]).toContainEqual({
        path: [],
        code: "unrecognized_keys",
        message: expect.stringContaining("misspelt"),
      });
    },
  );

  it.each([
    "sortBy=nope",
    "sortBy=__proto__",
    "sortBy=key",
    "organizationId=x",
    "limit=NaN",
    "limit=0",
    "offset=-1",
  ])("refuse to list keys with %s", async (query) => {
    const reply = await client.get(`/api-key/list?${query}`);
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect((await client.get("/api-key/list?sortBy=createdAt&limit=5")).status).toBe(200);
  });

  it("refuse another content type before any other check, and accept a request without a body", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
    ]) {
      const form = { "content-type": type };
      const reply = await test
        .client()
        .post("/sign-in/email", `email=input@example.com&password=${password}`, form);
      expect([type, reply.status, reply.body["code"]]).toEqual([type, 415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
    const { client: leaver } = await test.signUp("out@example.com");
    const headers = { cookie: leaver.cookie(), origin: base };
    const empty = new Request(`${base}/api/auth/sign-out`, { method: "POST", headers });
    expect((await leaver.send(empty)).status).toBe(200);
  });

  it("refuse U+0000, too many values and repeated names in a query", async () => {
    for (const query of ["token=%00", `token=${"x".repeat(2049)}`, "token=a&token=b"]) {
      const reply = await client.get(`/verify-email?${query}`);
      expect([reply.status, reply.body["code"]]).toEqual([400, "VALIDATION_FAILED"]);
    }
  });
});

describe("redirects under /api/auth", () => {
  it.each([
    "/..//evil.example/login",
    "/.//evil.example",
    "/%2e%2e//evil.example",
    "//evil.example",
    "/\\evil.example",
    "/..\\\\evil.example",
    "/\t/evil.example",
    `${base}/..//evil.example`,
  ])("never lead to another site: %j", async (callbackURL) => {
    const query = new URLSearchParams({ token: "abc", callbackURL });
    const reply = await test.client().get(`/verify-email?${query.toString()}`);
    expect(reply.headers.get("location") ?? "").not.toMatch(/^(\/\/|\/\\)|evil/);
    expect([400, 403]).toContain(reply.status);
    const body = { email: "sam@example.com", redirectTo: callbackURL };
    expect([400, 403]).toContain((await test.client().post("/request-password-reset", body)).status);
  });

  it("are accepted and ignored where all that follows is a mail", async () => {
    const email = "redirected@example.com";
    const person = test.client();
    await test.mails();
    const elsewhere = { callbackURL: "/elsewhere", redirectTo: "/elsewhere" };
    const replies = [
      await person.post("/sign-up/email", { email, password, name: "Sam", ...elsewhere }),
      await person.post("/send-verification-email", { email, ...elsewhere }),
      await person.post("/change-email", { newEmail: "next@example.com", ...elsewhere }),
      await test.client().post("/request-password-reset", { email, ...elsewhere }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const mails = await test.mails();
    expect(mails).toHaveLength(4);
    for (const { text } of mails) expect(text).not.toContain("elsewhere");
  });

  it("lead to a path in any script, and are refused with a line break", async () => {
    const email = "elsewhere@example.com";
    await test.mails();
    await test.signUp(email);
    const token = tokenIn((await test.mails())[0]);
    const callbackURL = "/größe/歓迎";
    const link = `/verify-email?${new URLSearchParams({ token, callbackURL }).toString()}`;
    const replies = [
      await test.client().get(link),
      await test.client().post("/sign-in/email", { email, password, callbackURL }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([302, 200]);
    for (const { headers } of replies) expect(headers.get("location")).toBe(encodeURI(callbackURL));
    const broken = { email, password, callbackURL: `${base}/one\ntwo` };
    expect(await test.client().post("/sign-in/email", broken)).toMatchObject({ status: 400 });
  });

  it("lead to a path of ours", async () => {
    const query = new URLSearchParams({ token: "abc", callbackURL: "/welcome?from=mail" });
    const reply = await test.client().get(`/verify-email?${query.toString()}`);
    expect(reply).toMatchObject({ status: 302 });
    expect(reply.headers.get("location")).toMatch(/^\/welcome\?from=mail&error=/);
  });
});
