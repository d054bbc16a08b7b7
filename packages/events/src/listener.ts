/** Tells which organizations have new events. It may miss some, so every subscriber also looks every few seconds. */
export interface EventListener {
  /** Calls the function with the id of each organization that is announced. Returns a function that ends that. */
  subscribe(announced: (organizationId: string) => void): () => void;
  close(): Promise<void>;
}
