import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { formatMoney, inWords } from "../../data/format.ts";
import { rangeOfSpan, reportPeriods } from "../../data/report-days.ts";
import { zonedDay } from "../../data/zoned-day.ts";
import { it, journeySizes, nightlySizes, untilFocused } from "../journey.ts";

export function transactionJourneys(): void {
  it.for(journeySizes)(
    "are filtered by the address, and downloaded as CSV exactly so (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId: teamId } = owner;
      const page = await open(`/${teamId}/transactions`, { user: owner, size });
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
      const filter = { type: "CREDIT", minAmount: 10_000, status: "ALL" } as const;
      const expected = await owner.purser.banking.transactions.list({ teamId, ...filter });
      expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(expected.map(({ id }) => id));
      expect(expected.length).toBeGreaterThan(0);
    },
  );

  it.for(journeySizes)("close on the way back, as events do (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    // In the demo's log, what other journeys do moves the rows.
    const { organizationId, purser } = await console.newOrganization(`Way back on a ${size}`);
    await purser.organizations.update({ id: organizationId, name: `Back on a ${size}` });
    const list = `/${owner.organizationId}/transactions?type=DEBIT`;
    const page = await open(list, { user: owner, size });
    for (const path of [list, `/${organizationId}/developers?tab=events`]) {
      await page.goto(console.base + path);
      await page.getByRole("row").getByRole("button").first().click();
      await page.getByRole("dialog").waitFor();
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(page.url()).toBe(console.base + path);

      // Closed by a key, it leaves no second entry of the list, and Back leads to the page before.
      await page.goto(`${console.base}/${owner.organizationId}/policies`);
      await page.goto(console.base + path);
      await page.getByRole("row").getByRole("button").first().click();
      await untilFocused(page.getByRole("dialog"));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(page.url()).toBe(console.base + path);
      await page.goBack();
      expect(new URL(page.url()).pathname).toBe(`/${owner.organizationId}/policies`);
    }
  });

  it.for(nightlySizes)("say what was spent last month by category (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const { organizationId: teamId, purser } = owner;
    const page = await open(`/${teamId}`, { user: owner, size });
    await page.getByLabel("Period of the spending").selectOption("Last month");
    const spending = page.getByRole("region", { name: "Spending by category" });
    const { timeZone } = await purser.organizations.settings.get({ id: teamId });
    const days = rangeOfSpan(reportPeriods["last-month"].days(zonedDay(new Date(), timeZone)));
    const groups = { interval: "month", groupBy: "category" } as const;
    const report = await purser.banking.reports.cashflow({ teamId, ...days, ...groups });
    const spent = report.filter(({ category, moneyOut }) => typeof category === "string" && moneyOut > 0);
    const byCategory = Map.groupBy(spent, ({ category }) => category!);
    const inPounds = ([, own]: [string, typeof spent]) =>
      own.find(({ currency }) => currency === "GBP")?.moneyOut ?? 0;
    const [category, own] = [...byCategory]
      .toSorted((one, other) => inPounds(other) - inPounds(one))
      .slice(0, 6)
      // One with several currencies, because the list has no filter for them.
      .toSorted(([, one], [, other]) => other.length - one.length)[0]!;
    const link = spending.getByRole("link", { name: inWords(category), exact: true });
    const filter = { category, type: "DEBIT", ...days } as const;
    const listed = await purser.banking.transactions.list({ teamId, ...filter, limit: 1000 });
    for (const { currency, moneyOut } of own) {
      const items = listed.filter((item) => item.currency === currency);
      expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(moneyOut);
      await spending.getByText(formatMoney(moneyOut, currency)).first().waitFor();
    }
    await link.click();
    const sums = page.getByRole("region", { name: "Sums" });
    for (const { currency, moneyOut } of own) {
      await sums.getByText(`Money out in ${currency}, booked`).waitFor();
      await sums.getByText(formatMoney(moneyOut, currency)).waitFor();
    }
    await page.getByText(listed.length === 1 ? "1 transaction" : `${listed.length} transactions`).waitFor();
    await page.getByRole("button", { name: "Filters" }).click();
    const isPressed = await page.getByRole("button", { name: "Last month" }).getAttribute("aria-pressed");
    expect(isPressed).toBe("true");
  });

  it.for(nightlySizes)(
    "get a note beside the list, which is taken back, and follow another person’s (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId: teamId } = owner;
      const { transactions } = owner.purser.banking;
      const [first] = await transactions.list({ teamId, status: "ALL", limit: 1 });
      const transactionId = first!.id;
      const note = async () => (await transactions.get({ teamId, transactionId })).note;
      await transactions.update({ teamId, transactionId, note: null });

      const page = await open(`/${teamId}/transactions`, { user: owner, size });
      await page.locator("[data-row='0'] [data-opener]").press("Enter");
      const field = page.getByRole("dialog").getByRole("textbox", { name: "Note" });
      await field.fill(`Checked on a ${size}`);
      await field.blur();
      await page.getByText("Note saved").waitFor();
      expect(await note()).toBe(`Checked on a ${size}`);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => field.inputValue()).toBe("");
      expect(await note()).toBeNull();

      // A save that fails takes the note from the list, and not from its field, which saves it when it is left again.
      const update = /transactions\.update/;
      await page.route(update, (route) => route.abort("connectionrefused"));
      await field.fill("Without a connection");
      await field.blur();
      await page.getByRole("alert").filter({ hasText: "Purser cannot be reached" }).waitFor();
      const hasNote = page.locator("[data-row='0']").getByRole("img", { name: "Has a note" });
      await hasNote.waitFor({ state: "detached" });
      expect(await field.inputValue()).toBe("Without a connection");
      await page.unroute(update);
      await field.focus();
      await field.blur();
      await hasNote.waitFor();
      await expect.poll(note).toBe("Without a connection");

      await transactions.update({ teamId, transactionId, note: "Elsewhere" });
      await expect.poll(() => field.inputValue()).toBe("Elsewhere");

      // However the details close, what was written stays.
      for (const [how, close] of [
        ["Escape", () => field.press("Escape")],
        ["a click beside", () => page.mouse.click(5, 300)],
      ] as const) {
        await field.fill(`Closed by ${how}`);
        await close();
        await expect.poll(note).toBe(`Closed by ${how}`);
        await page.goto(`${console.base}/${teamId}/transactions`);
        await hasNote.waitFor();
        await page.goto(`${console.base}/${teamId}/transactions?selected=${transactionId}`);
      }
    },
  );

  categories();
  halfWritten();
  sentAgain();
}

