import type { PortalPage } from "@purser/billing/sandbox";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { type Returned, cardFieldNames, cardFields, complaintOf, field } from "./form.ts";
import { formatDay, formatMoney, formatPrice, formatShortDay } from "./formatting.ts";

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
    ${complaintOf(returned, fields)} ${standing(page)}
    ${hasEnded ? "" : html`${decision(page)} ${anotherCard(page, returned)}`} ${invoices(page)}
    ${hasClock ? clock(page, returned) : ""}`;
}

const statusTexts: Record<Status, string> = {
  incomplete: "Waiting for its first payment to be confirmed",
  trialing: "In its trial",
  active: "In force",
  past_due: "A payment has failed",
  unpaid: "Not paid for; nothing is charged any more",
  canceled: "Ended",
};

/** Statuses in which a new card pays the open invoice. */
const owing: ReadonlySet<Status> = new Set(["past_due", "unpaid"]);

function standing({ subscription, card: { brand, lastFour } }: PortalPage): Markup {
  const { status, variant, currentPeriodEnd, cancelAtPeriodEnd, nextAttemptAt, endedAt } = subscription;
  const goesOn = (status === "active" || status === "trialing") && !cancelAtPeriodEnd;
  const price = formatMoney(variant.price, variant.currency);
  return html`<dl>
    <dt>Status</dt>
    <dd><strong class="${owing.has(status) ? "bad" : ""}">${statusTexts[status]}</strong></dd>
    ${
      goesOn
        ? html`<dt>Next payment</dt>
            <dd>${price} on ${formatDay(currentPeriodEnd)}</dd>`
        : ""
    }
    ${
      cancelAtPeriodEnd
        ? html`<dt>Ends</dt>
            <dd>${formatDay(currentPeriodEnd)}</dd>`
        : ""
    }
    ${
      nextAttemptAt
        ? html`<dt>Next attempt</dt>
            <dd>${formatDay(nextAttemptAt)}</dd>`
        : ""
    }
    ${
      endedAt
        ? html`<dt>Ended</dt>
            <dd>${formatDay(endedAt)}</dd>`
        : ""
    }
    <dt>Card</dt>
    <dd>${brand} ending in ${lastFour}</dd>
  </dl>`;
}

function decision({ subscription: { status, cancelAtPeriodEnd } }: PortalPage): Markup {
  if (status === "incomplete") return act("confirm", "Confirm the payment");
  return cancelAtPeriodEnd
    ? act("resume", "Resume")
    : act("cancel", "Cancel at the end of the period", "plain");
}

const act = (what: string, label: string, looks = "") =>
  html`<form method="post">
    <button name="do" value="${what}" class="${looks}">${label}</button>
  </form>`;

function anotherCard({ subscription: { status } }: PortalPage, returned?: Returned): Markup {
  const isOpen = owing.has(status) || cardFieldNames.includes(returned?.field ?? "");
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
  uncollectible: "Given up",
};

function statusOf({ status, attempts }: Invoice): string {
  if (status === "paid" || attempts === 0) return invoiceTexts[status];
  return `${invoiceTexts[status]} after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
}

function invoices({ invoices: all }: PortalPage): Markup {
  if (all.length === 0)
    return html`<h2>Invoices</h2>
      <p class="soft">There are none yet.</p>`;
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
              <td>${formatShortDay(invoice.createdAt)}</td>
              <td>${formatMoney(invoice.amount, invoice.currency)}</td>
              <td>${statusOf(invoice)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Moves the subscription's clock. Every event until then is applied at once. */
function clock({ subscription }: PortalPage, returned?: Returned): Markup {
  const { presentAt, currentPeriodEnd, nextAttemptAt } = subscription;
  const next = [currentPeriodEnd, nextAttemptAt]
    .filter((at): at is Date => at !== null && at > presentAt)
    .toSorted((one, other) => one.getTime() - other.getTime())[0];
  const tomorrow = new Date(presentAt.getTime() + dayMilliseconds).toISOString().slice(0, 10);
  const attributes = html`type="date" min="${tomorrow}"`;
  return html`<h2>Move its clock</h2>
    <p class="soft">
      For this subscription it is ${formatDay(presentAt)}. What would happen up to a later day happens at
      once.
    </p>
    ${
      next
        ? html`<form method="post">
            <input type="hidden" name="to" value="${next.toISOString()}" />
            <button name="do" value="advance" class="plain">To what comes next, on ${formatDay(next)}</button>
          </form>`
        : ""
    }
    <form method="post" class="inline">
      ${field("to", { label: "Or to a day", attributes, isKept: true }, returned)}
      <button name="do" value="advance" class="plain">Move</button>
    </form>`;
}
