const browsers = { "Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const systems = {
  Windows: "Windows",
  Android: "Android",
  iPhone: "iPhone",
  iPad: "iPad",
  "Mac OS X": "macOS",
  Linux: "Linux",
};

/** Names the browser and its system. A browser also names those that it resembles, so the order counts. */
export function programOf(userAgent: string | null): string {
  const text = userAgent ?? "";
  const [, browser] = Object.entries(browsers).find(([mark]) => text.includes(mark)) ?? [];
  const [, system] = Object.entries(systems).find(([mark]) => text.includes(mark)) ?? [];
  if (browser === undefined || system === undefined) return text || "A program";
  return `${browser} on ${system}`;
}
