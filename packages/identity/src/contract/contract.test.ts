import { problemCatalog } from "@purser/core";
import { sessions as sessionRows } from "@purser/db";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoints } from "../endpoints.ts";
import { authErrorCodes } from "../error-codes.ts";
import {
  type Reply,
  type TestAuth,
  type TestClient,
  createTestAuth,
  password,
  tokenIn,
} from "../testing/client.ts";
import { totp } from "../testing/totp.ts";
import { authOperations } from "./index.ts";

let test: TestAuth;
const called = new Set<string>();
/** The operations that stored a new session. */
const openedBy = new Set<string>();

beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

/** Fields of better-auth's keys that mean nothing here, because keys are not limited one by one. */
const undescribed = new Set(
  [
    "configId",
    "permissions",
    "rateLimitEnabled",
    "rateLimitMax",
    "rateLimitTimeWindow",
    "refillAmount",
  ].concat(["refillInterval", "lastRefillAt", "requestCount", "remaining"]),
);

/** Calls an operation, and compares what was sent and what came back with its contract. */
async function call(
  client: TestClient,
  path: string,
  input: Record<string, unknown> = {},
): Promise<Reply["body"]> {
  const operation = authOperations.find((one) => one.path === path);
  if (operation === undefined) throw new Error(`${path} has no contract`);
  expect(operation.input.safeParse(input).error?.issues, path).toBeUndefined();
  const query = new URLSearchParams(input as Record<string, string>);
  const isQuery = operation.method === "GET";
  const before = await sessionTokens();
  const reply = await (isQuery ? client.get(`${path}?${query.toString()}`) : client.post(path, input));
  expect(reply, path).toMatchObject({ status: 200 });
  expect(closedForm(operation.output).safeParse(described(reply.body)).error?.issues, path).toBeUndefined();
  called.add(path);
  if ([...(await sessionTokens())].some((token) => !before.has(token))) openedBy.add(path);
  return reply.body;
}

async function sessionTokens(): Promise<Set<string>> {
  const rows = await test.purser.db.select({ token: sessionRows.token }).from(sessionRows);
  return new Set(rows.map(({ token }) => token));
}

/** The contract of the JSON, which refuses fields that are not described. */
function closedForm(contract: z.ZodType): z.ZodType {
  const schema = z.toJSONSchema(contract, {
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === "date")
        Object.assign(jsonSchema, { type: "string", format: "date-time" });
    },
  });
  return z.fromJSONSchema(schema);
}

const described = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), function (this: object, name: string, value: unknown) {
    return "prefix" in this && undescribed.has(name) ? undefined : value;
  });

