export {
  type AccountExpirationOptions,
  type AccountExpirationSteps,
  type Activity,
  accountExpiration,
  type DormantAccount,
} from "./account_expiration/index.ts";
export { type ActiveSessionsSteps, activeSessions } from "./active_sessions/index.ts";
export { type AuditLoggingOptions, type AuditLoggingSteps, auditLogging } from "./audit_logging/index.ts";
export { type ChangeLoginOptions, type ChangeLoginSteps, changeLogin } from "./change_login/index.ts";
export { type ChangePasswordSteps, changePassword } from "./change_password/index.ts";
export { type CloseAccountSteps, closeAccount } from "./close_account/index.ts";
export { type CreateAccountSteps, createAccount, type SignUp } from "./create_account/index.ts";
export { type DisallowPasswordReuseOptions, disallowPasswordReuse } from "./disallow_password_reuse/index.ts";
export { type EmailAuthOptions, type EmailAuthSteps, emailAuth } from "./email_auth/index.ts";
export { type FactorsSteps, factors } from "./factors/index.ts";
export { type InvitationOptions, type InvitationSteps, invitation } from "./invitation/index.ts";
export { type LockoutOptions, type LockoutSteps, lockout } from "./lockout/index.ts";
export { type LoginLink, type LoginOptions, type LoginSteps, login } from "./login/index.ts";
export { type LogoutSteps, logout } from "./logout/index.ts";
export { type OtpOptions, type OtpSteps, otp } from "./otp/index.ts";
export { type OtpUnlockOptions, type OtpUnlockSteps, otpUnlock } from "./otp_unlock/index.ts";
export { type PasswordComplexityOptions, passwordComplexity } from "./password_complexity/index.ts";
export { passwordPepper } from "./password_pepper/index.ts";
export { type RecoveryCodesOptions, type RecoveryCodesSteps, recoveryCodes } from "./recovery_codes/index.ts";
export { type RememberOptions, type RememberSteps, remember } from "./remember/index.ts";
export { type ResetPasswordOptions, type ResetPasswordSteps, resetPassword } from "./reset_password/index.ts";
export { type SecurityMailsOptions, type SecurityMailsSteps, securityMails } from "./security_mails/index.ts";
export { type SessionExpirationOptions, sessionExpiration } from "./session_expiration/index.ts";
export { type VerifyAccountOptions, type VerifyAccountSteps, verifyAccount } from "./verify_account/index.ts";
export { type WebauthnOptions, type WebauthnSteps, webauthn } from "./webauthn/index.ts";
