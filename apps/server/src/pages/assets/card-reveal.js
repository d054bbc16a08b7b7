import { busy, byId, call, showNotice, showProblem } from "./api.js";

const { kind, publishableKey, frameOrigin } = byId("reveal").dataset;
const token = location.hash.slice(1);
const shownMs = 60_000;

const sentences = {
  opened:
    "This link has been opened already, and shows nothing twice. If that was not you, pause the card now. Otherwise open the card in Purser and show its number again.",
  ended: "This link has expired or is not complete. Open the card in Purser and show its number again.",
  failed:
    "The issuer did not show the card. The link is used up: open the card in Purser and show its number again.",
  unavailable:
    "The issuer’s component could not be loaded. Turn off script blockers for this page and try again.",
  hidden:
    "The number is hidden again. To see it once more, open the card in Purser and show its number again.",
};

// The link's token names the organization, but no card.
const [organizationId] = token.split(".");
if ("toCards" in byId("onward").dataset && /^org_[0-9a-z]+$/.test(organizationId)) {
  byId("onward").href = `/${organizationId}/cards`;
  byId("onward").textContent = "Go to your cards";
}

/** Ends what shows the number. Null while nothing is shown. */
let stopShowing = null;

const { body: found, ok: isAnswered } = await call("POST", "/cards/reveal/check", { token });
if (!isAnswered) showNotice(found?.detail ?? sentences.ended);
else if (found.outcome === "ready") offer(found);
else showNotice(sentences[found.outcome]);

function offer({ lastFour, reference }) {
  byId("last-four").textContent = lastFour;
  byId("offer").hidden = false;
  byId("show").addEventListener("click", () => busy(byId("show"), () => open(reference)));
}

async function open(reference) {
  const stripe = kind === "stripe-elements" ? startStripe() : null;
  if (kind === "stripe-elements" && stripe === null) return showNotice(sentences.unavailable);
  let nonce;
  if (stripe !== null) {
    // The link stays unopened if Stripe cannot be reached.
    ({ nonce } = await stripe.createEphemeralKeyNonce({ issuingCard: reference }).catch(() => ({})));
    if (!nonce) return showNotice(sentences.unavailable);
  }
  // The token leaves the address bar and the history before it is used up.
  history.replaceState(null, "", location.pathname);
  const response = await call("POST", "/cards/reveal/open", { token, nonce });
  const { body, ok, status } = response;
  // The request did not arrive, or came too early, so the link may still be unopened.
  if ([0, 429, 503].includes(status)) return showProblem(response);
  byId("offer").hidden = true;
  if (!ok) return showNotice(sentences.failed);
  if (body.outcome !== "shown") return showNotice(sentences[body.outcome]);
  document.querySelector(".notice[role=alert]").hidden = true;
  show(body, { stripe, reference, nonce });
}

function show({ grant, expiryMonth, expiryYear }, element) {
  const remove = {
    "test-number": () => showTestNumber(grant, expiryMonth, expiryYear),
    "lithic-embeds": () => showEmbeds(grant),
    "stripe-elements": () => mountElements(grant, element),
  }[grant.kind]();
  byId("shown").hidden = false;
  byId("hide").focus();
  const endsAt = Date.now() + shownMs;
  const countDown = setInterval(() => {
    const seconds = Math.ceil((endsAt - Date.now()) / 1000);
    byId("seconds").textContent = String(Math.max(0, seconds));
    if (seconds <= 0) hide();
  }, 500);
  stopShowing = () => {
    clearInterval(countDown);
    remove();
  };
}

/** Removes the number from the page for good. */
function hide() {
  if (stopShowing === null) return;
  stopShowing();
  stopShowing = null;
  byId("shown").hidden = true;
  byId("covered").hidden = true;
  showNotice(sentences.hidden, true);
}

/** Covers the number while another window has the focus. A frame of this page counts as this page. */
function cover() {
  if (stopShowing === null) return;
  const isAway = document.hidden || !document.hasFocus();
  byId("shown").hidden = isAway;
  byId("covered").hidden = !isAway;
}

byId("hide").addEventListener("click", hide);
document.addEventListener("visibilitychange", cover);
addEventListener("focus", cover);
// While the focus moves into a frame, the document has none.
addEventListener("blur", () => setTimeout(cover));
// Otherwise the browser's "back" might restore the page.
addEventListener("pagehide", hide);

function showTestNumber({ number, cvc }, month, year) {
  byId("number").textContent = number.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
  byId("expiry").textContent = `${String(month).padStart(2, "0")}/${year}`;
  byId("cvc").textContent = cvc;
  const copy = document.createElement("button");
  Object.assign(copy, { type: "button", className: "plain", textContent: "Copy" });
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(number).then(
      () => (copy.textContent = "Copied"),
      () => (copy.textContent = "Not copied"),
    );
  });
  byId("copy").replaceChildren(copy);
  return () => {
    for (const id of ["number", "expiry", "cvc", "copy"]) byId(id).replaceChildren();
  };
}

/** Lithic's own frames show the details: nothing on this page can read them. */
function showEmbeds({ session }) {
  const { color, fontFamily } = getComputedStyle(byId("number"));
  const styles = btoa(JSON.stringify({ color, "font-family": fontFamily, "font-size": "18px" }));
  const frameOf = (type, title) => {
    const frame = document.createElement("iframe");
    frame.title = title;
    // Lithic compares the origin of this page with that of the session.
    frame.referrerPolicy = "origin";
    // It runs as a page of its own host, and can neither navigate this one nor open windows.
    frame.sandbox.add("allow-scripts", "allow-same-origin");
    frame.allow = "clipboard-write";
    frame.src = `${frameOrigin}/v1/embed?${new URLSearchParams({ session, type, styles })}`;
    return frame;
  };
  const places = {
    number: [frameOf("PAN", "Number")],
    expiry: [frameOf("EXP_MONTH", "Month of expiry"), "/", frameOf("EXP_YEAR", "Year of expiry")],
    cvc: [frameOf("CVV", "CVC")],
  };
  for (const [id, children] of Object.entries(places)) {
    byId(id).classList.add("element");
    byId(id).replaceChildren(...children);
  }
  return () => {
    for (const id of Object.keys(places)) byId(id).replaceChildren();
  };
}

function startStripe() {
  return typeof window.Stripe === "function" ? window.Stripe(publishableKey) : null;
}

/** Stripe's own frames show the number: nothing on this page can read it. */
function mountElements({ ephemeralKeySecret }, { stripe, reference: issuingCard, nonce }) {
  const elements = stripe.elements();
  const style = { base: { color: getComputedStyle(byId("shown")).color, fontSize: "20px" } };
  const mount = (type, options, place) => {
    place.classList.add("element");
    const element = elements.create(type, { ...options, style });
    element.mount(place);
    return element;
  };
  const card = { issuingCard, nonce, ephemeralKeySecret };
  const label = document.createElement("span");
  label.textContent = "Copy";
  const copy = document.createElement("span");
  byId("copy").replaceChildren(label, copy);
  const mounted = [
    mount("issuingCardNumberDisplay", card, byId("number")),
    mount("issuingCardExpiryDisplay", card, byId("expiry")),
    mount("issuingCardCvcDisplay", card, byId("cvc")),
    mount("issuingCardCopyButton", { toCopy: "number" }, copy),
  ];
  mounted[3].on("click", () => (label.textContent = "Copied"));
  return () => {
    for (const element of mounted) element.destroy();
    byId("copy").replaceChildren();
  };
}
