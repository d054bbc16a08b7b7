import type { Settings } from "@purser/platform/settings";
import { demoPassword, demoPeople } from "@purser/service";

interface Startup {
  settings: Settings;
  /** Whether the demo users exist. */
  demo: boolean;
}

/** Returns what a developer needs to know once the service is ready: addresses and demo sign-ins. */
export function startupMessage({ settings, demo }: Startup): string {
  const { baseUrl, smtpUrl } = settings;
  const addresses: [string, string][] = [
    ["Start page", baseUrl],
    ["API reference", `${baseUrl}/docs`],
    ["REST", `${baseUrl}/api`],
    ["tRPC", `${baseUrl}/trpc`],
  ];
  if (smtpUrl === null) addresses.push(["Mailbox", `${baseUrl}/dev/mail`]);
  const lines = ["", "Purser is ready.", "", ...addresses.map(([name, url]) => row(name, url))];
  if (demo) lines.push("", `Demo sign-ins, with the password ${demoPassword}:`, "", ...demoSignIns());
  return [...lines, "", "Press Ctrl-C to stop.", ""].join("\n");
}

function demoSignIns(): string[] {
  return demoPeople.map(({ email, name }) => row(name, email));
}

const row = (name: string, value: string) => `  ${name.padEnd(20)} ${value}`;
