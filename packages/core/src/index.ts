export {
  bankAccountTypes,
  bankConnectionStatuses,
  bankConsentStatuses,
  bankQuarantineReasons,
  bankSyncStatuses,
  bankSyncTriggers,
  bankTransactionStatuses,
  bankTransactionTypes,
  billingIntervals,
  cardChannels,
  cardDecisionOutcomes,
  cardLimitIntervals,
  endedHoldReasons,
  cardPurposes,
  cardSpendingGroups,
  cardholderDetailNames,
  cardStatuses,
  cardTransactionOrigins,
  cardTransactionStatuses,
  maxPolicyCategories,
  maxPolicyMerchants,
  membershipRoles,
  organizationKeyAccesses,
  sandboxBankFaultKinds,
  spendingLimitIntervals,
  subscriptionStatuses,
  unknownCountry,
  usualConsentScopes,
  userRoles,
  webhookAreas,
  webhookDeliveryStatuses,
  webhookEndpointStatuses,
  webhookEventStatuses,
} from "./allowed-values.ts";
export { cachedDateText } from "./cached-date-text.ts";
export {
  type CardLimit,
  type LimitInterval,
  type LimitPair,
  cardLimitsOf,
  limitPairOf,
} from "./card-limits.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type CsvColumn, csvCell, csvColumns, csvEndOfLine } from "./csv.ts";
export { addMs, addToDay, dayMs, utcDay } from "./day.ts";
export { definedFields } from "./defined-fields.ts";
export { actorFields, eventContract } from "./event-contract.ts";
export {
  type EventSubject,
  type EventType,
  eventSubjects,
  eventTypes,
  ownerOnlySubjects,
} from "./event-types.ts";
export { anyOf, exampleIds, explained, explainedValues, sharedFields } from "./explained.ts";
export {
  Amount,
  Currency,
  Email,
  Id,
  Instant,
  InstantUntil,
  Name,
  TimeZone,
  WebUrl,
  openText,
  text,
  toSingleLine,
} from "./fields.ts";
export { assertJson, problemHeaders } from "./http.ts";
export { type IdPrefix, firstIdAt, idPrefixes, isId, newId, timeOfId } from "./id.ts";
export { type Logger } from "./logger.ts";
export {
  isInMerchantCategory,
  isMerchantCategory,
  merchantCategories,
  merchantCategoryCode,
} from "./merchant-category.ts";
export { merchantCategoryLabel } from "./merchant-category-label.ts";
export { merchantGroupOf, merchantGroups } from "./merchant-group.ts";
export { AmountError, currencyExponent, currencyExponents, isCurrency, minorUnits } from "./money.ts";
export { page, pageAfterProviderId } from "./page.ts";
export { type Issue, issuesOf } from "./issue.ts";
export {
  Problem,
  type ProblemCode,
  type ProblemDocument,
  invalidField,
  parseInput,
  problemAdvice,
  problemCatalog,
  problemDocument,
  validationFailed,
} from "./problem.ts";
export { ProviderError, type ProviderErrorOptions } from "./provider-error.ts";
export { bankProviderNames, cardIssuerNames, paymentProviderNames } from "./provider-names.ts";
export { type RandomSource, createRandom } from "./random.ts";
export {
  type ReportDays,
  checkReportLength,
  dayIn,
  eachDay,
  isRange,
  notARange,
  plainDay,
  reportDays,
  reportRange,
  reportedSum,
} from "./report-days.ts";
export { errorText, redact } from "./redact.ts";
export { decodeWire, encodeWire } from "./wire.ts";
export { foldText, hasWordsOf, wordsOf } from "./words.ts";
