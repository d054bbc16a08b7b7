export { Institution, ListInstitutions } from "./contract.ts";
export { listInstitutions } from "./service.ts";
