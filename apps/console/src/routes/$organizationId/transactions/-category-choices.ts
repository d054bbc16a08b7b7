import { categoryInWords } from "../../../data/format.ts";

export interface CategoryChoice {
  /** As the service has it. */
  category: string;
  /** In words, with the category itself behind them where several have the same words. */
  label: string;
}

/** The choices of a field for categories, each with a label of its own. */
export function categoryChoices(categories: readonly string[]): CategoryChoice[] {
  const sameWords = Map.groupBy(categories, (category) => categoryInWords(category).toLowerCase());
  return categories.map((category) => {
    const words = categoryInWords(category);
    const isOnly = sameWords.get(words.toLowerCase())?.length === 1;
    return { category, label: isOnly || words === category ? words : `${words} (${category})` };
  });
}

/** The label of a category, also of one that is no choice. */
export const labelOfCategory = (choices: readonly CategoryChoice[], category: string): string =>
  choices.find((choice) => choice.category === category)?.label ?? categoryInWords(category);

/** The category that a person has written: that of a label, in any case, or else their text. */
export function categoryOfText(choices: readonly CategoryChoice[], written: string): string {
  const text = written.trim();
  const found =
    choices.find(({ label }) => label === text) ??
    choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
  return found?.category ?? text;
}
