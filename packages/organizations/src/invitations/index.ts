export {
  AcceptedInvitation,
  CreateInvitation,
  Invitation,
  InvitationWithOrganization,
  ListInvitations,
  RevokeInvitation,
  TheInvitation,
} from "./contract.ts";
export {
  acceptInvitation,
  createInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from "./service.ts";
export { findInvitation, hasOpenInvitation } from "./store.ts";
