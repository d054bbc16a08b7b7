/** From this share of its limit on, a card needs attention. */
export const nearLimit = 0.8;
