import { describe, expect, it } from "vitest";
import { type CardForm, readCard, testCard } from "./cards.ts";

const now = new Date("2026-03-31T23:59:59.999Z");
const good: CardForm = { number: "4242424242424242", expiry: "12/30", cvc: "123", name: "Ada" };
const read = (change: Partial<CardForm>) => readCard({ ...good, ...change }, now);

describe("readCard", () => {
  it.each([
    ["4242 4242 4242 4242", { behavior: "succeeds", brand: "Visa", lastFour: "4242" }],
    ["5555-5555-5555-4444", { behavior: "succeeds", brand: "Mastercard", lastFour: "4444" }],
    ["4000000000000341", { behavior: "fails", brand: "Visa", lastFour: "0341" }],
    ["4000002500003155", { behavior: "authenticates", brand: "Visa", lastFour: "3155" }],
  ])("takes %s", (number, card) => {
    expect(read({ number })).toEqual({
      outcome: "accepted",
      card: { ...card, expiryMonth: 12, expiryYear: 2030 },
    });
  });

  it("declines the test card for declines", () => {
    const declined = { outcome: "declined", field: "number", message: expect.stringContaining("declined") };
    expect(read({ number: "4000 0000 0000 0002" })).toEqual(declined);
  });

  it.each(["4111111111111111", "4242424242424241", "42424242424242420", "", "constructor"])(
    "refuses %j, and names the test cards without repeating it",
    (number) => {
      const refusal = read({ number }) as { field: string; message: string };
      expect(refusal).toMatchObject({ outcome: "invalid", field: "number" });
      expect(refusal.message).toMatch(/4242 4242 4242 4242.*4000 0000 0000 0002.*4000 0000 0000 0341/);
      if (number !== "") expect(JSON.stringify(refusal).replaceAll(" ", "")).not.toContain(`${number}"`);
    },
  );

  it.each([
    ["03/26", 3, 2026],
    [" 4 / 2026 ", 4, 2026],
    ["12/2076", 12, 2076],
  ])("accepts the expiry %j: a card is valid until its month ends", (expiry, month, year) => {
    const card = expect.objectContaining({ expiryMonth: month, expiryYear: year });
    expect(read({ expiry })).toEqual({ outcome: "accepted", card });
  });

  it.each([
    [{ expiry: "02/26" }, "expiry"],
    [{ expiry: "12/2025" }, "expiry"],
    [{ expiry: "13/30" }, "expiry"],
    [{ expiry: "00/30" }, "expiry"],
    [{ expiry: "12/2077" }, "expiry"],
    [{ expiry: "12" }, "expiry"],
    [{ cvc: "12" }, "cvc"],
    [{ cvc: "12a" }, "cvc"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(201) }, "name"],
  ])("refuses %j", (change, field) => {
    expect(read(change)).toMatchObject({ outcome: "invalid", field });
  });

  it("names every wrong field at once, in the order of the form", () => {
    const refusal = read({ number: "4242", expiry: "13/30", cvc: "12", name: " " });
    expect(refusal).toMatchObject({ outcome: "invalid", field: "number" });
    expect(Object.keys((refusal as { faults: object }).faults)).toEqual(["number", "expiry", "cvc", "name"]);
    expect(read({ expiry: "13/30", name: "" })).toMatchObject({
      field: "expiry",
      faults: { expiry: expect.any(String), name: expect.any(String) },
    });
  });
});

describe("testCard", () => {
  it.each(["succeeds", "fails"] as const)("returns a card that the form accepts, and that %s", (behavior) => {
    const { expiryMonth, expiryYear, ...card } = testCard(behavior, now);
    expect([card.behavior, expiryMonth, expiryYear]).toEqual([behavior, 12, 2029]);
    const number = behavior === "succeeds" ? "4242424242424242" : "4000000000000341";
    expect(read({ number })).toMatchObject({ card });
  });
});
