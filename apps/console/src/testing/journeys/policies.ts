import { expect } from "vitest";
import type { TestConsole, TestUser } from "../console.ts";
import { it, nightlySizes } from "../journey.ts";

/** A new organization with a policy of one monthly limit. */
async function organizationWithPolicy(console: TestConsole, name: string) {
  const user = await console.newOrganization(name);
  const { purser, organizationId } = user;
  const { id: policyId } = await purser.cards.policies.create({
    organizationId,
    name: "Travel",
    limits: [{ amount: 15_000, interval: "MONTHLY" }],
  });
  const stored = async () =>
    (await purser.cards.policies.list({ organizationId })).find(({ id }) => id === policyId)!;
  return { user, policyId, stored, path: `/${organizationId}/policies/${policyId}` };
}

/** Issues a card that follows a policy, from an account of a bank of the sandbox. */
async function issueFrom(
  providerId: string,
  currency: string,
  { purser, organizationId }: TestUser,
  policyId: string,
) {
  const teamId = organizationId;
  const bank = { teamId, provider: "sandbox", providerId } as const;
  const { id: connectionId } = await purser.banking.connections.connect({ ...bank, consentId: providerId });
  await purser.banking.connections.sync({ teamId, connectionId });
  const accounts = await purser.banking.accounts.list({ teamId });
  const account = accounts.find((one) => one.type === "CHECKING" && one.currency === currency)!;
  const { id: assignedToId } = await purser.me.get();
  const parts = { organizationId, assignedToId, fundingAccountId: account.id, policyId };
  return purser.cards.create({ ...parts, purpose: "BUSINESS", nickname: "Trips" });
}

