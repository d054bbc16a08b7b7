/** Is told what is sent to the database and when it was answered; never a value that a statement was sent with. */
export interface QueryTracer {
  /** A statement is about to be sent. What this gives is called when it was answered, with what it failed with. */
  statement(text: string): (failure?: unknown) => void;
  /** Runs a transaction, whose statements are parts of it. */
  transaction<Result>(run: () => Promise<Result>): Promise<Result>;
}
