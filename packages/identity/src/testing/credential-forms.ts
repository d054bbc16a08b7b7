export interface HeldCookie {
  name: string;
  /** The value as the server sent it. */
  value: string;
}

/** What an attacker holds of an account. */
export interface HeldCredentials {
  /** The cookie that the endpoint asks for: of the session, or of the pending two-factor sign-in. */
  cookie: HeldCookie;
  session: HeldCookie;
  bearer: string;
  apiKey: string;
  /** Cookies of the attacker's own accounts. The one with the session has no second factor. */
  own: { session: HeldCookie; pending: HeldCookie };
}

type Form = (held: HeldCredentials) => Record<string, string>;

const pair = ({ name, value }: HeldCookie) => `${name}=${value}`;
const escapeAll = (value: string) =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const cookie =
  (spell: (name: string, value: string, held: HeldCredentials) => string): Form =>
  (held) => ({ cookie: spell(held.cookie.name, held.cookie.value, held) });

/**
 * The ways to present one credential that a server may read in two ways: each parser of cookies treats quotes, repeated
 * names, escapes and separators differently.
 */
export const credentialForms: Readonly<Record<string, Form>> = {
  plain: cookie((name, value) => `${name}=${value}`),
  quoted: cookie((name, value) => `${name}="${value}"`),
  "quoted at the beginning": cookie((name, value) => `${name}="${value}x`),
  "quoted at the end": cookie((name, value) => `${name}=${value}"`),
  "quoted twice": cookie((name, value) => `${name}=""${value}""`),
  "among spaces": cookie((name, value) => ` ${name} = ${value} `),
  "among tabs and quotes": cookie((name, value) => `\t${name}\t=\t"${value}"\t`),
  unescaped: cookie((name, value) => `${name}=${decodeURIComponent(value)}`),
  "escaped entirely": cookie((name, value) => `${name}=${escapeAll(decodeURIComponent(value))}`),
  "escaped twice": cookie((name, value) => `${name}=${encodeURIComponent(value)}`),
  "with an invalid escape": cookie((name, value) => `${name}=${decodeURIComponent(value)}%`),
  "an escaped name": cookie((name, value) => `${escapeAll(name)}=${value}`),
  "before an invalid one": cookie((name, value) => `${name}=${value}; ${name}=x`),
  "after an invalid one": cookie((name, value) => `${name}=x; ${name}=${value}`),
  "after an empty one": cookie((name, value) => `${name}=; ${name}=${value}`),
  twice: cookie((name, value) => `${name}=${value}; ${name}="${value}"`),
  "without a space": cookie((name, value) => `a=b;${name}=${value};c=d`),
  "after a name without a value": cookie((name, value) => `a; ${name}=${value}`),
  "after a stray quote": cookie((name, value) => `a="; ${name}=${value}; b="`),
  "joined by a comma": cookie((name, value) => `a=b, ${name}=${value}`),
  "in capitals": cookie((name, value) => `${name.toUpperCase()}=${value}`),
  "with a prefix": cookie((name, value) => `__Secure-${name}=${value}; __Host-${name}=${value}`),
  "with a signature in base64url": cookie(
    (name, value) => `${name}=${decodeURIComponent(value).replaceAll("+", "-").replaceAll("/", "_")}`,
  ),
  "before a session of the attacker's": cookie(
    (name, value, { own }) => `${name}=${value}; ${pair(own.session)}`,
  ),
  "a session after a pending sign-in of the attacker's": ({ session, own }) => ({
    cookie: `${pair(own.pending)}; ${pair(session)}`,
  }),
  "a session before a pending sign-in of the attacker's": ({ session, own }) => ({
    cookie: `${pair(session)}; ${pair(own.pending)}`,
  }),
  "a bearer token": ({ bearer }) => ({ authorization: `Bearer ${bearer}` }),
  "an escaped bearer token": ({ bearer }) => ({ authorization: `bearer ${encodeURIComponent(bearer)}` }),
  "a bearer token among spaces": ({ bearer }) => ({ authorization: `BEARER   ${bearer} ` }),
  "a quoted bearer token": ({ bearer }) => ({ authorization: `Bearer "${bearer}"` }),
  "an unsigned bearer token": ({ bearer }) => ({ authorization: `Bearer ${bearer.split(".")[0]}` }),
  "a cookie with a bearer token": (held) => ({
    cookie: pair(held.cookie),
    authorization: `Bearer ${held.bearer}`,
  }),
  "an API key": ({ apiKey }) => ({ "x-api-key": apiKey }),
  "a cookie with an API key": (held) => ({
    cookie: pair(held.cookie),
    "x-api-key": held.apiKey,
  }),
  "a bearer token with an API key": ({ bearer, apiKey }) => ({
    authorization: `Bearer ${bearer}`,
    "x-api-key": apiKey,
  }),
  "everything at once": (held) => ({
    cookie: `${pair(held.own.pending)}; ${pair(held.session)}; ${pair(held.cookie)}`,
    authorization: `Bearer ${held.bearer}`,
    "x-api-key": held.apiKey,
  }),
  "a basic authorization": (held) => ({
    cookie: pair(held.cookie),
    authorization: "Basic eDp5",
  }),
  "an empty cookie": cookie((name) => `${name}=`),
  none: () => ({}),
};
