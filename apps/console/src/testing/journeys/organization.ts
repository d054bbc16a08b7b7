import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { createPurserClient } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";
import { totp } from "@purser/identity/testing";
import { forgetSession } from "@purser/testing/browser";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { choose, hold, it, journeySizes, nightlySizes, pressIn } from "../journey.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name, exact: true });

/** Starts an endpoint that refuses until it accepts. */
async function startReceiver() {
  const received: (string | undefined)[] = [];
  let isAccepting = false;
  const server = createServer((request, response) => {
    received.push(request.headers["webhook-id"]?.toString());
    response.writeHead(isAccepting ? 200 : 503).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    accept: () => (isAccepting = true),
    close: () => void server.close(),
  };
}

export function organizationJourneys(): void {
  it.for(journeySizes)("subscribes on trial, cancels, and resumes (%s)", async (size, { console, open }) => {
    const user = await console.newOrganization("Subscribers");
    const { organizationId } = user;
    const subscription = () => user.purser.organizations.subscription.get({ organizationId });
    const page = await open(`/${organizationId}/billing`, { user, size });
    await page.getByRole("article", { name: "Business" }).getByText("First 14 days free").waitFor();
    await button(page, "Subscribe to Business").press("Enter");
    await page.getByLabel("Card number").fill("4242 4242 4242 4242");
    await page.getByLabel("Expires").fill("12/40");
    await page.getByLabel("CVC").fill("987");
    await page.getByLabel("Name on the card").fill("Ada Lovelace");
    await page.keyboard.press("Enter");

    await page.getByText("Thank you. The subscription is active.").waitFor();
    // The provider's page opens, also if the notice is closed meanwhile.
    const answer = await hold(page, /billing\.portal/);
    await button(page, "Payment method and invoices").press("Enter");
    await button(page, "Close").press("Enter");
    await page.getByText("Thank you. The subscription is active.").waitFor({ state: "detached" });
    answer();
    await page.waitForURL("**/local/portal/**");
    await page.goto(`${console.base}/${organizationId}/billing`);

    const plan = page.getByRole("region", { name: "Subscription" });
    await plan.getByText("Free trial until").waitFor();
    // That concerns those who have not subscribed yet.
    expect(await plan.getByText("First 14 days free").count()).toBe(0);
    await button(page, "Cancel at the end of the period").press("Enter");
    await pressIn(dialog(page, "Cancel the subscription?"), "Cancel the subscription");
    await plan.getByText("Canceled. The trial lasts until").waitFor();
    expect(await subscription()).toMatchObject({ cancelAtPeriodEnd: true });
    await button(page, "Resume").press("Enter");
    await plan.getByText("Free trial until").waitFor();
    expect(await subscription()).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it.for(nightlySizes)(
    "sees the subscription that is paid beside one that an administrator entered (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization("Granted");
      const { organizationId } = user;
      const page = await open(`/${organizationId}/billing`, { user, size });
      await button(page, "Subscribe to Business").press("Enter");
      await page.getByLabel("Card number").fill("4242 4242 4242 4242");
      await page.getByLabel("Expires").fill("12/40");
      await page.getByLabel("CVC").fill("987");
      await page.getByLabel("Name on the card").fill("Ada Lovelace");
      await page.keyboard.press("Enter");
      const plans = page.getByRole("region", { name: "Subscription" });
      await plans.getByText("Free trial until").waitFor();
      const paid = (await user.purser.organizations.subscription.get({ organizationId }))!;

      const { bearerToken } = await createPurserAuth({ baseUrl: console.base }).signIn.email({
        email: "admin@demo.example",
        password: user.password,
      });
      await createPurserClient({ baseUrl: console.base, token: bearerToken ?? "" }).billing.sync({
        teamId: organizationId,
        id: `grant-${size}`,
        customerId: "none",
        status: "ACTIVE",
        planId: "grant",
        variantId: "grant",
        cancelAtPeriodEnd: false,
        canceledAt: null,
        currentPeriodStart: new Date(paid.currentPeriodStart.getTime() + 60_000),
        currentPeriodEnd: new Date(paid.currentPeriodStart.getTime() + 365 * 86_400_000),
      });
      await page.goto(`${console.base}/${organizationId}/billing`);
      await plans.getByText("A plan that is no longer offered").waitFor();
      expect(await plans.count()).toBe(2);
      const own = plans.filter({ hasText: "Business" });
      await own.getByText("Free trial until").waitFor();
      await own.getByRole("button", { name: "Cancel at the end of the period" }).press("Enter");
      await pressIn(dialog(page, "Cancel the subscription?"), "Cancel the subscription");
      await own.getByText("Canceled. The trial lasts until").waitFor();
    },
  );

  it.for(nightlySizes)(
    "opens an event and a delivery by their links that the lists have not reached (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization("Linked");
      const { organizationId, purser } = user;
      await purser.webhookEndpoints.create({ organizationId, url: "http://127.0.0.1:9/purser" });
      for (let nth = 0; nth < 101; nth += 1)
        await purser.organizations.update({ id: organizationId, name: `Linked ${nth}` });
      const all = () => purser.webhookEndpoints.deliveries.list({ organizationId, limit: 1000 });
      await expect.poll(async () => (await all()).length, { timeout: 60_000 }).toBeGreaterThan(100);
      const [delivery] = (await all()).toReversed();
      const [event] = (await purser.events.list({ organizationId, limit: 1000 })).toReversed();
      const developers = `/${organizationId}/developers`;
      const page = await open(`${developers}?tab=events&event=${event!.id}`, { user, size });
      await dialog(page, event!.type).getByText(event!.id, { exact: true }).waitFor();
      await page.goto(`${console.base}${developers}?tab=deliveries&delivery=${delivery!.id}`);
      await dialog(page, delivery!.eventType).getByText(delivery!.eventId).waitFor();
      const unknown = event!.id.replace(/.{8}$/, "00000000");
      await page.goto(`${console.base}${developers}?tab=events&event=${unknown}`);
      await dialog(page, "Event").getByText("There is no such event").waitFor();
      const gone = delivery!.id.replace(/.{8}$/, "00000000");
      await page.goto(`${console.base}${developers}?tab=deliveries&delivery=${gone}`);
      await dialog(page, "Delivery").getByText("There is no such delivery").waitFor();
    },
  );

  it.for(journeySizes)(
    "adds a webhook endpoint, sees why a delivery failed, and delivers it again (%s)",
    async (size, { console, open, onTestFinished }) => {
      const receiver = await startReceiver();
      onTestFinished(receiver.close);
      const user = await console.newOrganization("Receivers");
      const page = await open(`/${user.organizationId}/developers?tab=webhooks`, {
        user,
        size,
      });
      await button(page, "Add an endpoint").press("Enter");
      const { url, received } = receiver;
      await page.getByLabel("Address", { exact: true }).fill("not an address");
      await button(page, "Add the endpoint").press("Enter");
      await page
        .getByRole("textbox", { name: "Address", exact: true })
        .and(page.locator("[aria-invalid=true]"))
        .waitFor();
      await page.getByLabel("Address", { exact: true }).fill(url);
      await button(page, "Add the endpoint").press("Enter");
      const secret = dialog(page, "Signing secret");
      expect(await secret.getByLabel("Signing secret", { exact: true }).textContent()).toMatch(/^whsec_/);
      await pressIn(secret, "I have stored it");

      await page
        .getByRole("article", { name: url })
        .getByRole("button", { name: "Send a test event" })
        .press("Enter");
      // A delivery that is open stays so when it no longer fits the filter.
      await choose(page, "Status", "Pending");
      const delivery = page
        .getByRole("table", { name: "Deliveries" })
        .getByRole("button", { name: "webhook_endpoint.test" });
      await delivery.press("Enter");
      const details = dialog(page, "webhook_endpoint.test");
      await details.getByText("Answered 503").first().waitFor();
      receiver.accept();
      await pressIn(details, "Send it again");
      // The next retry may come in time as well.
      await details.getByText("Answered 200").first().waitFor();
      await details.getByText("Delivered", { exact: true }).waitFor();
      const eventId = await details.getByLabel("Event id", { exact: true }).textContent();
      expect(new Set(received)).toContain(eventId);
    },
  );

  it.for(journeySizes)(
    "creates an API key, calls the service with curl, and revokes the key (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization("Programs");
      const page = await open(`/${user.organizationId}/developers`, { user, size });
      await button(page, "Create a key").press("Enter");
      await page.getByLabel("Name", { exact: true }).fill("Accounting export");
      await button(page, "Create the key").press("Enter");
      const sample = await dialog(page, "Your API key")
        .getByLabel("Sample request", { exact: true })
        .textContent();
      const call = async () =>
        JSON.parse((await promisify(execFile)("sh", ["-c", `${sample} --silent`])).stdout) as object;
      expect(await call()).toMatchObject({ id: user.organizationId, name: "Programs" });
      await button(page, "I have stored it").press("Enter");
      const revoke = button(page, "Revoke the key Accounting export");
      const question = dialog(page, "Revoke the key “Accounting export”?");
      const cancel = question.getByRole("button", { name: "Cancel" });
      const focused = page.locator(":focus");
      await revoke.press("Enter");
      await cancel.and(focused).press("Enter");
      await question.waitFor({ state: "detached" });
      await revoke.and(focused).press("Enter");
      await cancel.and(focused).waitFor();
      await question.getByRole("button", { name: "Revoke" }).press("Enter");
      await page.getByRole("table", { name: "API keys" }).getByText("Revoked").waitFor();
      expect(await call()).toMatchObject({ code: "UNAUTHENTICATED" });
    },
  );

  it.for(journeySizes)(
    "switches the second factor on, and signs in with a backup code (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser();
      const page = await open("/account", { user, size });
      const section = page.getByRole("region", { name: "Two-factor sign-in" });
      await section.getByRole("button", { name: "Set it up" }).press("Enter");
      await section.getByLabel("Your password").fill("wrong password");
      await page.keyboard.press("Enter");
      await section.getByText("Invalid password").waitFor();
      await section.getByLabel("Your password").fill(user.password);
      await page.keyboard.press("Enter");
      await section.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
      const uri = (await section.getByRole("link", { name: "Open it in an app" }).getAttribute("href"))!;
      expect(await section.getByLabel("Authenticator key", { exact: true }).textContent()).toBe(
        new URL(uri).searchParams.get("secret"),
      );
      const codes = section.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
      const oldCodes = await codes.allTextContents();
      await section.getByLabel("Enter the code").fill(totp(uri));
      await page.keyboard.press("Enter");

      // Once they are on their way, there is no way back: the old ones may no longer work.
      const answer = await hold(page, /generate-backup-codes/);
      await section.getByRole("button", { name: "New backup codes" }).press("Enter");
      await section.getByLabel("Your password").fill(user.password);
      await page.keyboard.press("Enter");
      await section.locator("button[data-loading]").waitFor();
      expect(await section.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
      answer();
      await codes.first().waitFor();
      const [backupCode] = await codes.allTextContents();
      expect(oldCodes).not.toContain(backupCode);
      await section.getByRole("button", { name: "I have stored them" }).press("Enter");

      await forgetSession(page);
      await page.goto(`${console.base}/sign-in?next=/account`);
      await page.getByLabel("E-mail address").fill(user.email);
      await page.getByLabel("Password").fill(user.password);
      await page.keyboard.press("Enter");
      await page.getByLabel("Code").fill(backupCode!);
      await page.keyboard.press("Enter");
      await page.getByText(`You are signed in as ${user.email}.`).waitFor();
    },
  );

  it.for(nightlySizes)(
    "says what could not be read, and names no empty list instead (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId } = owner;
      const problem = (page: Page) =>
        page.getByRole("alert").filter({ hasText: "Purser cannot be reached" }).first().waitFor();
      const page = await open("/assets/purser.svg", { user: owner, size });
      const calls = /webhookEndpoints\.list|cards\.policies\.list/;
      await page.route(calls, (route) => route.abort("connectionrefused"));
      await page.goto(`${console.base}/${organizationId}/developers?tab=deliveries`);
      await problem(page);
      expect(await page.getByText("A deleted endpoint").count()).toBe(0);

      await page.goto(`${console.base}/${organizationId}/cards/new`);
      await choose(page, "Paid from", /GBP|£/);
      await button(page, "Continue").click();
      await problem(page);
      await page.unroute(calls);
      await button(page, "Try again").click();
      await page.getByRole("combobox", { name: "Policy", exact: true }).waitFor();
    },
  );
}
