import type { approveLink } from "@purser/banking/sandbox";

/** The choices made on the consent page. */
export type Choice = Parameters<typeof approveLink>[2];

/** The offered durations of a consent, in days. */
export const offeredDays = [30, 90, 180];

type ConsentForm =
  | { decision: "approve" | "refuse"; choice: Choice }
  | { decision: "invalid"; choice: Choice; error: string };

/** Reads the form of the consent page. A refusal needs no other fields. */
export function readConsentForm(body: string): ConsentForm {
  const form = new URLSearchParams(body);
  const choice: Choice = {
    customerName: (form.get("customer") ?? "").trim(),
    accounts: [...new Set(form.getAll("account").filter(isPlace).map(Number))],
    transactions: form.has("transactions"),
    days: Number(form.get("days")),
  };
  if (form.get("decision") === "refuse") return { decision: "refuse", choice };
  const error = validationError(choice);
  if (error !== null) return { decision: "invalid", choice, error };
  return { decision: "approve", choice };
}

function validationError({ customerName, accounts, days }: Choice): string | null {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._'-]{0,63}$/u.test(customerName)) {
    return "Enter a customer name: up to 64 letters, digits, spaces and . _ ' -";
  }
  if (accounts.length === 0) return "Choose at least one account, or refuse.";
  if (!offeredDays.includes(days)) return "Choose for how long.";
  return null;
}

/** An account by its place in the list, of which there are few. */
const isPlace = (text: string) => /^\d$/.test(text);
