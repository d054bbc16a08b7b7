import { characterAt, characterCount } from "@purser/core/testing";
import { randomBytes } from "node:crypto";
import { inboxStates } from "@purser/db";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnsealError, seal, sealedIn, sealedVersion, unseal } from "./secrets.ts";

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const anyCharacter = fc.nat(characterCount - 1).map(characterAt);
const context = ["connections", "token", "bcn_1"];

describe("seal", () => {
  it("opens any text in its own context", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.string()), (text, anyContext) => {
        expect(unseal([first], seal([first], text, anyContext), anyContext)).toBe(text.toWellFormed());
      }),
    );
  });

  it("never returns the same ciphertext twice, and reveals nothing of the text", () => {
    const texts = Array.from({ length: 100 }, () => seal([first], "access-token-1234", context));
    expect(new Set(texts).size).toBe(100);
    expect(texts.join()).not.toContain("access-token");
    expect(texts.join()).not.toContain(Buffer.from("access-token").toString("base64url").slice(0, 12));
  });

  it("seals with the first key, and opens what other keys sealed", () => {
    const old = seal([first], "text", context);
    const keys = [second, first];
    expect(unseal(keys, old, context)).toBe("text");
    expect(sealedVersion(old)).toBe(1);
    expect(sealedVersion(seal(keys, "text", context))).toBe(2);
    expect(unseal([first, second], seal(keys, "text", context), context)).toBe("text");
  });

  it("opens in no other context", () => {
    const sealed = seal([first], "text", ["connections", "token", "bcn_1"]);
    const elsewhere = [
      ["connections", "token", "bcn_2"],
      ["connections", "secret", "bcn_1"],
      ["connections", "token"],
    ];
    for (const other of [...elsewhere, ["connectionstoken", "bcn_1"]]) {
      expect(() => unseal([first], sealed, other)).toThrow(UnsealError);
    }
  });

  it("derives a column's context from table, column and primary key", () => {
    expect(sealedIn(inboxStates.body, ["cards", "sandbox", "evt_1"])).toEqual([
      "webhook_deliveries",
      "body",
      "cards",
      "sandbox",
      "evt_1",
    ]);
  });
});

describe("unseal", () => {
  it("refuses a text with any one changed character, without revealing the content", () => {
    const secret = "a-secret-that-must-not-leak";
    const sealed = seal([first], secret, context);
    for (let index = 0; index < sealed.length; index += 1) {
      // The last character of each part in base64url may carry unused bits: change the character's case or digit.
      const other = sealed[index] === "A" ? "B" : "A";
      const altered = sealed.slice(0, index) + other + sealed.slice(index + 1);
      let message = "opened";
      try {
        expect(unseal([first], altered, context)).toBe(secret);
        // Only a character that decodes to the same bytes may pass.
        expect(bytesOf(altered)).toEqual(bytesOf(sealed));
        continue;
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).not.toContain(secret);
      expect(message).toMatch(/^It (is not a sealed text|was altered|is sealed with key version)/);
    }
  });

  it("names the version of a key that is not configured", () => {
    const sealed = seal([second], "text", context);
    expect(() => unseal([first], sealed, context)).toThrow(
      "It is sealed with key version 2, which is not configured",
    );
  });

  it("refuses a key of the same version that is another key", () => {
    const sealed = seal([first], "text", context);
    expect(() => unseal([{ version: 1, key: randomBytes(32) }], sealed, context)).toThrow(/another key/);
  });

  it("refuses a text that is not sealed", () => {
    for (const text of [
      "",
      "plain",
      "v1.1.",
      "v1.0.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA",
      "v2.1.a.b",
      "v1.1.short.AAAA",
    ]) {
      expect(() => unseal([first], text, context)).toThrow("It is not a sealed text");
    }
  });
});

function bytesOf(sealed: string): Buffer[] {
  return sealed.split(".").map((part) => Buffer.from(part, "base64url"));
}
