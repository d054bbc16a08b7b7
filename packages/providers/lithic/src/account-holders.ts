import {
  type CardRequest,
  type Cardholder,
  type CardholderDetailName,
  type CardholderDetails,
  IssuerError,
} from "@purser/cards/ports";
import { definedFields } from "@purser/core";
import type { Lithic } from "lithic";
import { z } from "zod";
import type { CallLithic } from "./client.ts";
import { Time, Token } from "./requests.ts";
import type { LithicConfig } from "./settings.ts";

type Workflow = NonNullable<LithicConfig["accountHolders"]>;

/** What each workflow requires (SDK, `AccountHolderCreateParams.KYCExempt` and `.KYC`). */
const required = {
  none: [],
  authorized_user: ["name", "phoneNumber", "address"],
  prepaid_card_user: ["name", "phoneNumber", "address"],
  kyc_basic: ["name", "dateOfBirth", "phoneNumber", "address", "termsAcceptance", "governmentId"],
} as const satisfies Record<Workflow, readonly CardholderDetailName[]>;

/** An account holder, as far as it is read. It also holds personal data, which is dropped here. */
const AccountHolder = z.object({
  token: Token,
  account_token: Token.nullish(),
  created: Time.nullish(),
  status: z.string().nullish(),
  verification_application: z.object({ status: z.string().nullish() }).nullish(),
});
type AccountHolder = z.infer<typeof AccountHolder>;

const AccountHolders = z.object({ data: z.array(AccountHolder) });

type Holder = Pick<CardRequest, "organizationId" | "cardholder" | "isAbandoned">;

/**
 * One account holder per person and organization, in the programs that enroll them. "Account holders and accounts have a
 * 1:1 relationship" (API description, `postAccountHolders`), so no two share an account and its limits.
 */
export function lithicAccountHolders(
  call: CallLithic,
  { accountHolders: workflow = "none", businessAccount }: LithicConfig,
) {
  /**
   * The account holders of a person, the earliest first: two cards at once may have created two. A rejected one comes last: an
   * operator may have enrolled the person again.
   */
  async function list({ organizationId, cardholder }: Holder): Promise<AccountHolder[]> {
    const external_id = externalId(organizationId, cardholder);
    const { data } = await call("accountHolders.list", AccountHolders, ({ accountHolders }, options) =>
      accountHolders.list({ external_id }, options).then(({ data: holders }) => ({ data: holders })),
    );
    const createdAt = ({ created }: AccountHolder) => created?.getTime() ?? Number.POSITIVE_INFINITY;
    const isRejected = (holder: AccountHolder) => Number(stateOf(holder) === "REJECTED");
    return data.toSorted(
      (one, other) => isRejected(one) - isRejected(other) || createdAt(one) - createdAt(other),
    );
  }

  async function create(holder: Holder): Promise<void> {
    const fields = newAccountHolder(workflow, holder, businessAccount);
    const made = await call("accountHolders.create", AccountHolder, ({ accountHolders }, options) =>
      accountHolders.create(fields, options),
    );
    requireAccepted(made);
  }

  function missingDetails(details: CardholderDetails): CardholderDetailName[] {
    return required[workflow].filter((name) => !hasLithicDetail(workflow, details, name));
  }

  async function sendDetails({ token }: AccountHolder, { cardholder }: Holder): Promise<void> {
    const fields = changedAccountHolder(workflow, cardholder);
    await call("accountHolders.update", z.object({}), ({ accountHolders }, options) =>
      accountHolders.update(token, fields, options),
    );
  }

  return {
    areEnrolled: workflow !== "none",
    missingDetails,

    /**
     * The account for a person's cards: none in a program without account holders. Enrolls the person, or sends the current
     * details: a person without an open card may have changed them, and no job has sent the change. For a card that is to be
     * closed, does neither.
     */
    async ensure(holder: Holder): Promise<{ account_token?: string }> {
      if (workflow === "none") return {};
      const [known] = await list(holder);
      let found = known;
      if (known === undefined) {
        if (holder.isAbandoned === true)
          throw new IssuerError("refused", "Lithic has no account holder for this card");
        const missing = missingDetails(holder.cardholder.details ?? {});
        if (missing.length > 0) {
          const message = `Lithic requires ${missing.join(", ")} of the cardholder`;
          throw new IssuerError("details_required", message, { missing });
        }
        await create(holder);
        [found] = await list(holder);
      }
      // A rejected account holder has no account.
      if (found !== undefined) requireAccepted(found);
      const account_token = found?.account_token;
      if (!account_token)
        throw new IssuerError("outage", "Lithic, accountHolders.list: no account for the account holder");
      if (known !== undefined && holder.isAbandoned !== true) await sendDetails(known, holder);
      return { account_token };
    },

    /** Sends changed details, if the person is enrolled. */
    async update(holder: Holder): Promise<void> {
      const [found] = workflow === "none" ? [] : await list(holder);
      if (found !== undefined) await sendDetails(found, holder);
    },
  };
}

