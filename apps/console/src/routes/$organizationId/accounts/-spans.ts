/** For how long the plot of an account goes back. Apart from the page, because its address is read before it is loaded. */
export const spans = { "30": "30 days", "90": "90 days", "365": "1 year" } as const;
export type Span = keyof typeof spans;
export const defaultSpan = "90";
