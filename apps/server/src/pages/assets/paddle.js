import { byId, showNotice } from "./api.js";

const { transactionId, token, environment, returnUrl } = byId("closed").dataset;
let isPaid = false;

const handlers = {
  "checkout.loaded"() {
    byId("opening").hidden = true;
  },
  "checkout.completed"() {
    isPaid = true;
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

byId("again").addEventListener("click", () => {
  byId("closed").hidden = true;
  byId("opening").hidden = false;
  document.querySelector(".notice[role=alert]").hidden = true;
  window.Paddle.Checkout.open({ transactionId });
});

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
