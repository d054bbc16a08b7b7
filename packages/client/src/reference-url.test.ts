import { describe, expect, it } from "vitest";
import { referenceUrl } from "./reference-url.ts";

describe("referenceUrl", () => {
  it("is the address of the reference, or of its page about a group", () => {
    expect(referenceUrl("https://purser.example.com/")).toBe("https://purser.example.com/docs");
    expect(referenceUrl("https://example.com/purser", "webhookEndpoints")).toBe(
      "https://example.com/purser/docs/webhookEndpoints",
    );
  });
});
