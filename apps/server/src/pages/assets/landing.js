import { busy, byId, call, signedInUser } from "./api.js";

const user = await signedInUser();
if (user === null) {
  byId("signed-out").hidden = false;
} else {
  byId("who").textContent = user.email;
  byId("signed-in").hidden = false;
}

byId("sign-out").addEventListener("click", ({ target }) =>
  busy(target, async () => {
    await call("POST", "/api/auth/sign-out", {});
    location.reload();
  }),
);
