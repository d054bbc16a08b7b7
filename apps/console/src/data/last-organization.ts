const key = "purser.organization";

/** The organization that was open last in this browser, in any tab. Null if none was. */
export const lastOrganization = (): string | null => localStorage.getItem(key);

export const rememberOrganization = (organizationId: string): void =>
  localStorage.setItem(key, organizationId);
