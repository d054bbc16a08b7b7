import { mayLeave } from "../components/may-leave.ts";
import { announceProblem } from "./action.tsx";
import { auth } from "./purser.ts";
import { setSigningOut } from "./sign-in.ts";
import { keepUnsaved } from "./unsaved.ts";

/** Ends the session of this browser, and opens the start page. */
export async function signOut(): Promise<void> {
  if (!(await mayLeave())) return;
  setSigningOut(true);
  try {
    await auth.signOut();
    location.assign("/");
  } catch (error) {
    setSigningOut(false);
    keepUnsaved();
    announceProblem(error, ["You are still signed in."]);
  }
}
