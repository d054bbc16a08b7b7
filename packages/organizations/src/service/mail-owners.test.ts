import { organizations } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailOwners } from "./mail-owners.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("a mail to the owners", () => {
  it("reaches every owner and nobody else, with the organization's name on one line", async () => {
    const [creator, owner, member] = [await purser.person(), await purser.person(), await purser.person()];
    const organizationId = await purser.organization(creator, { members: [member], owners: [owner] });
    // An earlier version accepted such names.
    const name = "Acme\r\n\r\nhttps://evil.example";
    await purser.db.update(organizations).set({ name }).where(eq(organizations.id, organizationId));
    purser.mails.length = 0;
    await purser.db.transaction((transaction) =>
      mailOwners(purser.platform, transaction, organizationId, (organizationName) => ({
        subject: "News",
        text: `News of ${organizationName}`,
      })),
    );
    await purser.drain();
    expect(purser.mails.map(({ to }) => to).toSorted()).toEqual([creator.email, owner.email].toSorted());
    for (const { text } of purser.mails) expect(text).toBe("News of Acme https://evil.example");
  });
});
