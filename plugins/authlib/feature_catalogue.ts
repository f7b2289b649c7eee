import type { FeatureSetting } from "./feature.ts";
import { pepperSetting } from "./features/password_pepper/setting.ts";

/** The description of a feature, for generators and error messages. It does not import the feature. */
export interface FeatureEntry {
  readonly name: string;
  /** The function that adds it, as in `verifyAccount()`. */
  readonly factory: string;
  /** Its option of `fw generate fw:authlib:account`. */
  readonly flag: string;
  readonly from:
    | "framewright/plugins/authlib"
    | "framewright/plugins/jwt"
    | "framewright/plugins/api_keys"
    | "framewright/plugins/oidc"
    | "framewright/plugins/sso";
  readonly summary: string;
  /** Features that it requires. */
  readonly requires: readonly string[];
  /** The secrets that it needs. */
  readonly settings: readonly FeatureSetting[];
  /** Features of which it requires one; generators add the first where there is none. */
  readonly requiresOne: readonly string[];
  /** Its place in an account plugin's list: from 1. */
  readonly order: number;
}

const settings: Readonly<Record<string, readonly FeatureSetting[]>> = { password_pepper: [pepperSetting] };

type Line = readonly [name: string, summary: string, requires?: readonly string[], requiresOne?: readonly string[]];

// In the order in which account plugins list them: a later one may override the steps of an earlier one.
const lines: readonly Line[] = [
  ["login", "Sign in with a login and a password", []],
  ["logout", "Sign out"],
  ["remember", "Stay signed in on a device"],
  ["create_account", "Sign up"],
  ["verify_account", "Verify the email address by a mailed link", ["create_account"]],
  ["reset_password", "Set a new password through a mailed link"],
  ["invitation", "Invite people, who set their own password", ["reset_password"]],
  ["change_password", "Change the password"],
  ["change_login", "Change the login, verified by mail"],
  ["close_account", "Close the account"],
  ["lockout", "Lock a login after too many wrong passwords"],
  ["active_sessions", "List sessions, and end them"],
  ["session_expiration", "End sessions that are idle or old"],
  ["account_expiration", "Refuse sign-ins to accounts that were not used for long"],
  ["password_complexity", "Refuse passwords that are easy to guess"],
  ["disallow_password_reuse", "Refuse earlier passwords of the account"],
  ["password_pepper", "Hash passwords with a secret that the database doesn't hold"],
  ["security_mails", "Mail security notices to the owner, with a link to report a compromise", ["reset_password"]],
  ["email_auth", "Sign in by a mailed link"],
  ["otp", "A second factor: codes of an authenticator app"],
  ["otp_unlock", "Unlock codes after too many wrong ones, by right codes in a row", ["otp"]],
  ["recovery_codes", "One-time codes for when the second factor is lost", ["login"], ["otp", "webauthn"]],
  ["webauthn", "Passkeys and security keys"],
  ["factors", "List all second factors on one page, and remove them", ["login"], ["otp", "webauthn"]],
  ["jwt", "Answer API logins with an access token"],
  ["jwt_refresh", "Refresh tokens, rotated at each use", ["jwt"]],
  ["api_keys", "Keys of a person's programs, with scopes and expiry"],
  ["oidc_login", "Sign in by accounts at other providers, of OpenID Connect"],
  ["tenant_sso", "Sign in by the provider of one's own company, which a tenant sets up", ["login", "oidc_login"]],
  ["audit_logging", "Log the events of accounts", []],
];

/** The modules of features of other plugins. */
const modules: Readonly<Record<string, FeatureEntry["from"]>> = {
  jwt: "framewright/plugins/jwt",
  jwt_refresh: "framewright/plugins/jwt",
  api_keys: "framewright/plugins/api_keys",
  oidc_login: "framewright/plugins/oidc",
  tenant_sso: "framewright/plugins/sso",
};
const lowerCamel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every built-in feature, in the order in which account plugins list them. */
export const catalogue: readonly FeatureEntry[] = lines.map(
  ([name, summary, requires = ["login"], requiresOne = []], index) => ({
    name,
    factory: lowerCamel(name),
    flag: `--${name}`,
    from: modules[name] ?? "framewright/plugins/authlib",
    summary,
    requires,
    requiresOne,
    settings: settings[name] ?? [],
    order: index + 1,
  }),
);

/** A feature of the catalogue by its name. */
export const featureEntry = (name: string): FeatureEntry | undefined => catalogue.find((entry) => entry.name === name);

/** The folder of a feature's tables, views, mails and texts, below the package's root. */
export const directoryOf = ({ name, from }: FeatureEntry): string =>
  `${from.replace("framewright/", "")}/features/${name}`;

/** The template of a feature's tables, a part of a migration. Not every feature has one. */
export const schemaOf = (entry: FeatureEntry): string => `${directoryOf(entry)}/schema.liquid`;
