import { byId, tell } from "./api.js";

const { transactionId, token, environment, returnUrl } = byId("closed").dataset;
let isPaid = false;

const happenings = {
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
    tell("Paddle could not open the checkout. Try again in a moment.");
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
  // This opens the checkout as well: Paddle's script takes the transaction from the address of this page.
  window.Paddle.Initialize({
    token,
    checkout: { settings: { successUrl: returnUrl, theme } },
    eventCallback: ({ name }) => happenings[name]?.(),
  });
} catch {
  byId("opening").hidden = true;
  tell("Paddle’s checkout could not be loaded. Load this page again, without anything that blocks scripts.");
}

function offerAgain() {
  byId("opening").hidden = true;
  byId("closed").hidden = false;
  byId("again").focus();
}
