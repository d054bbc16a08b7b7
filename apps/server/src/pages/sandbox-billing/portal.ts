import type { PortalPage } from "@purser/billing/sandbox";
import { addMs, dayMs, utcDay } from "@purser/core";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { type Returned, cardFieldNames, cardFields, formError, field } from "./form.ts";
import { formatBillingDay, formatMinorUnits, formatPrice, formatShortBillingDay } from "./formatting.ts";

type Status = PortalPage["subscription"]["status"];

/** The customer portal: the subscription, its card, its invoices, and its clock in a sandbox. */
export function portalBody(page: PortalPage, returned?: Returned): Markup {
  const { subscription, organizationName, returnUrl } = page;
  const hasEnded = subscription.status === "canceled";
  const hasClock = page.canAdvance && !hasEnded;
  const fields = [...(hasEnded ? [] : cardFieldNames), ...(hasClock ? ["to"] : [])];
  return html`<p><a href="${returnUrl}">← Back</a></p>
    <h1><span class="soft">${organizationName}</span> ${subscription.planName}</h1>
    <p class="price">${formatPrice(subscription.variant)}</p>
    ${formError(returned, fields)} ${statusSection(page)}
    ${hasEnded ? "" : html`${actionSection(page)} ${cardSection(page, returned)}`} ${invoices(page)}
    ${hasClock ? clock(page, returned) : ""}`;
}

const statusTexts: Record<Status, string> = {
  incomplete: "Waiting for confirmation of the first payment",
  trialing: "Trial",
  active: "Active",
  past_due: "A payment has failed",
  unpaid: "Unpaid: no further charges",
  canceled: "Ended",
};

/** Statuses in which a new card pays the open invoice. */
const withOpenInvoice: ReadonlySet<Status> = new Set(["past_due", "unpaid"]);

function statusSection({ subscription, card: { brand, lastFour } }: PortalPage): Markup {
  const { status, variant, currentPeriodEnd, cancelAtPeriodEnd, nextAttemptAt, endedAt } = subscription;
  const isRenewing = (status === "active" || status === "trialing") && !cancelAtPeriodEnd;
  const price = formatMinorUnits(variant.price, variant.currency);
  return html`<dl>
    <dt>Status</dt>
    <dd><strong class="${withOpenInvoice.has(status) ? "bad" : ""}">${statusTexts[status]}</strong></dd>
    ${
      isRenewing
        ? html`<dt>Next payment</dt>
            <dd>${price} on ${formatBillingDay(currentPeriodEnd)}</dd>`
        : ""
    }
    ${
      cancelAtPeriodEnd
        ? html`<dt>Ends</dt>
            <dd>${formatBillingDay(currentPeriodEnd)}</dd>`
        : ""
    }
    ${
      nextAttemptAt
        ? html`<dt>Next attempt</dt>
            <dd>${formatBillingDay(nextAttemptAt)}</dd>`
        : ""
    }
    ${
      endedAt
        ? html`<dt>Ended</dt>
            <dd>${formatBillingDay(endedAt)}</dd>`
        : ""
    }
    <dt>Card</dt>
    <dd>${brand} ending in ${lastFour}</dd>
  </dl>`;
}

function actionSection({ subscription: { status, cancelAtPeriodEnd } }: PortalPage): Markup {
  if (status === "incomplete") return actionForm("confirm", "Confirm the payment");
  return cancelAtPeriodEnd
    ? actionForm("resume", "Resume")
    : actionForm("cancel", "Cancel at the end of the period", "plain");
}

const actionForm = (action: string, label: string, looks = "") =>
  html`<form method="post">
    <button name="do" value="${action}" class="${looks}">${label}</button>
  </form>`;

function cardSection({ subscription: { status } }: PortalPage, returned?: Returned): Markup {
  const isOpen = withOpenInvoice.has(status) || cardFieldNames.includes(returned?.field ?? "");
  return html`<details ${isOpen ? "open" : ""}>
    <summary>Pay with another card</summary>
    <form method="post">
      ${cardFields(returned)}
      <button name="do" value="card">Use this card</button>
    </form>
  </details>`;
}

type Invoice = PortalPage["invoices"][number];

const invoiceTexts: Record<Invoice["status"], string> = {
  open: "Open",
  paid: "Paid",
  uncollectible: "Uncollectible",
};

function statusOf({ status, attempts }: Invoice): string {
  if (status === "paid" || attempts === 0) return invoiceTexts[status];
  return `${invoiceTexts[status]} after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
}

function invoices({ invoices: all }: PortalPage): Markup {
  if (all.length === 0)
    return html`<h2>Invoices</h2>
      <p class="soft">There are no invoices yet.</p>`;
  return html`<h2 id="invoices">Invoices</h2>
    <table aria-labelledby="invoices">
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Amount</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(
          (invoice) =>
            html`<tr>
              <td>${formatShortBillingDay(invoice.createdAt)}</td>
              <td>${formatMinorUnits(invoice.amount, invoice.currency)}</td>
              <td>${statusOf(invoice)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

/** Moves the subscription's clock. Every event until then is applied at once. */
function clock({ subscription }: PortalPage, returned?: Returned): Markup {
  const { presentAt, currentPeriodEnd, nextAttemptAt } = subscription;
  const next = [currentPeriodEnd, nextAttemptAt]
    .filter((at): at is Date => at !== null && at > presentAt)
    .toSorted((a, b) => a.getTime() - b.getTime())[0];
  const tomorrow = utcDay(addMs(presentAt, dayMs));
  const attributes = html`type="date" min="${tomorrow}"`;
  return html`<h2>Move the clock</h2>
    <p class="soft">
      The date of this subscription is ${formatBillingDay(presentAt)}. Moving the clock applies every event up
      to the chosen day at once.
    </p>
    ${
      next
        ? html`<form method="post">
            <input type="hidden" name="to" value="${next.toISOString()}" />
            <button name="do" value="advance" class="plain">
              To the next event, on ${formatBillingDay(next)}
            </button>
          </form>`
        : ""
    }
    <form method="post" class="inline">
      ${field("to", { label: "Or to a date", attributes, isKept: true }, returned)}
      <button name="do" value="advance" class="plain">Advance</button>
    </form>`;
}
