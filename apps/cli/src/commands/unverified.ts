/** The option of commands that give power to the owner of an address. */
export const unverifiedOption = [
  "--unverified",
  "also if the user has not verified the address: you know that it is theirs",
] as const;
