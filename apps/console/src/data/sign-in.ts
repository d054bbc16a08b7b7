/** Opens the sign-in page, which leads back here. Never resolves, because the browser leaves this page. */
export function leaveToSignIn(): Promise<never> {
  const next = location.pathname + location.search;
  location.assign(`/sign-in?${new URLSearchParams({ next }).toString()}`);
  return new Promise<never>(() => undefined);
}