function sentAgain(): void {
  it.for(nightlySizes)(
    "keep the last of two notes when the first must be sent again (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId: teamId } = owner;
      const { transactions } = owner.purser.banking;
      const [, , , fourth] = await transactions.list({ teamId, status: "ALL", limit: 4 });
      const transactionId = fourth!.id;
      await transactions.update({ teamId, transactionId, note: null });
      const page = await open(`/${teamId}/transactions?selected=${transactionId}`, { user: owner, size });
      const isWrittenOver = Promise.withResolvers<void>();
      const seen: string[] = [];
      await page.route(/transactions\.update/, async (route) => {
        const text = /Half[ a-z]*/.exec(route.request().postData() ?? "")?.[0] ?? "";
        seen.push(`${text} sent`);
        if (seen.length === 1) return route.abort("connectionrefused");
        if (text === "Half") await isWrittenOver.promise;
        const response = await route.fetch();
        seen.push(`${text} stored`);
        return route.fulfill({ response });
      });
      const note = page.getByRole("dialog").getByRole("textbox", { name: "Note" });
      await note.fill("Half");
      await note.blur();
      await expect.poll(() => seen.length).toBe(2);
      await note.fill("Half paid");
      await note.blur();
      isWrittenOver.resolve();
      await page.getByText("Note saved").nth(1).waitFor();
      expect(seen).toEqual(["Half sent", "Half sent", "Half stored", "Half paid sent", "Half paid stored"]);
      expect((await transactions.get({ teamId, transactionId })).note).toBe("Half paid");
      expect(await note.inputValue()).toBe("Half paid");
      await transactions.update({ teamId, transactionId, note: null });
    },
  );
}

