/** A role as part of a sentence. */
export const roleLabels = { OWNER: "an owner", MEMBER: "a member" } as const;