export function policyJourneys(): void {
  it.for(nightlySizes)("keep what somebody else changes meanwhile (%s)", async (size, { console, open }) => {
    const { user, policyId, stored, path } = await organizationWithPolicy(console, `Two owners, ${size}`);
    const { purser, organizationId } = user;
    const page = await open(path, { user, size });
    const name = page.getByRole("textbox", { name: "Name" });
    await name.fill("Trips");
    await purser.cards.policies.update({ organizationId, policyId, allowAtm: false, description: "Paris" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The policy is changed").waitFor();
    expect(await stored()).toMatchObject({ name: "Trips", allowAtm: false, description: "Paris" });
    // The form goes on with what is stored now.
    await expect.poll(() => page.getByRole("switch", { name: "ATM withdrawals" }).isChecked()).toBe(false);
    await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });

    // To remove a limit is a change, too.
    await page.getByRole("button", { name: "Remove limit 1" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await stored()).limits).toEqual([]);

    // Without a connection, it keeps what is written. The client reads another owner's change five times in vain.
    await name.fill("Journeys");
    let reads = 0;
    const calls = /cards\.policies\.(list|update)/;
    await page.route(calls, (route) => {
      if (route.request().url().includes("cards.policies.list")) reads += 1;
      return route.abort("connectionrefused");
    });
    await purser.cards.policies.update({ organizationId, policyId, description: "Rome" });
    await expect.poll(() => reads).toBe(5);
    await page.getByRole("button", { name: "Save" }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Purser cannot be reached" });
    await alert.getByRole("button", { name: "Close" }).click();
    expect(await name.inputValue()).toBe("Journeys");
    await page.unroute(calls);
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await stored()).name).toBe("Journeys");

    const card = await issueFrom("sandbox-bank", "GBP", user, policyId);
    const other = await purser.cards.policies.create({ organizationId, name: "Other" });
    await page.goto(`${console.base}/${organizationId}/cards/${card.id}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Change holder, policy or name" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Bouquets");
    await purser.cards.update({ organizationId, cardId: card.id, policyId: other.id });
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The card is changed").waitFor();
    const changed = await purser.cards.get({ organizationId, cardId: card.id });
    expect(changed).toMatchObject({ nickname: "Bouquets", policyId: other.id });
  });

  it.for(nightlySizes)(
    "leave a card frozen that another owner has frozen since it was paused (%s)",
    async (size, { console, open }) => {
      const { user, policyId } = await organizationWithPolicy(console, `Frozen on a ${size}`);
      const { purser, organizationId } = user;
      const { id: cardId } = await issueFrom("sandbox-bank", "GBP", user, policyId);
      const page = await open(`/${organizationId}/cards/${cardId}`, { user, size });
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByText("The card is paused").waitFor();
      await purser.cards.updateStatus({ organizationId, cardId, status: "FROZEN" });
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("alert").filter({ hasText: "stays as it is" }).waitFor();
      expect((await purser.cards.get({ organizationId, cardId })).status).toBe("FROZEN");
      await page.getByRole("button", { name: "Unfreeze", exact: true }).waitFor();
    },
  );

  it.for(nightlySizes)(
    "keep their amounts when the currency of their cards changes (%s)",
    async (size, { console, open }) => {
      const { user, policyId, stored, path } = await organizationWithPolicy(console, `Yen, ${size}`);
      const page = await open(path, { user, size, isLive: true });
      const limit = page.getByRole("textbox", { name: "Limit 1" });
      await expect.poll(() => limit.inputValue()).toBe("150");
      await page.getByRole("textbox", { name: "Name" }).fill("Trips");
      await issueFrom("kawasemi-bank", "JPY", user, policyId);
      await page.getByText("Used by Trips").waitFor();
      expect(await limit.inputValue()).toBe("150");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The policy is changed").waitFor();
      expect((await stored()).limits).toEqual([{ amount: 15_000, interval: "MONTHLY" }]);
      await page.reload();
      await expect.poll(() => limit.inputValue()).toBe("15,000");
      // Yen have no decimals, and it is never 1,250 of them.
      await limit.fill("12.50");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Enter an amount without decimals, such as 1,250").waitFor();
      expect(await limit.inputValue()).toBe("12.50");
    },
  );

  it.for(nightlySizes)(
    "change at once or not at all, and are shown without a connection (%s)",
    async (size, { console, open }) => {
      const { user, stored } = await organizationWithPolicy(console, `Offline, ${size}`);
      const { purser, organizationId } = user;
      const page = await open(`/${organizationId}/policies`, { user, size, ownContext: true });
      const row = (name: string) => page.getByRole("row").filter({ hasText: name });
      await row("Travel").getByRole("link").click();
      const name = page.getByRole("textbox", { name: "Name" });
      await name.fill("Trips");
      await page.context().setOffline(true);
      await page.getByRole("button", { name: "Save" }).click();
      const alert = page.getByRole("alert").filter({ hasText: "Purser cannot be reached" });
      await alert.getByRole("button", { name: "Close" }).click();
      expect(await name.inputValue()).toBe("Trips");
      await page.goBack();
      // The question was loaded before the connection was lost.
      await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
      await row("Travel").waitFor();
      await page.context().setOffline(false);
      await purser.cards.policies.create({ organizationId, name: "Later" });
      await row("Later").waitFor();
      expect((await stored()).name).toBe("Travel");
    },
  );

  it.for(nightlySizes)(
    "are created once, also if the answer is lost and somebody tries again (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Created once, ${size}`);
      const { purser, organizationId } = user;
      const page = await open(`/${organizationId}/policies/new`, { user, size });
      await page.getByRole("textbox", { name: "Name" }).fill("Travel");
      const calls = /cards\.policies\.create/;
      await page.route(calls, async (route) => {
        await route.fetch();
        await route.abort("connectionrefused");
      });
      const create = page.getByRole("button", { name: "Create the policy" });
      await create.click();
      await page.getByRole("alert").filter({ hasText: "Purser cannot be reached" }).waitFor();
      expect(await purser.cards.policies.list({ organizationId })).toHaveLength(1);
      await page.unroute(calls);
      await create.click();
      await page.getByText("The policy is created").waitFor();
      expect(await purser.cards.policies.list({ organizationId })).toHaveLength(1);
    },
  );

  it.for(nightlySizes)(
    "show a refusal at the field that it is about (%s)",
    async (size, { console, open }) => {
      const { user, stored, path } = await organizationWithPolicy(console, `Refusals, ${size}`);
      const page = await open(path, { user, size });
      const save = page.getByRole("button", { name: "Save" });
      await page.getByRole("button", { name: "Add a limit" }).click();
      await save.click();
      await page.getByText("Enter an amount").waitFor();
      expect((await stored()).limits).toHaveLength(1);
      await page.getByRole("button", { name: "Remove limit 2" }).click();

      const merchants = page.getByRole("combobox", { name: "Allowed merchants" });
      await merchants.fill("x".repeat(201));
      await merchants.press("Enter");
      await page.getByRole("textbox", { name: "Name" }).fill("n".repeat(150));
      await save.click();
      await expect.poll(() => merchants.getAttribute("aria-invalid")).toBe("true");
      await page.getByRole("button", { name: "Discard changes" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("n".repeat(150));
      await save.click();
      await expect.poll(async () => (await stored()).name).toBe("n".repeat(150));
    },
  );

  it.for(nightlySizes)(
    "take an amount with the separators of either language (%s)",
    async (size, { console, open }) => {
      const { user, stored, path } = await organizationWithPolicy(console, `Separators, ${size}`);
      const english = { "12,55": "12.55", "1,250": "1,250", "1,250.55": "1,250.55" };
      const german = { "12.55": "12,55", "1.250": "1.250", "2.340,65": "2.340,65" };
      for (const [locale, before, amount, foreign, amounts] of [
        ["en-US", 15_000, 125_055, "1.250,55", english],
        ["de-DE", 125_055, 234_065, "2,340.65", german],
      ] as const) {
        const page = await open(path, { user, size, locale, ownContext: true });
        const limit = page.getByRole("textbox", { name: "Limit 1" });
        const paste = async (text: string, shown: string) => {
          const name = page.getByRole("textbox", { name: "Name" });
          await name.fill(text);
          for (const key of ["a", "c"]) await name.press(`ControlOrMeta+${key}`);
          for (const key of ["a", "v"]) await limit.press(`ControlOrMeta+${key}`);
          expect(await limit.inputValue(), `${text} pasted`).toBe(shown);
        };
        for (const [written, shown] of Object.entries(amounts)) {
          await paste(written, shown);
          await limit.fill("");
          await limit.pressSequentially(written);
          expect(await limit.inputValue(), `${written} typed`).toBe(shown);
          // A digit too many is not the third one of thousands.
          await limit.blur();
          await limit.press("End");
          if (/\D\d\d$/.test(shown)) await limit.pressSequentially("5");
          expect(await limit.inputValue()).toBe(/\D\d\d$/.test(shown) ? `${shown}5` : shown);
        }
        // What the other language separates is not read as a thousandth, and nothing of it is dropped.
        await limit.fill("");
        await limit.pressSequentially(foreign);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText(/^Enter an amount with up to 2 decimals, such as 12[.,]50$/).waitFor();
        expect((await stored()).limits).toEqual([{ amount: before, interval: "MONTHLY" }]);
        await paste(foreign, Object.values(amounts).at(-1)!);
        await page.getByRole("button", { name: "Save" }).click();
        await page.getByText("The policy is changed").waitFor();
        expect((await stored()).limits).toEqual([{ amount, interval: "MONTHLY" }]);
      }
    },
  );

  it.for(nightlySizes)("take a merchant whose name has a comma (%s)", async (size, { console, open }) => {
    const { user, stored, path } = await organizationWithPolicy(console, `Commas, ${size}`);
    const page = await open(path, { user, size });
    const merchants = page.getByRole("combobox", { name: "Blocked merchants" });
    await merchants.pressSequentially("Smith, Jones & Co");
    await merchants.press("Enter");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The policy is changed").waitFor();
    expect((await stored()).blockedMerchants).toEqual(["Smith, Jones & Co"]);
  });

  it.for(nightlySizes)(
    "let a declined purchase pass, and keep what is written meanwhile (%s)",
    async (size, { console, open }) => {
      const { user, policyId, path } = await organizationWithPolicy(console, `Passing, ${size}`);
      const { purser } = user;
      const { id: cardId } = await issueFrom("sandbox-bank", "GBP", user, policyId);
      const lunch = { amount: 20_000, channel: "in_store", merchant: { name: "De Haven" } } as const;
      const { id: purchase } = await purser.sandbox.cards.authorize({ cardId, ...lunch });
      const page = await open(`${path}?purchase=${purchase}`, { user, size });
      const carried = page.getByRole("region", { name: "The declined purchase" });
      const fix = carried.getByRole("button", { name: /^Set .*200\.00 a month$/ });
      const limit = (position: number) => page.getByRole("textbox", { name: `Limit ${position}` });
      await fix.waitFor();
      // A row without an amount is no limit yet, so the proposal knows nothing of it.
      await page.getByRole("button", { name: "Add a limit" }).click();
      await fix.click();
      await expect.poll(() => limit(1).inputValue()).toBe("200");
      expect(await limit(2).inputValue()).toBe("");

      await limit(1).fill("150");
      await fix.waitFor();
      const answered = Promise.withResolvers<void>();
      await page.route(/cards\.policies\.check/, async (route) => {
        await answered.promise;
        await route.continue();
      });
      await limit(2).fill("900");
      // What is proposed is about the draft before.
      await expect.poll(() => fix.isDisabled()).toBe(true);
      answered.resolve();
      await fix.click();
      await expect.poll(() => limit(1).inputValue()).toBe("200");
      expect(await limit(2).inputValue()).toBe("900");
    },
  );

  it.for(nightlySizes)(
    "save what somebody stays for, after a change is saved (%s)",
    async (size, { console, open }) => {
      const { user, policyId, path } = await organizationWithPolicy(console, `Staying, ${size}`);
      const { organizationId, purser } = user;
      const { id: cardId } = await issueFrom("sandbox-bank", "GBP", user, policyId);
      const lunch = { amount: 20_000, channel: "in_store", merchant: { name: "De Haven" } } as const;
      const { id: purchase } = await purser.sandbox.cards.authorize({ cardId, ...lunch });
      const page = await open(`${path}?purchase=${purchase}`, { user, size });
      const name = page.getByRole("textbox", { name: "Name", exact: true });
      const save = page.getByRole("button", { name: "Save", exact: true });
      const answered = Promise.withResolvers<void>();
      await page.route(/cards\.policies\.update/, async (route) => {
        await answered.promise;
        await route.continue();
      });
      await name.fill("Trips");
      await save.click();
      await name.fill("Trips abroad");
      answered.resolve();
      const question = page.getByRole("dialog", { name: "Leave without saving?" });
      await question.getByRole("button", { name: "Stay" }).click();
      await question.waitFor({ state: "detached" });
      expect(await name.inputValue()).toBe("Trips abroad");
      await save.click();
      await page.waitForURL((url) => url.pathname !== path);
      const [policy] = await purser.cards.policies.list({ organizationId });
      expect(policy).toMatchObject({ id: policyId, name: "Trips abroad" });
    },
  );

  it.for(nightlySizes)(
    "take limits where the address is no secure one, and keys are copied there (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Plain HTTP, ${size}`);
      const page = await open(`/${user.organizationId}/policies/new`, { user, size });
      // What browsers leave out on plain HTTP, unless the host is the same one.
      await page.addInitScript(() => {
        Object.defineProperty(Crypto.prototype, "randomUUID", { value: undefined });
        Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
      });
      await page.reload();
      await page.getByRole("button", { name: "Add a limit" }).click();
      await page.getByRole("textbox", { name: "Limit 1" }).waitFor();

      await page.goto(`${console.base}/${user.organizationId}/developers`);
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Export");
      await page.getByRole("button", { name: "Create the key" }).click();
      const sample = page.getByLabel("Sample request", { exact: true });
      await page.getByRole("button", { name: "Copy: Sample request" }).click();
      await page.getByRole("button", { name: "Sample request: copied" }).waitFor();
      expect(await page.evaluate(() => getSelection()?.toString())).toBe(await sample.textContent());
    },
  );
}
