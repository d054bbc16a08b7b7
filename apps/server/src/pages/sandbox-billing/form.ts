import { html } from "hono/html";
import type { Markup } from "../layout.ts";

/** A card as it is typed in. */
export interface CardForm {
  number: string;
  expiry: string;
  cvc: string;
  name: string;
}

export const cardFieldNames: readonly string[] = ["number", "expiry", "cvc", "name"];

/** A form that comes back: why, and what was filled in. */
export interface Returned {
  /** A sentence for the person. */
  message: string;
  /** The name of the field that is to be put right, if it is one. */
  field?: string;
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

/** What stands in a field; no more of it is read, and repeated, than anybody would type. */
const filledIn = (form: URLSearchParams, name: string) => (form.get(name) ?? "").slice(0, 300);

/** The fields of a card. Number and CVC are never written back into a page. */
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
  /** Whether a form that comes back still has in it what was filled in. */
  isKept?: boolean;
}

/** A field with its label, and with what is wrong with it right beside it. */
export function field(name: string, look: Field, returned?: Returned): Markup {
  const { label, hint, attributes, isKept = false } = look;
  const isWrong = returned?.field === name;
  const describedBy = [isWrong && `${name}-complaint`, hint && `${name}-hint`].filter(Boolean).join(" ");
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
      ${isWrong ? html`aria-invalid="true" autofocus` : ""}
    />
    ${isWrong ? html`<p class="complaint" role="alert" id="${name}-complaint">${returned.message}</p>` : ""}
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ""}
  </div>`;
}

/** What is wrong with none of the fields that are there. */
export function complaintOf(returned: Returned | undefined, fields: readonly string[]): Markup | "" {
  if (returned === undefined || fields.includes(returned.field ?? "")) return "";
  return html`<p class="notice" role="alert">${returned.message}</p>`;
}
