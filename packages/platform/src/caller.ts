/** Who makes a request, read afresh for each one. */
export interface Caller {
  userId: string;
  name: string;
  email: string;
  emailVerified: boolean;
  /** Whether the user's role is `admin`. It makes them a member of nothing. */
  isAdministrator: boolean;
  /** How they showed who they are. A cookie travels by itself, so it needs a trusted origin to change something. */
  credential: "cookie" | "bearer" | "api-key";
}
