// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

/** The codes that only sign-in and accounts have. A later server may send others. */
export type AuthErrorCode =
  /** Another request changed the account at the same time. Repeat the request. */
  | "CONFLICT"
  /** Failed to create user. */
  | "FAILED_TO_CREATE_USER"
  /** Failed to create session. */
  | "FAILED_TO_CREATE_SESSION"
  /** Failed to update user. */
  | "FAILED_TO_UPDATE_USER"
  /** Failed to get session. */
  | "FAILED_TO_GET_SESSION"
  /** Invalid password. */
  | "INVALID_PASSWORD"
  /** Invalid email. */
  | "INVALID_EMAIL"
  /** Invalid email or password. */
  | "INVALID_EMAIL_OR_PASSWORD"
  /** Invalid user. */
  | "INVALID_USER"
  /** Social account already linked. */
  | "SOCIAL_ACCOUNT_ALREADY_LINKED"
  /** Provider not found. */
  | "PROVIDER_NOT_FOUND"
  /** Invalid token. */
  | "INVALID_TOKEN"
  /** Token expired. */
  | "TOKEN_EXPIRED"
  /** id_token not supported. */
  | "ID_TOKEN_NOT_SUPPORTED"
  /** Failed to get user info. */
  | "FAILED_TO_GET_USER_INFO"
  /** User email not found. */
  | "USER_EMAIL_NOT_FOUND"
  /** Password too short. */
  | "PASSWORD_TOO_SHORT"
  /** Password too long. */
  | "PASSWORD_TOO_LONG"
  /** User already exists. */
  | "USER_ALREADY_EXISTS"
  /** User already exists. Use another email. */
  | "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"
  /** Email can not be updated. */
  | "EMAIL_CAN_NOT_BE_UPDATED"
  /** Change email is disabled. */
  | "CHANGE_EMAIL_DISABLED"
  /** Credential account not found. */
  | "CREDENTIAL_ACCOUNT_NOT_FOUND"
  /** Session expired. Re-authenticate to perform this action. */
  | "SESSION_EXPIRED"
  /** You can't unlink your last account. */
  | "FAILED_TO_UNLINK_LAST_ACCOUNT"
  /** Account not found. */
  | "ACCOUNT_NOT_FOUND"
  /** User already has a password. Provide that to delete the account. */
  | "USER_ALREADY_HAS_PASSWORD"
  /** Cross-site navigation login blocked. This request appears to be a CSRF attack. */
  | "CROSS_SITE_NAVIGATION_LOGIN_BLOCKED"
  /** Verification email isn't enabled. */
  | "VERIFICATION_EMAIL_NOT_ENABLED"
  /** Email is already verified. */
  | "EMAIL_ALREADY_VERIFIED"
  /** Email mismatch. */
  | "EMAIL_MISMATCH"
  /** Session is not fresh. */
  | "SESSION_NOT_FRESH"
  /** Linked account already exists. */
  | "LINKED_ACCOUNT_ALREADY_EXISTS"
  /** Invalid origin. */
  | "INVALID_ORIGIN"
  /** Invalid callbackURL. */
  | "INVALID_CALLBACK_URL"
  /** Invalid redirectURL. */
  | "INVALID_REDIRECT_URL"
  /** Invalid errorCallbackURL. */
  | "INVALID_ERROR_CALLBACK_URL"
  /** Invalid newUserCallbackURL. */
  | "INVALID_NEW_USER_CALLBACK_URL"
  /** Missing or null Origin. */
  | "MISSING_OR_NULL_ORIGIN"
  /** callbackURL is required. */
  | "CALLBACK_URL_REQUIRED"
  /** Unable to create verification. */
  | "FAILED_TO_CREATE_VERIFICATION"
  /** Field not allowed to be set. */
  | "FIELD_NOT_ALLOWED"
  /** Async validation is not supported. */
  | "ASYNC_VALIDATION_NOT_SUPPORTED"
  /** Validation Error. */
  | "VALIDATION_ERROR"
  /** Field is required. */
  | "MISSING_FIELD"
  /** POST method requires deferSessionRefresh to be enabled in session config. */
  | "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED"
  /** Body must be an object. */
  | "BODY_MUST_BE_AN_OBJECT"
  /** User already has a password set. */
  | "PASSWORD_ALREADY_SET"
  /** metadata must be an object or undefined. */
  | "INVALID_METADATA_TYPE"
  /** refillAmount is required when refillInterval is provided. */
  | "REFILL_AMOUNT_AND_INTERVAL_REQUIRED"
  /** refillInterval is required when refillAmount is provided. */
  | "REFILL_INTERVAL_AND_AMOUNT_REQUIRED"
  /** User is banned. */
  | "USER_BANNED"
  /** Unauthorized or invalid session. */
  | "UNAUTHORIZED_SESSION"
  /** API Key not found. */
  | "KEY_NOT_FOUND"
  /** API Key is disabled. */
  | "KEY_DISABLED"
  /** API Key has expired. */
  | "KEY_EXPIRED"
  /** API Key has reached its usage limit. */
  | "USAGE_EXCEEDED"
  /** API Key is not recoverable. */
  | "KEY_NOT_RECOVERABLE"
  /** The expiresIn is smaller than the predefined minimum value. */
  | "EXPIRES_IN_IS_TOO_SMALL"
  /** The expiresIn is larger than the predefined maximum value. */
  | "EXPIRES_IN_IS_TOO_LARGE"
  /** The remaining count is either too large or too small. */
  | "INVALID_REMAINING"
  /** The prefix length is either too large or too small. */
  | "INVALID_PREFIX_LENGTH"
  /** The name length is either too large or too small. */
  | "INVALID_NAME_LENGTH"
  /** Metadata is disabled. */
  | "METADATA_DISABLED"
  /** Rate limit exceeded. */
  | "RATE_LIMIT_EXCEEDED"
  /** No values to update. */
  | "NO_VALUES_TO_UPDATE"
  /** Custom key expiration values are disabled. */
  | "KEY_DISABLED_EXPIRATION"
  /** Invalid API key. */
  | "INVALID_API_KEY"
  /** The user id from the API key is invalid. */
  | "INVALID_USER_ID_FROM_API_KEY"
  /** The reference id from the API key is invalid. */
  | "INVALID_REFERENCE_ID_FROM_API_KEY"
  /** API Key getter returned an invalid key type. Expected string. */
  | "INVALID_API_KEY_GETTER_RETURN_TYPE"
  /** The property you're trying to set can only be set from the server auth instance only. */
  | "SERVER_ONLY_PROPERTY"
  /** Failed to update API key. */
  | "FAILED_TO_UPDATE_API_KEY"
  /** API Key name is required. */
  | "NAME_REQUIRED"
  /** Organization ID is required for organization-owned API keys. */
  | "ORGANIZATION_ID_REQUIRED"
  /** You are not a member of the organization that owns this API key. */
  | "USER_NOT_MEMBER_OF_ORGANIZATION"
  /** You do not have permission to perform this action on organization API keys. */
  | "INSUFFICIENT_API_KEY_PERMISSIONS"
  /** No default api-key configuration found. */
  | "NO_DEFAULT_API_KEY_CONFIGURATION_FOUND"
  /** Organization plugin is required for organization-owned API keys. Please install and configure the organization plugin. */
  | "ORGANIZATION_PLUGIN_REQUIRED"
  /** OTP not enabled. */
  | "OTP_NOT_ENABLED"
  /** OTP is not available. */
  | "OTP_NOT_CONFIGURED"
  /** OTP has expired. */
  | "OTP_HAS_EXPIRED"
  /** TOTP not enabled. */
  | "TOTP_NOT_ENABLED"
  /** TOTP is already enabled. */
  | "TOTP_ALREADY_ENABLED"
  /** TOTP is not available. */
  | "TOTP_NOT_CONFIGURED"
  /** Two factor isn't enabled. */
  | "TWO_FACTOR_NOT_ENABLED"
  /** Backup codes aren't enabled. */
  | "BACKUP_CODES_NOT_ENABLED"
  /** Invalid backup code. */
  | "INVALID_BACKUP_CODE"
  /** Invalid code. */
  | "INVALID_CODE"
  /** Too many attempts. Please request a new code. */
  | "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"
  /** Too many failed verification attempts. Your account is temporarily locked. Please try again later. */
  | "ACCOUNT_TEMPORARILY_LOCKED"
  /** Invalid two factor cookie. */
  | "INVALID_TWO_FACTOR_COOKIE"
  /** You cannot ban yourself. */
  | "YOU_CANNOT_BAN_YOURSELF"
  /** You are not allowed to change users role. */
  | "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"
  /** You are not allowed to create users. */
  | "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS"
  /** You are not allowed to list users. */
  | "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS"
  /** You are not allowed to list users sessions. */
  | "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS"
  /** You are not allowed to ban users. */
  | "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"
  /** You are not allowed to impersonate users. */
  | "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS"
  /** You are not allowed to revoke users sessions. */
  | "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"
  /** You are not allowed to delete users. */
  | "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS"
  /** You are not allowed to set users password. */
  | "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD"
  /** You have been banned from this application. */
  | "BANNED_USER"
  /** You are not allowed to get user. */
  | "YOU_ARE_NOT_ALLOWED_TO_GET_USER"
  /** No data to update. */
  | "NO_DATA_TO_UPDATE"
  /** You are not allowed to update users. */
  | "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS"
  /** You cannot remove yourself. */
  | "YOU_CANNOT_REMOVE_YOURSELF"
  /** You are not allowed to set a non-existent role value. */
  | "YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE"
  /** You cannot impersonate admins. */
  | "YOU_CANNOT_IMPERSONATE_ADMINS"
  /** Invalid role type. */
  | "INVALID_ROLE_TYPE"
  /** You are not allowed to update users email. */
  | "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"
  /** Password cannot be updated through update-user. Use the set-user-password endpoint instead. */
  | "PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER";
