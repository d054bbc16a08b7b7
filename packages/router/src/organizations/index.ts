export { releaseUser, transferOrganization } from "./ownership.ts";
