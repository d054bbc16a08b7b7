import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, journeySizes, startTestConsole } from "../testing/console.ts";

let home: TestConsole;
beforeAll(async () => (home = await startTestConsole()), 120_000);
afterAll(() => home?.close());

describe.each(journeySizes)("on a %s", (size) => {
  it("filters transactions by the address, and downloads exactly those as CSV", async () => {
    const { owner } = home.demo;
    const { organizationId } = owner;
    const { page, violations } = await home.open(`/${organizationId}/transactions`, {
      user: owner,
      size,
      acceptDownloads: true,
    });
    await page.locator("[data-row] [data-opener]").first().waitFor();
    expect(await page.locator("[data-row]").count()).toBeLessThan(80);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByRole("combobox", { name: "Direction" }).click();
    await page.getByRole("option", { name: "Money in" }).click();
    await page.getByLabel("Minimum amount").fill("100");
    await page.getByText("At least 100").waitFor();
    const address = new URL(page.url()).searchParams;
    expect(Object.fromEntries(address)).toEqual({ type: "CREDIT", minAmount: "10000" });

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    const expected = await owner.purser.banking.transactions.list({
      teamId: organizationId,
      type: "CREDIT",
      minAmount: 10_000,
      status: "ALL",
    });
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(expected.map(({ id }) => id));
    expect(expected.length).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  });

  it("writes a note beside the list, takes it back, and sees what another person writes", async () => {
    const { owner } = home.demo;
    const { organizationId: teamId } = owner;
    const [first] = await owner.purser.banking.transactions.list({ teamId, status: "ALL", limit: 1 });
    const transactionId = first!.id;
    const note = async () => (await owner.purser.banking.transactions.get({ teamId, transactionId })).note;
    await owner.purser.banking.transactions.update({ teamId, transactionId, note: null });

    const path = `/${teamId}/transactions`;
    const { page, violations } = await home.open(path, { user: owner, size });
    await page.locator("[data-row='0'] [data-opener]").press("Enter");
    const field = page.getByRole("dialog").getByRole("textbox", { name: "Note" });
    await field.fill(`Checked on a ${size}`);
    await field.blur();
    await page.getByText("Note saved").waitFor();
    expect(await note()).toBe(`Checked on a ${size}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => field.inputValue()).toBe("");
    expect(await note()).toBeNull();

    await owner.purser.banking.transactions.update({ teamId, transactionId, note: "Elsewhere" });
    await expect.poll(() => field.inputValue()).toBe("Elsewhere");
    expect(violations).toEqual([]);
  });

  it("shows a member all of it, and no field that only owners may change", async () => {
    const { member } = home.demo;
    const path = `/${member.organizationId}/transactions`;
    const { page } = await home.open(path, { user: member, size });
    await page.locator("[data-row='0'] [data-opener]").click();
    await page.getByRole("dialog").getByText("Category").waitFor();
    expect(await page.getByRole("dialog").getByRole("textbox").count()).toBe(0);
  });
});