describe("the contract of /api/auth", () => {
  it("describes every offered operation, each once", () => {
    const offered = Object.entries(endpoints).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(authOperations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      offered.toSorted(),
    );
  });

  it("names no redirect where all that follows is a mail, whose link leads to a page of the service", () => {
    const mailing = [
      "/sign-up/email",
      "/send-verification-email",
      "/request-password-reset",
      "/change-email",
    ];
    const taken = authOperations
      .filter(({ path }) => mailing.includes(path))
      .map(({ input }) => Object.keys(input.shape));
    expect(taken).toHaveLength(mailing.length);
    expect(taken.flat().filter((field) => /callbackURL|redirectTo/.test(field))).toEqual([]);
  });

  it("refuses only with codes that have an explanation", () => {
    const codes = authOperations.flatMap(({ refusals = {} }) => Object.values(refusals).flatMap(Object.keys));
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !(code in authErrorCodes) && !(code in problemCatalog))).toEqual([]);
  });

  it("is what better-auth takes and returns", { tags: ["slow"] }, async () => {
    const email = "walk@example.com";
    const client = test.client();
    const signIn = async () => {
      const other = test.client();
      await call(other, "/sign-in/email", { email, password, rememberMe: true });
      return other;
    };
    await call(client, "/sign-up/email", { email, password, name: "Sam" });
    await call(client, "/send-verification-email", { email });
    const [confirmation] = await test.mails();
    await call(client, "/verify-email", { token: tokenIn(confirmation) });
    await call(client, "/get-session");
    const other = await signIn();
    const sessions = (await call(client, "/list-sessions")) as unknown as { token: string }[];
    expect(sessions).toHaveLength(2);
    await call(other, "/revoke-session", { token: sessions[0]!.token });
    await call(client, "/revoke-other-sessions");
    await call(test.client(), "/sign-in/email", { email, password, callbackURL: "/welcome" });

    await call(client, "/update-user", { name: "Samuel", image: "https://demo.example/sam.png" });
    await call(client, "/change-password", {
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: true,
    });
    await call(client, "/change-password", { currentPassword: password, newPassword: password });
    await call(client, "/change-email", { newEmail: "walked@example.com" });
    await call(client, "/list-accounts");
    await call(test.client(), "/request-password-reset", { email });
    const reset = (await test.mails()).find(({ subject }) => subject === "Choose a new password");
    await call(test.client(), "/reset-password", { token: tokenIn(reset), newPassword: password });

    const caller = await signIn();
    await call(caller, "/api-key/create", {
      name: "Nightly export",
      expiresIn: 2_592_000,
      metadata: { a: 1 },
    });
    const { id } = await call(caller, "/api-key/create");
    await call(caller, "/api-key/list");
    await call(caller, "/api-key/list", { limit: 1, offset: 1 });
    await call(caller, "/api-key/get", { id });
    await call(caller, "/api-key/update", { keyId: id, name: "Paused", enabled: false });
    await call(caller, "/api-key/delete", { keyId: id });

    const { totpURI } = await call(caller, "/two-factor/enable", { password });
    await call(caller, "/two-factor/verify-totp", { code: totp(String(totpURI)) });
    await call(caller, "/two-factor/get-totp-uri", { password });
    const { backupCodes } = await call(caller, "/two-factor/generate-backup-codes", { password });
    const challenged = await signIn();
    const [code] = backupCodes as string[];
    await call(challenged, "/two-factor/verify-backup-code", { code, trustDevice: false });
    await call(caller, "/two-factor/disable", { password });

    await call(await signIn(), "/sign-out");
    await call(await signIn(), "/revoke-sessions");
    await call(await signIn(), "/delete-user", { password });
    await callAsAdministrator();
    const pathsOf = (operations: typeof authOperations) => operations.map(({ path }) => path);
    expect([...called].toSorted()).toEqual(pathsOf(authOperations).toSorted());
    const opening = authOperations.filter(({ opensSession }) => opensSession);
    expect([...openedBy].toSorted()).toEqual(pathsOf(opening).toSorted());
  });

  async function callAsAdministrator(): Promise<void> {
    const email = "made@example.com";
    const { client } = await test.signUpVerified("walking-administrator@example.com");
    await test.auth.makeAdministrator("walking-administrator@example.com");
    const data = { image: "https://demo.example/made.png" };
    const made = await call(client, "/admin/create-user", {
      email,
      name: "Made",
      password,
      role: "user",
      data,
    });
    const { id: userId } = made["user"] as { id: string };
    await call(client, "/admin/list-users", { filterField: "role", filterValue: ["user"], sortBy: "email" });
    await call(client, "/admin/list-users", { searchValue: "made", limit: 5, offset: 1 });
    await call(client, "/admin/get-user", { id: userId });
    await call(client, "/admin/update-user", { userId, data: { name: "Remade", image: null } });
    await call(client, "/admin/set-role", { userId, role: "user" });
    await call(test.client(), "/sign-in/email", { email, password });
    const { sessions } = await call(client, "/admin/list-user-sessions", { userId });
    const [session] = sessions as { token: string }[];
    await call(client, "/admin/revoke-user-session", { sessionToken: session!.token });
    await call(client, "/admin/revoke-user-sessions", { userId });
    await call(client, "/admin/ban-user", {
      userId,
      banReason: "The account was taken over",
      banExpiresIn: 60,
    });
    await call(client, "/admin/unban-user", { userId });
    await call(client, "/admin/has-permission", { permissions: { user: ["list"] } });
    await call(client, "/admin/remove-user", { userId });
  }

  it("names each refusal of an administrator's operation", async () => {
    const { client: plain } = await test.signUp("plain@example.com");
    const { client, userId: self } = await test.signUpVerified("refused-administrator@example.com");
    await test.auth.makeAdministrator("refused-administrator@example.com");
    const unknown = { userId: "user_00000000000000000000000000" };
    const inputs: Record<string, object[]> = {
      "/admin/list-users": [{}],
      "/admin/get-user": [{ id: unknown.userId }],
      "/admin/create-user": [{ email: "plain@example.com", name: "Sam" }],
      "/admin/update-user": [
        { ...unknown, data: { name: "Sam" } },
        { userId: self, data: {} },
      ],
      "/admin/set-role": [{ ...unknown, role: "user" }],
      "/admin/ban-user": [unknown, { userId: self }],
      "/admin/unban-user": [unknown],
      "/admin/remove-user": [unknown, { userId: self }],
      "/admin/list-user-sessions": [unknown],
      "/admin/revoke-user-session": [{ sessionToken: "unknown" }],
      "/admin/revoke-user-sessions": [unknown],
    };
    const restricted = authOperations.filter(({ administrator }) => administrator);
    expect(Object.keys(inputs).toSorted()).toEqual(restricted.map(({ path }) => path).toSorted());
    const met = new Set<string>();
    for (const { path, method, refusals } of restricted) {
      for (const [by, input] of [plain, client].flatMap((each) =>
        inputs[path]!.map((one) => [each, one] as const),
      )) {
        const query = new URLSearchParams(input as Record<string, string>);
        const reply = await (method === "GET" ? by.get(`${path}?${query.toString()}`) : by.post(path, input));
        if (by === plain) expect([path, reply.status]).toEqual([path, 403]);
        if (reply.status === 200) continue;
        const code = String(reply.body["code"]);
        expect(Object.keys(refusals?.[reply.status as 403] ?? {}), path).toContain(code);
        met.add(`${path} ${reply.status} ${code}`);
      }
    }
    // Two requests at once get 422, and an owner 409: tests of their own show that.
    const promised = restricted.flatMap(({ path, refusals = {} }) =>
      Object.entries(refusals)
        .filter(([status]) => !["409", "422"].includes(status))
        .flatMap(([status, codes]) => Object.keys(codes).map((code) => `${path} ${status} ${code}`)),
    );
    expect([...met].toSorted()).toEqual(promised.toSorted());
  });
});
