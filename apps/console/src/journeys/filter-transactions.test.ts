import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatMoney, inWords } from "../data/format.ts";
import { addressDay, reportPeriods } from "../data/report-days.ts";
import { type TestConsole, journeySizes, startTestConsole } from "../testing/console.ts";

const timeout = 180_000;

let home: TestConsole;
beforeAll(async () => (home = await startTestConsole()), 120_000);
afterAll(() => home?.close());

describe.each(journeySizes)("on a %s", (size) => {
  it("filters transactions by the address, and downloads exactly those as CSV", { timeout }, async () => {
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

  it("says what was spent last month by category, and leads to those transactions", { timeout }, async () => {
    const { owner } = home.demo;
    const { organizationId: teamId, purser } = owner;
    const { page, violations } = await home.open(`/${teamId}`, { user: owner, size });
    await page.getByLabel("Period of the spending").selectOption("Last month");
    const spending = page.getByRole("region", { name: "Spending by category" });
    const { from, to } = reportPeriods["last-month"].days();
    const report = await purser.banking.reports.cashflow({
      teamId,
      from,
      to,
      interval: "month",
      groupBy: "category",
    });
    const [most] = report
      .filter(({ category, currency }) => typeof category === "string" && currency === "GBP")
      .toSorted((one, other) => other.moneyOut - one.moneyOut);
    const category = most!.category!;
    const amount = formatMoney(most!.moneyOut, "GBP");
    await spending.getByText(amount).waitFor();
    await spending.getByRole("link", { name: inWords(category) }).click();
    await page.getByRole("region", { name: "Sums" }).getByText(amount).waitFor();
    const days = { from: new Date(addressDay(from)), to: new Date(addressDay(to)) };
    const filter = { category, type: "DEBIT", ...days } as const;
    const listed = await purser.banking.transactions.list({ teamId, ...filter, status: "ALL", limit: 1000 });
    await page.getByText(listed.length === 1 ? "1 transaction" : `${listed.length} transactions`).waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    const isPressed = await page.getByRole("button", { name: "Last month" }).getAttribute("aria-pressed");
    expect(isPressed).toBe("true");
    expect(violations).toEqual([]);
  });

  it(
    "writes a note beside the list, takes it back, and sees what another person writes",
    { timeout },
    async () => {
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
    },
  );

  it("shows a member all of it, and no field that only owners may change", { timeout }, async () => {
    const { member } = home.demo;
    const path = `/${member.organizationId}/transactions`;
    const { page } = await home.open(path, { user: member, size });
    await page.locator("[data-row='0'] [data-opener]").click();
    await page.getByRole("dialog").getByText("Category").waitFor();
    expect(await page.getByRole("dialog").getByRole("textbox").count()).toBe(0);
  });
});
