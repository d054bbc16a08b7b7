/** The service that serves the console. */
export const baseUrl = "";
