import { userOf } from "@purser/platform";
import type { Person } from "@purser/testing";
import { billingScene } from "@purser/testing/billing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

/** What holds the address of a team's customer, of each provider whose customers are organizations. */
const vendors = {
  async stripe() {
    const scene = await billingScene("stripe");
    const customerOf = (teamId: string) =>
      [...scene.fake.state.customers.values()].find(
        ({ metadata }) => metadata["purser_organization"] === teamId,
      )!;
    return { scene, customerOf };
  },
  async polar() {
    const scene = await billingScene("polar");
    const { customers, members } = scene.fake.state;
    const customerOf = (teamId: string) => {
      const { id } = customers.find(({ external_id }) => external_id === teamId)!;
      return members.find(({ customer_id }) => customer_id === id)!;
    };
    return { scene, customerOf };
  },
};

describe.each(Object.entries(vendors))("the customer of a team at %s", (_name, start) => {
  let vendor: Awaited<ReturnType<typeof start>>;
  let purser: typeof vendor.scene.purser;
  let [creator, owner]: Person[] = [];
  let teamId: string;

  beforeAll(async () => {
    vendor = await start();
    ({ purser } = vendor.scene);
  });
  afterAll(() => vendor.scene.close());
  beforeEach(async () => {
    [creator, owner] = [await purser.person(), await purser.person()];
    teamId = await buysFor(owner);
  });

  /** The owner buys for a team of the creator. */
  async function buysFor(buyer: Person): Promise<string> {
    const team = await purser.organization(creator!, { owners: [buyer] });
    const [plan] = await purser.as(null).billing.plans.list();
    const offer = { planId: plan!.id, variantId: plan!.variants[0]!.id };
    await purser.as(buyer).billing.checkout({ teamId: team, ...offer });
    expect(vendor.customerOf(team).email).toBe(buyer.email);
    return team;
  }

  const address = async () => {
    await purser.drain();
    return vendor.customerOf(teamId).email;
  };
  const members = () => purser.as(creator!).organizations.members;
  async function membershipOfOwner(): Promise<string> {
    const all = await members().list({ organizationId: teamId });
    return all.find(({ userId }) => userId === owner!.userId)!.id;
  }

  it("gets the creator's address when its owner is removed", async () => {
    await members().remove({ membershipId: await membershipOfOwner() });
    expect(await address()).toBe(creator!.email);
  });

  it("gets the creator's address when its owner is demoted", async () => {
    const id = await membershipOfOwner();
    await members().updateRole({ id, role: "OWNER" });
    expect(await address()).toBe(owner!.email);
    await members().updateRole({ id, role: "MEMBER" });
    expect(await address()).toBe(creator!.email);
  });

  it("keeps another address, which was entered at the provider", async () => {
    vendor.customerOf(teamId).email = "invoices@example.com";
    await members().remove({ membershipId: await membershipOfOwner() });
    expect(await address()).toBe("invoices@example.com");
  });

  it("follows an owner who changes the address, and leaves one who deletes the account", async () => {
    const [password, newEmail] = ["correct horse battery", "moved@example.com"];
    const { id } = await purser.auth.createUser({ email: "buyer@example.com", name: "Buyer", password });
    // better-auth reads the time of the process.
    purser.clock.advance(Date.now() - purser.clock.now().getTime());
    const authorization = `Bearer ${await purser.auth.openSession(id)}`;
    const send = (path: string, body?: object) => {
      const headers = { authorization, "content-type": "application/json" };
      const content = body && { method: "POST", body: JSON.stringify(body) };
      const request = new Request(`http://localhost:3000/api/auth${path}`, { headers, ...content });
      return purser.auth.handle(request, { address: "192.0.2.1", requestId: "req_test" });
    };
    const caller = await purser.auth.resolveCaller(new Headers({ authorization }));
    teamId = await buysFor(userOf(caller!));
    await send("/change-email", { newEmail });
    expect(await address()).toBe("buyer@example.com");
    const { text } = purser.mails.findLast(({ to }) => to === newEmail)!;
    const token = /[?&]token=(\S+)/.exec(text)![1]!;
    expect((await send(`/verify-email?token=${token}`)).status).toBe(200);
    expect(await address()).toBe(newEmail);
    expect((await send("/delete-user", { password })).status).toBe(200);
    expect(await address()).toBe(creator!.email);
  });
});
