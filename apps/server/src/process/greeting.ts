import type { Settings } from "@purser/platform/settings";
import { demoPassword, demoPeople } from "@purser/service";

interface Greeting {
  settings: Settings;
  /** Whether the demo people are there to sign in. */
  demo: boolean;
}

/** What a person at a terminal wants to know once the service is ready. */
export function startupMessage({ settings, demo }: Greeting): string {
  const { baseUrl, smtpUrl } = settings;
  const addresses: [string, string][] = [
    ["Start page", baseUrl],
    ["API reference", `${baseUrl}/docs`],
    ["REST", `${baseUrl}/api`],
    ["tRPC", `${baseUrl}/trpc`],
  ];
  if (smtpUrl === null) addresses.push(["Mailbox", `${baseUrl}/dev/mail`]);
  const lines = ["", "Purser is ready.", "", ...addresses.map(([name, url]) => row(name, url))];
  if (demo) lines.push("", `Demo sign-ins, with the password ${demoPassword}:`, "", ...people());
  return [...lines, "", "Stop with Ctrl-C.", ""].join("\n");
}

function people(): string[] {
  return demoPeople.map(({ email, name }) => row(name, email));
}

const row = (name: string, value: string) => `  ${name.padEnd(20)} ${value}`;
