import { createPurserAuth } from "@purser/client/auth";
import type { Route } from "playwright-core";
import { expect } from "vitest";
import { it, nightlySizes } from "../journey.ts";

export function accountJourneys(): void {
  it.for(nightlySizes)(
    "changes name, address and password, and signs out elsewhere (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser("Own accounts");
      const auth = createPurserAuth({ baseUrl: console.base });
      await auth.signIn.email({ email: user.email, password: user.password });
      const page = await open("/account", { user, size });
      const region = (name: string) => page.getByRole("region", { name, exact: true });
      await region("Profile").getByLabel("Name").fill("Ada Lovelace");
      await region("Profile").getByRole("button", { name: "Save" }).click();
      await page.getByText("The profile is saved").waitFor();
      expect((await user.purser.me.get()).name).toBe("Ada Lovelace");

      // What somebody writes while they are saving stays, too.
      const answer = Promise.withResolvers<void>();
      await page.route("**/update-user", async (route) => {
        await answer.promise;
        await route.continue();
      });
      await region("Profile").getByLabel("Name").fill("Ada King");
      await region("Profile").getByRole("button", { name: "Save" }).click();
      const picture = region("Profile").getByLabel("Picture URL");
      await picture.fill("https://example.com/ada.png");
      answer.resolve();
      await expect.poll(async () => (await user.purser.me.get()).name).toBe("Ada King");
      await region("Profile").getByRole("button", { name: "Save", disabled: false }).waitFor();
      expect(await picture.inputValue()).toBe("https://example.com/ada.png");

      await region("E-mail address").getByLabel("New e-mail address").fill(`new-${user.email}`);
      await region("E-mail address").getByRole("button", { name: "Send a link" }).click();
      await region("E-mail address").getByText(`A link is on its way to new-${user.email}`).waitFor();

      const sessions = region("Where you are signed in");
      await sessions.getByRole("button", { name: "Sign out node" }).first().click();
      await page.getByText("node is signed out").waitFor();
      await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
      await page.getByText("You are signed in here only").waitFor();
      await expect(user.purser.me.get()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });

      const password = region("Password");
      await password.getByLabel("Your password").fill("wrong password");
      await password.getByLabel("New password").fill("another good password");
      await password.getByRole("button", { name: "Change the password" }).click();
      await password.getByText("Invalid password").waitFor();
      await password.getByLabel("Your password").fill(user.password);
      await password.getByRole("button", { name: "Change the password" }).click();
      await expect.poll(() => password.getByLabel("New password").inputValue()).toBe("");
      await auth.signIn.email({ email: user.email, password: "another good password" });
    },
  );

  it.for(nightlySizes)(
    "creates a key of their own, revokes it, and deletes the account (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser();
      const page = await open("/account", { user, size });
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      await button("Create a key").click();
      await page.getByRole("dialog").getByLabel("Name").fill("My script");
      await button("Create the key").click();
      expect(await page.getByLabel("API key", { exact: true }).textContent()).toMatch(/^purser_/);
      await button("I have stored it").click();
      await button("Revoke the key My script").click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await button("Revoke the key My script").waitFor({ state: "detached" });

      await button("Delete the account").click();
      const section = page.getByRole("region", { name: "Delete your account" });
      await section.getByLabel("Your password").fill(user.password);
      await button("Delete my account").click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await expect(user.purser.me.get()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    },
  );

  it.for(nightlySizes)(
    "changes, disables and deletes a webhook endpoint, and reads the event log (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization("Endpoints");
      const { organizationId, purser } = user;
      const url = `${console.base}/dev/webhooks`;
      await purser.webhookEndpoints.create({ organizationId, url });
      await purser.organizations.update({ id: organizationId, name: "Endpoints of ours" });
      const path = `/${organizationId}/developers?tab=webhooks`;
      const page = await open(path, { user, size });
      const endpoint = async () => (await purser.webhookEndpoints.list({ organizationId }))[0];
      const act = async (item: string, answer?: string) => {
        await page.getByRole("button", { name: `Actions for ${url}` }).click();
        await page.getByRole("menuitem", { name: item, exact: true }).click();
        if (answer !== undefined)
          await page.getByRole("dialog").getByRole("button", { name: answer, exact: true }).click();
      };
      await act("Change");
      await page.getByRole("dialog").getByLabel("Description").fill("Accounting");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await expect.poll(async () => (await endpoint())?.description).toBe("Accounting");
      // The answer is lost, and the service does not repeat a secret.
      const lose = async (route: Route) => {
        await route.fetch();
        await route.abort("connectionrefused");
      };
      await page.route(/rotateSecret/, lose, { times: 1 });
      await act("Replace the secret", "Replace the secret");
      await page.getByText("The secret was replaced, but the new one was lost").waitFor();
      await act("Replace the secret", "Replace the secret");
      await page.getByRole("button", { name: "I have stored it" }).click();
      await act("Disable", "Disable");
      await expect.poll(async () => (await endpoint())?.status).toBe("DISABLED");
      await act("Enable");
      await expect.poll(async () => (await endpoint())?.status).toBe("ENABLED");

      await page.getByRole("tab", { name: "Events" }).click();
      await page
        .getByRole("table", { name: "Events" })
        .getByRole("button", { name: "organization.updated" })
        .click();
      await page.getByRole("dialog").getByLabel("Event as JSON").getByText("Endpoints of ours").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("tab", { name: "Webhooks" }).click();
      await act("Delete", "Delete");
      await expect.poll(endpoint).toBeUndefined();
    },
  );

  it.for(nightlySizes)(
    "moves the clock of a subscription until a payment fails, and opens the portal (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const subscription = () => purser.organizations.subscription.get({ organizationId });
      await expect.poll(subscription).not.toBeNull();
      const page = await open(`/${organizationId}/sandbox?tab=billing`, {
        user: owner,
        size,
      });
      await page.getByRole("button", { name: "Replace", exact: true }).click();
      await page.getByText("The card is replaced").waitFor();
      await page.getByRole("button", { name: "Move", exact: true }).click();
      await expect.poll(async () => (await subscription())?.status).toBe("PAST_DUE");
      await page.goto(`${console.base}/${organizationId}`);
      await page.getByText("A payment for the subscription is past due.").waitFor();
      await page.goto(`${console.base}/${organizationId}/billing`);
      await page.getByRole("alert").getByRole("button", { name: "Update the payment method" }).click();
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "Team" }).waitFor();
      await purser.sandbox.billing.replaceCard({
        subscriptionId: (await subscription())!.id,
        card: "succeeds",
      });
      await expect.poll(async () => (await subscription())?.status).toBe("ACTIVE");
    },
  );
}
