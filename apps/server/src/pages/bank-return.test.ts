import { configuredBanks } from "@purser/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "ada" } as const;

let service: TestService;
/** The addresses of people with which the bank's accounts were read. */
const addresses: (string | undefined)[] = [];

beforeAll(async () => {
  service = await createTestService({
    // The proxy, because a request without a socket comes from there.
    settings: { trustedProxies: ["0.0.0.0"] },
    banks: {
      configured: ["sandbox"],
      at: async () => {
        const sandbox = await configuredBanks(service.purser.platform).at("sandbox");
        return {
          ...sandbox,
          // A bank that renews a consent in place, as Plaid's update mode does.
          completeLink: async () => ({ consentId: bank.consentId, institutionId: bank.providerId }),
          accounts: async (access, report) => {
            addresses.push(access.personAddress);
            return sandbox.accounts(access, report);
          },
        };
      },
    },
  });
});
afterAll(() => service.close());

it("the return from a bank reads a renewed consent with the person's address", async () => {
  const { purser, app } = service;
  const owner = await purser.person();
  const { banking } = purser.as(owner);
  const teamId = await purser.organization(owner);
  const { id: connectionId } = await banking.connections.connect({ teamId, ...bank });
  await purser.drain();
  const { url } = await banking.link.create({ teamId, connectionId });
  addresses.length = 0;
  const returned = await app.request(`/banking/links/${url.split("/").at(-1)!}/return`, {
    headers: { "x-forwarded-for": "192.0.2.7" },
  });
  expect(returned.status).toBe(303);
  await purser.drain();
  expect(addresses).toEqual(["192.0.2.7"]);
});
