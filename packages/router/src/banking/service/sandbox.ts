/** What the consent page of the sandbox's banks does; loaded when it is first asked for, like the banks themselves. */
export const sandboxConsentPage = () => import("../providers/sandbox/links.ts");

/** What the sandbox's own procedures do at its banks. */
export const sandboxControls = () => import("../providers/sandbox/controls.ts");