function halfWritten(): void {
  it.for(nightlySizes)("keep what somebody is still writing (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const { organizationId: teamId } = owner;
    const { transactions } = owner.purser.banking;
    const page = await open(`/${teamId}/transactions`, { user: owner, size });
    const address = (name: string) => new URL(page.url()).searchParams.get(name);
    const search = page.getByRole("searchbox", { name: "Search transactions" });
    await search.pressSequentially("card ");
    await expect.poll(() => address("query")).toBe("card");
    await search.pressSequentially("p");
    await expect.poll(() => address("query")).toBe("card p");
    await page.getByRole("button", { name: "Reset" }).click();
    await expect.poll(() => search.inputValue()).toBe("");
    await page.getByRole("button", { name: "Filters" }).click();
    const minimum = page.getByRole("textbox", { name: "Minimum amount" });
    await minimum.pressSequentially("12.");
    await expect.poll(() => address("minAmount")).toBe("1200");
    await minimum.pressSequentially("5");
    await expect.poll(() => address("minAmount")).toBe("1250");

    // On the way to 100, which is more than the minimum.
    const maximum = page.getByRole("textbox", { name: "Maximum amount" });
    await maximum.pressSequentially("1");
    await page.getByText("This is less than the minimum").waitFor();
    await page.getByRole("heading", { name: "No transactions match" }).waitFor();
    await maximum.pressSequentially("00");
    await expect.poll(() => address("maxAmount")).toBe("10000");
    await page.locator("[data-row]").first().waitFor();
    await maximum.fill("");
    // A symbol finds nothing that a word would not.
    await search.pressSequentially("£");
    await expect.poll(() => address("query")).toBe("£");
    await expect.poll(() => address("maxAmount")).toBeNull();
    await page.locator("[data-row] [data-opener]").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await search.fill("");

    const from = page.getByLabel("From", { exact: true });
    await from.pressSequentially("03012026");
    await expect.poll(() => from.inputValue()).toBe("2026-03-01");
    await expect.poll(() => address("from")).toBe("2026-03-01");
    await page.getByRole("button", { name: "Remove the filter From" }).click();
    await expect.poll(() => from.inputValue()).toBe("");

    const [, , third] = await transactions.list({ teamId, status: "ALL", limit: 3 });
    const transactionId = third!.id;
    await page.goto(`${console.base}/${teamId}/transactions?selected=${transactionId}`);
    const note = page.getByRole("dialog").getByRole("textbox", { name: "Note" });
    await note.fill("Half");
    await transactions.update({ teamId, transactionId, note: "Elsewhere", category: `While ${size}` });
    const category = page.getByRole("dialog").getByRole("combobox", { name: "Category" });
    await expect.poll(() => category.inputValue()).toBe(`While ${size}`);
    expect(await note.inputValue()).toBe("Half");
    await note.blur();
    await expect.poll(async () => (await transactions.get({ teamId, transactionId })).note).toBe("Half");
    await transactions.update({ teamId, transactionId, note: null, category: null });
  });
}

function categories(): void {
  it.for(nightlySizes)("get a category in place, chosen or written (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const { organizationId: teamId } = owner;
    const { transactions } = owner.purser.banking;
    const [, second] = await transactions.list({ teamId, status: "ALL", limit: 2 });
    const transactionId = second!.id;
    const category = async () => (await transactions.get({ teamId, transactionId })).category;
    const { category: ofBank } = await transactions.update({ teamId, transactionId, category: null });
    const page = await open(`/${teamId}/transactions?selected=${transactionId}`, { user: owner, size });
    const changes: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("transactions.update")) changes.push(request.url());
    });
    const field = page.getByRole("dialog").getByRole("combobox", { name: "Category" });
    await field.fill("ta");
    await page.getByRole("option").first().click();
    await page.getByText("Category saved").waitFor();
    const chosen = await category();
    expect(chosen).not.toBe(ofBank);
    await expect.poll(() => field.inputValue()).toBe(inWords(chosen!));
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(category).toBe(ofBank);
    await expect.poll(() => field.inputValue()).toBe(ofBank === null ? "" : inWords(ofBank));
    // One for the choice, and one to take it back.
    expect(changes).toHaveLength(2);

    // The option under the keys counts, and not what was written to find it.
    await field.fill("ta");
    await field.press("ArrowDown");
    await field.press("Enter");
    await expect.poll(category).toBe(chosen);
    expect(changes).toHaveLength(3);
    await field.fill("garden_party");
    await field.press("Enter");
    await expect.poll(category).toBe("garden_party");
    await field.fill("");
    await field.blur();
    await expect.poll(category).toBe(ofBank);
    expect(changes).toHaveLength(5);
  });

  it.for(nightlySizes)(
    "are found by a category, also where another one has the same words (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId: teamId } = owner;
      const { transactions } = owner.purser.banking;
      const posted = await transactions.list({ teamId, limit: 6 });
      const set = async (transactionId: string, category: string | null) =>
        transactions.update({ teamId, transactionId, category });
      const [first, second] = [posted[4]!, posted[5]!];
      await set(first.id, "GARDEN_PARTY");
      await set(second.id, "Garden party");
      const page = await open(`/${teamId}/transactions`, { user: owner, size });
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("combobox", { name: "Category" }).fill("garden");
      await page.getByRole("option", { name: "Garden party (GARDEN_PARTY)" }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get("category")).toBe("GARDEN_PARTY");
      await page.getByText("1 transaction", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Remove the filter Garden party (GARDEN_PARTY)" }).click();
      await page.getByRole("combobox", { name: "Category" }).fill("Garden party");
      await page.keyboard.press("Enter");
      await expect.poll(() => new URL(page.url()).searchParams.get("category")).toBe("Garden party");
      await page.getByText("1 transaction", { exact: true }).waitFor();
      await set(first.id, null);
      await set(second.id, null);
    },
  );

  it.for(nightlySizes)(
    "show a member all, and no field that only owners may change (%s)",
    async (size, { console, open }) => {
      const { member } = console.demo;
      const page = await open(`/${member.organizationId}/transactions`, { user: member, size });
      await page.locator("[data-row='0'] [data-opener]").click();
      await page.getByRole("dialog").getByText("Category").waitFor();
      expect(await page.getByRole("dialog").getByRole("textbox").count()).toBe(0);
    },
  );
}
