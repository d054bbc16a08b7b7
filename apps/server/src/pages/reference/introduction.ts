import { html } from "hono/html";
import type { Markup } from "../layout.ts";
import { codeBlock } from "./code-block.ts";
import { type ApiDocument, type TagGroup, areaOf } from "./document.ts";
import { type Link, phrases, prose } from "./prose.ts";

/** What holds for all operations, and the list of them. */
export function introduction(
  groups: readonly TagGroup[],
  { info, components }: ApiDocument,
  { link, baseUrl }: { link: Link; baseUrl: string },
): Markup {
  return html`<h1>API reference</h1>
    <p>
      ${info.description} This service is <code>${baseUrl}</code>. Every operation is also a procedure of tRPC
      and a method of the client <code>@purser/client</code>, under the same name. There, the
      <code>id</code> of a path has the name of what it is of, such as <code>policyId</code>; the samples show
      it. Operations of accounts are in <code>@purser/client/auth</code>, except those of administrators,
      which are called over HTTP. <a href="/openapi.json">OpenAPI 3.1</a> describes all of them for machines.
      <a href="/docs/guide">The guide</a> leads from nothing to a card purchase and its explained decline;
      <a href="/docs/webhooks">webhooks</a> has receivers in three languages.
    </p>
    ${authentication(baseUrl)} ${conventions(link)}
    <h2 id="headers">Headers of responses</h2>
    <dl class="fields">
      ${Object.entries(components.headers).map(
        ([name, { description }]) =>
          html`<div>
            <dt><code>${name}</code></dt>
            <dd>${prose(description, link)}</dd>
          </div>`,
      )}
    </dl>
    <h2 id="operations">Operations</h2>
    ${groups.map(
      ({ name, description, operations }) =>
        html`<h3><a href="/docs/${areaOf(name)}#${name}">${name}</a></h3>
          <p class="soft">${phrases(description.split("\n\n")[0]!, link)}</p>
          <dl class="index">
            ${operations.map(
              ({ operationId, method, path, summary }) =>
                html`<div>
                  <dt><a href="/docs/${areaOf(name)}#${operationId}">${method} ${path}</a></dt>
                  <dd>${phrases(summary, link)}</dd>
                </div>`,
            )}
          </dl>`,
    )}`;
}

function authentication(baseUrl: string): Markup {
  return html`<h2 id="authentication">Authentication</h2>
    <p>
      Sign in, and send the value of the header <code>set-auth-token</code> as a bearer token. The samples of
      this reference read it from the variable <code>TOKEN</code>:
    </p>
    ${codeBlock("curl", signIn(baseUrl), "signing in")}
    <p>
      A server sends an API key in the header <code>x-api-key</code> instead. There are two kinds. A browser
      on a trusted origin may send the session’s cookie.
    </p>
    <dl class="fields">
      <div>
        <dt>
          Key of an organization, from <a href="/docs/keys#keys.create"><code>keys.create</code></a>
        </dt>
        <dd>
          For a program of the company. It acts as a member of its one organization, and outlives the owner
          who created it. It may only read, or also write.
        </dd>
      </div>
      <div>
        <dt>
          Key of a user, from <a href="/docs/auth#auth.apiKeyCreate"><code>auth.apiKeyCreate</code></a>
        </dt>
        <dd>For your own scripts. It may do what you may, but cannot change your account.</dd>
      </div>
    </dl>
    <p>
      The samples show the identifiers of a fictional company. If you are signed in on this site, they show
      those of your newest organization, and run unchanged. Elsewhere, replace the identifiers:
      <a href="/docs/organizations#organizations.list"><code>organizations.list</code></a> and the other lists
      show yours.
    </p>`;
}

const signIn = (
  baseUrl: string,
) => `export TOKEN=$(curl -s -D - -o /dev/null ${baseUrl}/api/auth/sign-in/email \\
  -H 'content-type: application/json' \\
  -d '{"email":"owner@demo.example","password":"purser-demo-1"}' |
  sed -n 's/^set-auth-token: //p' | tr -d '\\r')`;

function conventions(link: Link): Markup {
  return html`<h2 id="conventions">Conventions</h2>
    <dl class="fields">
      ${Object.entries(rules).map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${prose(text, link)}</dd>
          </div>`,
      )}
    </dl>`;
}

const rules = {
  Amounts:
    "An integer in the smallest unit of its currency: `1250` of `GBP` is £12.50, and `1250` of `JPY` is ¥1,250. ISO 4217 says how many decimals a currency has.",
  Times:
    "ISO 8601 in UTC, with milliseconds: `2026-03-01T09:30:00.000Z`. An input over REST has its offset, `Z` or such as `+01:00`, or is a plain day. The client takes and returns a `Date`.",
  Teams: "Banking and billing call an organization a team: `teamId` is its id.",
  Lists:
    "Newest first, unless an operation says otherwise, and at most 1,000 items. Pass the id of the last item as `after` for the next page. `Link` has its address. In an address, repeat a parameter that is a list: `types=card.created&types=card.updated`.",
  Retries:
    "A mutation takes an `Idempotency-Key`. For 24 hours, a repeat with the same key gets the first response, and has no other effect. Where the response has a secret, the repeat is refused instead.",
  Errors:
    "`application/problem+json` with a stable `code`, such as `VALIDATION_FAILED`. If `retryable` is true, the same request may succeed later.",
  Versions:
    "Responses may gain fields, and lists of values may gain values. Unknown fields of an input are refused.",
};
