import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { refusalOf } from "@purser/testing";
import { arrange, dispose, purser, ran, source, spawned } from "./testing/command.ts";

beforeAll(arrange);
afterAll(dispose);

const headersOf = (key: string) => new Headers({ "x-api-key": key.trim() });

async function signIn(email: string, password: string): Promise<number> {
  const request = new Request("http://localhost:3000/api/auth/sign-in/email", {
    method: "POST",
    headers: { "content-type": "application/json", origin: "http://localhost:3000" },
    body: JSON.stringify({ email, password }),
  });
  return (await purser.auth.handle(request, { address: "192.0.2.1", requestId: "req_1" })).status;
}

describe("purser user create", () => {
  it("creates a user who signs in with the printed password", async () => {
    const { code, stdout, stderr } = await ran(["user", "create", "Sam@Example.com", "--name", "Sam"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("not shown again")]);
    expect(stdout).toMatch(/^[\w-]{20}\n$/);
    expect(await signIn("sam@example.com", stdout.trim())).toBe(200);
  });

  it("takes a password from stdin, and prints none", async () => {
    const stdin = Readable.from(["correct horse ", "battery\n"]) as typeof process.stdin;
    vi.spyOn(process, "stdin", "get").mockReturnValue(stdin);
    const args = ["user", "create", "robin@example.com", "--name", "Robin", "--password-stdin"];
    const { code, stdout } = await ran(args);
    vi.restoreAllMocks();
    expect([code, stdout]).toEqual([0, ""]);
    expect(await signIn("robin@example.com", "correct horse battery")).toBe(200);
  });

  it.each([
    ["a taken address", ["taken@example.com", "--name", "Sam"], 1, "email: A user with this e-mail address"],
    ["an address that is none", ["sam", "--name", "Sam"], 1, "email: Must be an e-mail address"],
    ["no name", ["new@example.com"], 2, "required option '--name <name>' not specified"],
  ])("refuses %s with one sentence", async (_case, args, exitCode, message) => {
    await purser.auth.createUser({ email: "taken@example.com", name: "Sam" }).catch(() => undefined);
    const { code, stdout, stderr } =
      exitCode === 2
        ? await spawned(["user", "create", ...args], {}, source)
        : await ran(["user", "create", ...args]);
    expect([code, stdout]).toEqual([exitCode, ""]);
    expect(stderr).toContain(message);
  });
});

describe("purser key revoke", () => {
  const revoke = (...args: string[]) => ran(["key", "revoke", ...args]);
  const refused = (key: string) => refusalOf(purser.auth.resolveCaller(headersOf(key)));

  it("ends one key, or all keys of a user, immediately", async () => {
    const { email, userId } = await purser.person();
    const keyOf = (name: string) => purser.auth.createApiKey(email, { name });
    const [first, second, third] = [await keyOf("First"), await keyOf("Second"), await keyOf("Third")];
    const neighbor = await purser.auth.createApiKey((await purser.person()).email, { name: "Theirs" });
    expect(await revoke(first.id)).toEqual({ code: 0, stdout: `${first.id} no longer works.\n`, stderr: "" });
    expect(await refused(first.key)).toBe("UNAUTHENTICATED");
    expect(await purser.auth.resolveCaller(headersOf(second.key))).toMatchObject({ userId });
    const all = await revoke("--user", email.toUpperCase());
    expect(all).toEqual({ code: 0, stdout: "2 keys were revoked.\n", stderr: "" });
    expect([await refused(second.key), await refused(third.key)]).toEqual([
      "UNAUTHENTICATED",
      "UNAUTHENTICATED",
    ]);
    expect(await purser.auth.resolveCaller(headersOf(neighbor.key))).not.toBeNull();
  });

  it("exits with 3 for an unknown key and an unknown user", async () => {
    expect(await revoke(purser.unknownId("key"))).toMatchObject({ code: 3, stdout: "" });
    expect(await revoke("--user", "nobody@example.com")).toMatchObject({ code: 3, stdout: "" });
  });

  it.each([[[]], [["key_1", "--user", "sam@example.com"]]])("takes a key or a user: %j", async (args) => {
    const { code, stderr } = await spawned(["key", "revoke", ...args], {}, source);
    expect([code, stderr]).toEqual([2, expect.stringContaining("pass the id of a key, or --user")]);
  });
});

describe("purser key create", () => {
  it("prints a key that acts as the user, and can expire", async () => {
    const owner = await purser.person({ email: "owner@example.com" });
    const lasting = await ran(["key", "create", owner.email, "--name", "Nightly export"]);
    expect([lasting.code, lasting.stdout]).toEqual([0, expect.stringMatching(/^purser_[A-Za-z]{64}\n$/)]);
    const caller = await purser.auth.resolveCaller(headersOf(lasting.stdout));
    expect(caller).toMatchObject({ userId: owner.userId, credential: "api-key" });

    const longest = ["--name", "n".repeat(200), "--expires-in-days", "3650"];
    expect((await ran(["key", "create", owner.email, ...longest])).code).toBe(0);

    const brief = await ran(["key", "create", owner.email, "--name", "Trial", "--expires-in-days", "30"]);
    const stored = await purser.db.query.apiKeys.findFirst({ where: (key, { eq }) => eq(key.name, "Trial") });
    expect(brief.code).toBe(0);
    const days = (stored!.expiresAt!.getTime() - stored!.createdAt.getTime()) / 86_400_000;
    // The two instants are read one after the other.
    expect(Math.round(days * 1000) / 1000).toBe(30);
    expect(stored!.key).not.toContain(brief.stdout.trim());
  });

  it.each([
    ["an unknown user", ["nobody@example.com", "--name", "Export"], 3, "There is no such user."],
    [
      "too long a life",
      ["owner@example.com", "--name", "Export", "--expires-in-days", "4000"],
      2,
      "1 to 3650",
    ],
  ])("refuses %s", async (_case, args, exitCode, message) => {
    const { code, stdout, stderr } =
      exitCode === 2
        ? await spawned(["key", "create", ...args], {}, source)
        : await ran(["key", "create", ...args]);
    expect([code, stdout]).toEqual([exitCode, ""]);
    expect(stderr).toContain(message);
  });
});
