import { newId } from "@purser/core";
import { day } from "@purser/core/testing";
import { invitations, organizations } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, createTestAuth, password } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth({ signUp: "invited", adminEmails: ["root@example.com"] });
});
afterAll(() => test.purser.close());

const signUp = (email: string) => test.client().post("/sign-up/email", { email, password, name: "Sam" });

/** Invites an address to a new organization, and returns the organization's id. */
async function invite(email: string): Promise<string> {
  const { db, clock } = test.purser;
  const createdAt = clock.now();
  const organizationId = newId("org", createdAt);
  await db.insert(organizations).values({ id: organizationId, name: "Acme", createdAt });
  const expiresAt = new Date(createdAt.getTime() + 7 * day);
  const id = newId("inv", createdAt);
  await db.insert(invitations).values({ organizationId, id, email, role: "MEMBER", createdAt, expiresAt });
  return organizationId;
}

describe("SIGN_UP=invited", () => {
  it("refuses an address without an invitation", async () => {
    const reply = await signUp("uninvited@example.com");
    expect(reply).toMatchObject({ status: 403, body: { code: "SIGN_UP_BY_INVITATION", status: 403 } });
  });

  it.each([
    [{ password: undefined }, "VALIDATION_FAILED"],
    [{ password: "short" }, "PASSWORD_TOO_SHORT"],
    [{ name: " " }, "VALIDATION_FAILED"],
    [{ email: "nobody" }, "VALIDATION_FAILED"],
  ])("checks the input before it looks for an invitation: %j", async (wrong, code) => {
    const body = { email: "uninvited@example.com", password, name: "Sam", ...wrong };
    const reply = await test.client().post("/sign-up/email", body);
    expect(reply).toMatchObject({ status: 400, body: { code } });
  });

  it("accepts an invited address in any letter case", async () => {
    await invite("guest@example.com");
    expect((await signUp("Guest@Example.com")).status).toBe(200);
  });

  it("refuses an address after its invitation has expired", async () => {
    await invite("late@example.com");
    test.purser.clock.advance(7 * day);
    expect((await signUp("late@example.com")).body["code"]).toBe("SIGN_UP_BY_INVITATION");
  });

  it("refuses an address after the organization was deleted", async () => {
    const organizationId = await invite("gone@example.com");
    const deletedAt = test.purser.clock.now();
    await test.purser.db.update(organizations).set({ deletedAt }).where(eq(organizations.id, organizationId));
    expect((await signUp("gone@example.com")).body["code"]).toBe("SIGN_UP_BY_INVITATION");
  });

  it("accepts the addresses in ADMIN_EMAILS", async () => {
    expect((await signUp("Root@example.com")).status).toBe(200);
  });

  it("does not reveal whether an address has an account", async () => {
    const known = await signUp("uninvited@example.com");
    await test.auth.createUser({ email: "uninvited@example.com", name: "Sam" });
    const after = await signUp("uninvited@example.com");
    expect(after.body).toEqual(known.body);
  });
});
