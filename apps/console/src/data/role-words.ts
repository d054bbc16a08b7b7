/** A role as part of a sentence. */
export const roleWords = { OWNER: "an owner", MEMBER: "a member" } as const;
