import { byId, showNotice } from "./api.js";

const { token, environment, returnUrl } = byId("closed").dataset;
let isPaid = false;
// Paddle accepts a payment for a checkout that was closed here, so its overlay must not stay open.
const watching = setInterval(closeIfOver, 10_000);

const handlers = {
  "checkout.loaded"() {
    byId("opening").hidden = true;
  },
  "checkout.completed"() {
    isPaid = true;
    clearInterval(watching);
  },
  "checkout.closed"() {
    if (isPaid) location.assign(returnUrl);
    else offerAgain();
  },
  "checkout.error"() {
    offerAgain();
    showNotice("Paddle could not open the checkout. Try again in a moment.");
  },
};

// The service decides whether the checkout is still open, and the page that it sends opens it.
byId("again").addEventListener("click", () => location.reload());

try {
  if (environment === "sandbox") window.Paddle.Environment.set("sandbox");
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  // Also opens the checkout, because Paddle's script reads the transaction from the page's URL.
  window.Paddle.Initialize({
    token,
    checkout: { settings: { successUrl: returnUrl, theme } },
    eventCallback: ({ name }) => handlers[name]?.(),
  });
} catch {
  byId("opening").hidden = true;
  showNotice("Paddle’s checkout could not be loaded. Turn off script blockers for this page and reload it.");
}

function offerAgain() {
  byId("opening").hidden = true;
  byId("closed").hidden = false;
  byId("again").focus();
}

/** Closes the overlay once the service answers that the checkout is closed, and shows that answer. */
async function closeIfOver() {
  // A paid checkout redirects. Its overlay still shows the buyer that they have paid.
  const request = { method: "HEAD", redirect: "manual" };
  const response = await fetch(location.pathname + location.search, request).catch(() => null);
  if (response?.status !== 404 || isPaid) return;
  clearInterval(watching);
  window.Paddle?.Checkout.close();
  location.reload();
}
