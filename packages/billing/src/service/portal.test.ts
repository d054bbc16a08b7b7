import { minute } from "@purser/core/testing";
import { refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BillingError } from "../ports.ts";

let scene: BillingScene;

beforeAll(async () => {
  scene = await billingScene("local");
});
afterAll(() => scene.close());
afterEach(() => scene.intercept(null));

type Team = Awaited<ReturnType<BillingScene["subscriber"]>>;

const portal = ({ owner, subscriptionId }: Team, redirectUrl?: string) =>
  scene.purser.as(owner).billing.portal({ subscriptionId, ...(redirectUrl && { redirectUrl }) });

describe("billing.portal", () => {
  it("returns the provider's page, which links back to a trusted origin", async () => {
    const team = await scene.subscriber();
    const seen: string[] = [];
    const { provider } = scene.fake;
    scene.intercept({
      createPortal: (visit) => (seen.push(visit.returnUrl), provider.createPortal(visit)),
    });
    expect(await portal(team)).toMatch(/^http:\/\/localhost:3000\/local\/portal\//);
    await portal(team, "http://localhost:3000/settings/billing");
    expect(seen).toEqual(["http://localhost:3000/", "http://localhost:3000/settings/billing"]);
    expect(await refusalOf(portal(team, "https://elsewhere.example/"))).toBe("VALIDATION_FAILED");
    const audited = await scene.purser.as(team.owner).organizations.audit.list({ id: team.teamId });
    expect(audited.map(({ action }) => action)).not.toContain("billing.portal");
  });

  it("is limited per team", async () => {
    const [team, other] = [await scene.subscriber(), await scene.subscriber()];
    for (let count = 0; count < 20; count += 1) await portal(team);
    expect(await refusalOf(portal(team))).toBe("RATE_LIMITED");
    expect(await portal(other)).toMatch(/^http/);
    scene.purser.clock.advance(minute);
    expect(await portal(team)).toMatch(/^http/);
  });

  it("is refused without a portal, and fails when the provider does not answer", async () => {
    const team = await scene.subscriber();
    const refusals = {
      NOT_SUPPORTED_BY_PROVIDER: { capabilities: { ...scene.fake.provider.capabilities, portal: false } },
      PROVIDER_ERROR: { createPortal: () => Promise.reject(new BillingError("outage", "No answer")) },
    };
    for (const [code, provider] of Object.entries(refusals)) {
      scene.intercept(provider);
      expect(await refusalOf(portal(team))).toBe(code);
    }
  });
});
