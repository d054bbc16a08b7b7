import { memberships } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import { type Person, countWaitingForLocks, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PaymentProvider } from "../ports.ts";

let scene: BillingScene;

beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());
afterEach(() => scene.intercept(null));

const operations = { cancel: "cancel", resume: "resume", portal: "createPortal" } as const;
type Operation = keyof typeof operations;

/** A subscription that a second owner may change. */
async function changeable(operation: Operation) {
  const { owner, teamId, subscriptionId: id } = await scene.subscriber();
  if (operation === "resume") await scene.purser.as(owner).billing.cancel({ id });
  const second = await scene.purser.person();
  const theirs = and(eq(memberships.organizationId, teamId), eq(memberships.userId, owner.userId));
  const [first] = await scene.purser.db.select().from(memberships).where(theirs);
  await scene.purser.db.insert(memberships).values({
    ...first!,
    id: scene.purser.unknownId("mem"),
    userId: second.userId,
    isCreator: false,
  });
  return { teamId, second, call: () => callAs(second, operation, id) };
}

function callAs(person: Person, operation: Operation, id: string): Promise<unknown> {
  const { billing } = scene.purser.as(person);
  return operation === "portal" ? billing.portal({ subscriptionId: id }) : billing[operation]({ id });
}

/** Calls `before` when the provider is asked. Returns the operations that were asked for. */
function watched(before: () => Promise<unknown> = async () => {}): string[] {
  const asked: string[] = [];
  const { provider } = scene.fake;
  const watch = (operation: (typeof operations)[Operation]) => async (request: never) => {
    asked.push(operation);
    await before();
    return provider[operation](request);
  };
  scene.intercept({
    cancel: watch("cancel"),
    resume: watch("resume"),
    createPortal: watch("createPortal"),
  } as Partial<PaymentProvider>);
  return asked;
}

describe.each(["cancel", "resume", "portal"] as const)(
  "billing.%s of an owner who becomes a member",
  (operation) => {
    const becomeMember = (db: Pick<BillingScene["purser"]["db"], "update">, person: Person) =>
      db.update(memberships).set({ role: "MEMBER" }).where(eq(memberships.userId, person.userId));

    it("is refused without asking the provider", async () => {
      const { teamId, second, call } = await changeable(operation);
      const asked = watched();
      const { refusal } = await scene.purser.db.transaction(async (transaction) => {
        await lockOrganization(transaction, teamId);
        const waiting = refusalOf(call());
        await expect.poll(() => countWaitingForLocks(scene.purser.db)).toBe(1);
        await becomeMember(transaction, second);
        return { refusal: waiting };
      });
      expect([await refusal, asked]).toEqual(["FORBIDDEN", []]);
    });

    it("is refused after the provider answered, too", async () => {
      const { second, call } = await changeable(operation);
      const asked = watched(() => becomeMember(scene.purser.db, second));
      expect(await refusalOf(call())).toBe("FORBIDDEN");
      expect(asked).toEqual([operations[operation]]);
    });
  },
);
