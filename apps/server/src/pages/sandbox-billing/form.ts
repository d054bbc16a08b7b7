import type { CardForm } from "@purser/billing/sandbox";
import { html } from "hono/html";
import type { Markup } from "../layout.ts";

export const cardFieldNames: readonly string[] = ["number", "expiry", "cvc", "name"];

/** A rejected form: the reason, and its input. */
export interface Returned {
  /** Shown to the customer. */
  message: string;
  /** The name of the first field to correct, if one is at fault. */
  field?: string;
  /** What is wrong with each field, if several can be. */
  faults?: Readonly<Record<string, string>>;
  form: URLSearchParams;
}

export function readCardForm(form: URLSearchParams): CardForm {
  return {
    number: filledIn(form, "number"),
    expiry: filledIn(form, "expiry"),
    cvc: filledIn(form, "cvc"),
    name: filledIn(form, "name"),
  };
}

/** Reads a field, truncated to a plausible length. */
const filledIn = (form: URLSearchParams, name: string) => (form.get(name) ?? "").slice(0, 300);

/** The fields of a card. Number and CVC are never echoed into a page. */
export function cardFields(returned?: Returned): Markup {
  const digits = html`inputmode="numeric" autocomplete="off"`;
  const hint = html`A test card, such as <code>4242 4242 4242 4242</code>`;
  return html`${field("number", { label: "Card number", hint, attributes: digits }, returned)}
    <div class="pair">
      ${field("expiry", { label: "Expires", hint: "Such as 12/30", attributes: off, isKept: true }, returned)}
      ${field("cvc", { label: "CVC", hint: "Three digits", attributes: digits }, returned)}
    </div>
    ${field("name", { label: "Name on the card", attributes: off, isKept: true }, returned)}`;
}

const off = html`autocomplete="off"`;

interface Field {
  label: string;
  hint?: string | Markup;
  attributes: Markup;
  /** Whether a rejected form shows the input again. */
  isKept?: boolean;
}

/** A field with its label, hint and error. */
export function field(name: string, look: Field, returned?: Returned): Markup {
  const { label, hint, attributes, isKept = false } = look;
  const isFirst = returned?.field === name;
  const fault = returned?.faults?.[name] ?? (isFirst ? returned.message : undefined);
  const isWrong = fault !== undefined;
  const describedBy = [isWrong && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(" ");
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      value="${isKept && returned ? filledIn(returned.form, name) : ""}"
      required
      maxlength="200"
      spellcheck="false"
      ${attributes}
      ${describedBy ? html`aria-describedby="${describedBy}"` : ""}
      ${isWrong ? html`aria-invalid="true"` : ""}
      ${isFirst ? "autofocus" : ""}
    />
    ${isWrong ? html`<p class="field-error" ${isFirst ? html`role="alert"` : ""} id="${name}-error">${fault}</p>` : ""}
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ""}
  </div>`;
}

/** The error that belongs to none of these fields. */
export function formError(returned: Returned | undefined, fields: readonly string[]): Markup | "" {
  if (returned === undefined || fields.includes(returned.field ?? "")) return "";
  return html`<p class="notice" role="alert">${returned.message}</p>`;
}
