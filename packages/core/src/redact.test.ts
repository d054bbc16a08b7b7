import { describe, expect, it } from "vitest";
import { errorText, redact } from "./redact.ts";

describe("redact", () => {
  it("masks tokens, query values and addresses, and leaves the words", () => {
    expect(redact("Open https://bank.example/reset?token=abc&next=%2Fhome#x=1 now")).toBe(
      "Open https://bank.example/reset?token=…&next=…#x=… now",
    );
    expect(redact("https://bank.example/invitations/inv_01h2xcejqtf2nbrexx3vqjhp41/accept")).toBe(
      "https://bank.example/invitations/inv_…/accept",
    );
    expect(redact("550 5.1.1 <sam.doe+x@mail.example> unknown")).toBe("550 5.1.1 <…@mail.example> unknown");
    expect(redact("Bearer sk_live_4eC39HqLyjWDarjtT1zdp7dc")).toBe("Bearer sk_l…");
    expect(redact("A plain sentence, with 12 words-or-so in it.")).toBe(
      "A plain sentence, with 12 words-or-so in it.",
    );
  });

  it("stays fast for adversarial texts", () => {
    const before = performance.now();
    for (const unit of ["+", "a@", "?a=", "/", "a".repeat(19).concat("/")]) redact(unit.repeat(50_000));
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it("returns the first line of an error, bounded", () => {
    expect(errorText(new Error("first\nsecond"))).toBe("first");
    expect(errorText(new Error("\n  first\nsecond"))).toBe("first");
    expect(errorText("word ".repeat(400))).toHaveLength(500);
  });
});
