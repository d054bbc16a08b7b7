import { InvalidArgumentError } from "commander";

/** The option of commands that give power to the owner of an address. */
export const unverifiedOption = [
  "--unverified",
  "also if the user has not verified the address: you know that it is theirs",
] as const;

/** Parses the value of an option that is a whole number of at most four digits. */
export const wholeNumber = (minimum: number, maximum: number) => (text: string) => {
  const value = Number(text);
  if (/^\d{1,4}$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
};
