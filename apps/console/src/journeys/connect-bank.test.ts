import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, journeySizes, startTestConsole } from "../testing/console.ts";

let home: TestConsole;
beforeAll(async () => (home = await startTestConsole()), 120_000);
afterAll(() => home?.close());

describe.each(journeySizes)("on a %s", (size) => {
  it("connects a bank, sees it fill, and disconnects it", async () => {
    const user = await home.newUser(`Bank on a ${size}`);
    const { page, violations } = await home.open(`/${user.organizationId}/accounts`, { user, size });
    await page.getByRole("heading", { name: "No bank is connected" }).waitFor();
    await page.getByRole("link", { name: "Connect a bank" }).click();
    await page.getByRole("searchbox", { name: "Bank" }).fill("sprout");
    await page.getByRole("button", { name: "Harbour & Vale" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sprout Bank" }).click();
    // The bank's own page, in the same window, and back.
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText(/^[\d,]+ transactions added$/).waitFor();
    await page.getByText("Consent confirmed").waitFor();
    expect(new URL(page.url()).searchParams.has("consentId")).toBe(false);
    await page.getByRole("link", { name: "See transactions" }).click();
    await page.locator("[data-row]").first().waitFor();

    await page.goto(`${home.base}/${user.organizationId}/accounts`);
    await page.getByRole("region", { name: "Sprout Bank" }).getByText("Connected").waitFor();
    await page.getByRole("button", { name: "Actions for Sprout Bank" }).click();
    await page.getByRole("menuitem", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("region", { name: "Sprout Bank" }).getByText("Disconnected").waitFor();
    expect(violations).toEqual([]);
  });

  it("hears that a person refused at the bank", async () => {
    const user = await home.newUser(`Refused on a ${size}`);
    const path = `/${user.organizationId}/accounts/connect?query=sprout`;
    const { page } = await home.open(path, { user, size });
    await page.getByRole("button", { name: "Sprout Bank" }).click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "The bank was not connected" }).waitFor();
    expect(await user.purser.banking.connections.list({ teamId: user.organizationId })).toEqual([]);
  });
});
