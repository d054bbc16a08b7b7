import { announceProblem } from "./action.tsx";
import { auth } from "./purser.ts";

/** Ends the session of this browser, and opens the start page. */
export async function signOut(): Promise<void> {
  try {
    await auth.signOut();
    location.assign("/");
  } catch (error) {
    announceProblem(error, ["You are still signed in."]);
  }
}
