import type { CheckoutPage } from "@purser/billing/sandbox";
import { html } from "hono/html";
import { backToPurser } from "../guest-layout.ts";
import type { Markup } from "../layout.ts";
import { type Returned, cardFieldNames, cardFields, formError } from "./form.ts";
import { formatBillingInstant, formatMinorUnits, formatPrice } from "./formatting.ts";

/** The checkout page: the plan, and a card form. */
export function checkoutBody(page: CheckoutPage, returned?: Returned): Markup {
  const { plan, variant, trialDays, organizationName, email } = page;
  const due = formatMinorUnits(trialDays > 0 ? 0 : variant.price, variant.currency);
  return html`<div class="columns">
    <section aria-labelledby="what">
      <h1 id="what"><span class="soft">${organizationName} subscribes to</span> ${plan.name}</h1>
      <p class="price">${formatPrice(variant)}</p>
      ${plan.description ? html`<p>${plan.description}</p>` : ""}
      <dl>
        ${
          trialDays > 0
            ? html`<dt>Free for</dt>
                <dd>${trialDays} days</dd>`
            : ""
        }
        <dt>Due today</dt>
        <dd>${due}</dd>
        <dt>Receipt to</dt>
        <dd>${email}</dd>
      </dl>
      <p class="hint">This page is open until ${formatBillingInstant(page.expiresAt)}.</p>
    </section>
    <section aria-labelledby="pay">
      <h2 id="pay">Pay by card</h2>
      ${formError(returned, cardFieldNames)}
      <form method="post">
        ${cardFields(returned)}
        <div class="row">
          <button name="do" value="pay">${trialDays > 0 ? "Start the trial" : `Pay ${due}`}</button>
          <button name="do" value="leave" class="plain" formnovalidate>Go back without paying</button>
        </div>
      </form>
      ${testCards}
    </section>
  </div>`;
}

const testCards = html`<details>
  <summary>Test cards</summary>
  <ul>
    <li><code>4242 4242 4242 4242</code> pays</li>
    <li><code>5555 5555 5555 4444</code> pays too</li>
    <li><code>4000 0000 0000 0002</code> is declined</li>
    <li><code>4000 0000 0000 0341</code> pays now and fails at every renewal</li>
    <li><code>4000 0025 0000 3155</code> must be confirmed in the portal</li>
  </ul>
  <p class="hint">With any future month and any three digits. No other card is accepted here.</p>
</details>`;

/** One page for unknown, used and expired URLs, so that a guess learns nothing. */
export const closedPage = html`<h1>This page is closed</h1>
  <p>
    This link was already used, was replaced by a newer one, has expired, or is incomplete. Open the billing
    of your organization and start again.
  </p>
  ${backToPurser}`;
