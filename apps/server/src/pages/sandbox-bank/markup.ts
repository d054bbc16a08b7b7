import type { openConsentPage } from "@purser/banking/sandbox";
import { html } from "hono/html";
import { backToPurser } from "../guest-layout.ts";
import type { Markup } from "../layout.ts";
import { type Choice, offeredDays } from "./consent-choice.ts";

type Page = NonNullable<Awaited<ReturnType<typeof openConsentPage>>>;

const defaultCustomer = "customer-1";
const defaultDays = 90;

/** The consent form, after a rejected attempt with its choices and the reason. */
export function consentForm(page: Page, rejected?: { error: string; choice: Choice }): Markup {
  const { team, accounts } = page;
  const { choice } = rejected ?? {};
  const isChosen = (account: number) => choice?.accounts.includes(account) ?? true;
  return html`<h1>Share your accounts with ${team}?</h1>
    <p class="soft">
      ${team} can read your accounts, but cannot make payments. You can revoke your consent at any time.
    </p>
    ${rejected ? html`<p class="notice" role="alert" id="field-error">${rejected.error}</p>` : ""}
    <form method="post">
      ${signIn(page, choice)}
      <fieldset>
        <legend>Accounts</legend>
        ${accounts.map(({ account, name, currency }) =>
          checkbox({ name: "account", value: String(account), checked: isChosen(account) }, name, currency),
        )}
      </fieldset>
      <fieldset>
        <legend>What ${team} can read</legend>
        ${checkbox({ checked: true, disabled: true }, "Accounts and balances", "always")}
        ${checkbox(
          { name: "transactions", value: "yes", checked: choice?.transactions ?? true },
          "Transactions",
          "the past two years and from now on",
        )}
      </fieldset>
      <fieldset class="row">
        <legend>Duration</legend>
        ${offeredDays.map((days) => duration(days, choice?.days || defaultDays))}
      </fieldset>
      <div class="row decision">
        <button name="decision" value="approve">Approve</button>
        <button name="decision" value="refuse" class="plain" formnovalidate>Refuse</button>
      </div>
    </form>`;
}

function signIn({ customerName }: Page, choice: Choice | undefined): Markup {
  if (customerName !== null) {
    return html`<p>You are signed in as <strong>${customerName}</strong>.</p>
      <input type="hidden" name="customer" value="${customerName}" />`;
  }
  return html`<label for="customer">Customer name</label>
    <input
      id="customer"
      name="customer"
      value="${choice?.customerName ?? defaultCustomer}"
      required
      maxlength="64"
      autocomplete="off"
      spellcheck="false"
      aria-describedby="customer-hint"
    />
    <p class="hint" id="customer-hint">The same name always has the same accounts.</p>`;
}

interface Box {
  name?: string;
  value?: string;
  checked: boolean;
  disabled?: boolean;
}

function checkbox({ name, value, checked, disabled }: Box, label: string, hint: string): Markup {
  return html`<label class="choice">
    <input
      type="checkbox"
      ${name ? html`name="${name}" value="${value}"` : ""}
      ${checked ? "checked" : ""}
      ${disabled ? "disabled" : ""}
    />
    <span>${label}</span> <span class="hint">${hint}</span>
  </label>`;
}

const duration = (days: number, chosen: number) =>
  html`<label class="choice">
    <input type="radio" name="days" value="${days}" ${days === chosen ? "checked" : ""} />
    <span>${days} days</span>
  </label>`;

/** For a link that is unknown, used or expired. The page does not reveal which. */
export const gone = html`<h1>This page is closed</h1>
  <p>
    The link has been used, is older than half an hour, or is incomplete. Connect the bank again from your
    organization.
  </p>
  ${backToPurser}`;
