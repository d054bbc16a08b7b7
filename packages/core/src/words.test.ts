import { describe, expect, it } from "vitest";
import { foldText, hasWordsOf, wordsOf } from "./words.ts";

describe("wordsOf", () => {
  it.each([
    ["", []],
    [" -*/ ", []],
    ["TESCO STORES 4821", ["tesco", "stores", "4821"]],
    ["CO-OP GROUP FOOD, O'Neill's", ["co", "op", "group", "food", "o", "neill", "s"]],
    ["coffee COFFEE Coffee", ["coffee"]],
    ["Café ZÜRICH", ["cafe", "zurich"]],
    // The same letters, each followed by its accent.
    ["Cafe\u0301 ZU\u0308RICH", ["cafe", "zurich"]],
    ["Straße STRASSE", ["strasse"]],
    ["Øresund Łódź ÆRØ Đà Nẵng", ["oresund", "lodz", "aero", "da", "nang"]],
    ["İstanbul ISTANBUL ıstanbul", ["istanbul"]],
    ["ＦＵＬＬ　width ①", ["full", "width", "1"]],
    ["セブン-イレブン 吉野家", ["セフン", "イレフン", "吉野家"]],
    ["КАФЕ кафе Ελλάδα ΕΛΛΆΔΑ", ["кафе", "ελλαδα"]],
    ["\u3099\uff9e\u0301", []],
    ["'; DROP TABLE x:* & !y | <-> \\", ["drop", "table", "x", "y"]],
  ])("splits %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("gives the words of its words, so a query finds what it was taken from", () => {
    for (const text of ["Café", "Straße", "İZMİR", "ﬁnance", "Ŀl·l", "ŉ", "x".repeat(500)])
      for (const word of wordsOf(text)) expect(wordsOf(word)).toEqual([word]);
  });

  it("cuts long words, never within a character", () => {
    expect(wordsOf("𝒳".repeat(300))).toEqual(["x".repeat(100)]);
    const [word] = wordsOf("a" + "𠀀".repeat(200));
    expect(word!.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(word!)).toBeLessThan(2000);
  });
});

describe("foldText", () => {
  it.each([
    ["Société Générale", "societe generale"],
    ["SOCIE\u0301TE\u0301", "societe"],
    ["Österreichische Straße", "osterreichische strasse"],
    ["Ålandsbanken, Łódź & Ørsted", "alandsbanken, lodz & orsted"],
    ["三菱", "三菱"],
  ])("turns %j into %j", (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe("hasWordsOf", () => {
  it.each([
    ["north great", true],
    ["soc  building", true],
    ["north north", true],
    ["", true],
    ["north sea", false],
  ])("finds the words of %j: %s", (query, expected) => {
    expect(hasWordsOf("great north building society", query)).toBe(expected);
  });
});
