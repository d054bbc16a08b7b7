/** Whether the service has a sandbox that a person may move, as in development. The service tells it in its page. */
export const hasSandbox = (): boolean =>
  import.meta.env.DEV || document.querySelector('meta[name="sandbox"]') !== null;
