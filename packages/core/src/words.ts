/**
 * The different words of a text, in lower case and without accents: its longest runs of letters and digits.
 *
 * @example
 * wordsOf("Café ZÜRICH, No. 7"); // ["cafe", "zurich", "no", "7"]
 */
export function wordsOf(text: string): string[] {
  // Most banks write ASCII only.
  const isAscii = /^[ -~]*$/.test(text);
  const found = isAscii ? text.toLowerCase().match(asciiWord) : foldText(text).match(word);
  if (found === null) return [];
  const isShort = isAscii && text.length <= maxWordLength;
  const words = isShort ? found : found.map((one) => one.slice(0, maxWordLength).toWellFormed());
  return words.length > 8 ? [...new Set(words)] : words.filter((one, at) => words.indexOf(one) === at);
}

/** Longer words are compared by their beginning. An index may limit what it stores of a word. */
const maxWordLength = 100;

const asciiWord = /[a-z0-9]+/g;
const word = /[\p{L}\p{N}]+/gu;

/** Letters that Unicode does not decompose into a base letter and an accent. */
const baseLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  ø: "o",
  þ: "th",
  đ: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  œ: "oe",
  ŧ: "t",
};

/**
 * The text in lower case and without accents, so that people find a name however they type it.
 *
 * @example
 * foldText("Société Générale"); // "societe generale"
 */
export function foldText(text: string): string {
  return (
    text
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
      // The upper case of ß is SS, so the detour treats both spellings alike.
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[æðøþđħıłœŧ]/g, (letter) => baseLetters[letter]!)
      // Some letters gain an accent in lower case.
      .normalize("NFKD")
      .replaceAll(/\p{M}/gu, "")
  );
}

/**
 * Whether a text has all words of a query, or their parts, in any order. Both are folded.
 *
 * @example
 * hasWordsOf("great north building society", "society north"); // true
 */
export function hasWordsOf(text: string, query: string): boolean {
  return query.split(/\s+/).every((one) => text.includes(one));
}