const externalId = (organizationId: string, { id }: Cardholder) => `${organizationId}:${id}`;

/** Whether a detail is there in a form that Lithic takes. */
function hasLithicDetail(
  workflow: Workflow,
  details: CardholderDetails,
  name: CardholderDetailName,
): boolean {
  return name === "address" ? lithicAddress(workflow, details) !== undefined : details[name] !== undefined;
}

const stateOf = ({ status, verification_application: application }: AccountHolder) =>
  application?.status ?? status ?? "ACCEPTED";

/** Cards of an account holder who is not accepted would be useless. */
function requireAccepted(holder: AccountHolder): void {
  const state = stateOf(holder);
  if (state === "ACCEPTED") return;
  throw new IssuerError("refused", `Lithic has not accepted the account holder: ${state}`);
}

type NewAccountHolder = Lithic.AccountHolderCreateParams.KYC | Lithic.AccountHolderCreateParams.KYCExempt;

/** The caller has checked that no required detail is missing. */
function newAccountHolder(
  workflow: Workflow,
  { organizationId, cardholder }: Holder,
  businessAccount: string | undefined,
): NewAccountHolder {
  const { email, details = {} } = cardholder;
  const person = {
    first_name: details.name!.first,
    last_name: details.name!.last,
    email,
    phone_number: details.phoneNumber!,
    address: lithicAddress(workflow, details)!,
  };
  const external_id = externalId(organizationId, cardholder);
  if (workflow === "kyc_basic") {
    return {
      workflow: "KYC_BASIC",
      external_id,
      individual: { ...person, dob: details.dateOfBirth!, government_id: details.governmentId! },
      tos_timestamp: details.termsAcceptance!.acceptedAt,
    };
  }
  return {
    ...person,
    workflow: "KYC_EXEMPT",
    external_id,
    kyc_exemption_type: workflow === "authorized_user" ? "AUTHORIZED_USER" : "PREPAID_CARD_USER",
    ...(workflow === "authorized_user" && businessAccount && { business_account_token: businessAccount }),
  };
}

/** What an update may change: after a KYC, only e-mail and phone (SDK, `AccountHolderUpdateParams.PatchRequest`). */
function changedAccountHolder(
  workflow: Workflow,
  { email, details = {} }: Cardholder,
): Lithic.AccountHolderUpdateParams.PatchRequest {
  const { name, phoneNumber } = details;
  const contact = { email, phone_number: phoneNumber };
  if (workflow === "kyc_basic") return definedFields(contact);
  const address = lithicAddress(workflow, details);
  return definedFields({ ...contact, first_name: name?.first, last_name: name?.last, address });
}

/**
 * The address in Lithic's form. Undefined without one that Lithic takes: "Only USA is currently supported for all workflows.
 * KYC_EXEMPT supports CAN additionally", with the code of a state or province (SDK, `Shared.Address`).
 */
function lithicAddress(workflow: Workflow, { address }: CardholderDetails): Lithic.Address | undefined {
  if (address === undefined) return undefined;
  const { line1, line2, city, state = "", postalCode, country } = address;
  const isSupported = country === "US" || (country === "CA" && workflow !== "kyc_basic");
  if (!isSupported || !/^[A-Z]{2}$/.test(state)) return undefined;
  return {
    address1: line1,
    ...(line2 !== undefined && { address2: line2 }),
    city,
    state,
    postal_code: postalCode,
    country: country === "US" ? "USA" : "CAN",
  };
}
