/** What the README's table says about a variable beside its name. */
export type Told = {
  description: string;
  /** What holds where the variable is not set. */
  fallback: string;
};

export function told(fallback: string, description: string): Told {
  return { description, fallback };
}
