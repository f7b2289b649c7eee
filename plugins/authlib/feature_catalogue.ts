import type { FeatureSetting } from "./feature.ts";
import { pepperSetting } from "./features/password_pepper/setting.ts";

/** A feature of account types, as generators and error messages know it: nothing is imported to know it. */
export interface FeatureEntry {
  readonly name: string;
  /** The function that adds it, as in `verifyAccount()`. */
  readonly factory: string;
  /** The option of `fw generate fw:authlib:account` that asks for it. */
  readonly flag: string;
  readonly from: "framewright/plugins/authlib" | "framewright/plugins/jwt";
  readonly summary: string;
  /** Features that it can't be without. */
  readonly requires: readonly string[];
  /** What must be set for it. */
  readonly settings: readonly FeatureSetting[];
  /** Features of which it needs one; the first comes along where there is none. */
  readonly requiresOne: readonly string[];
  /** Its place in an account plugin's list: from 1. */
  readonly order: number;
}

const settings: Readonly<Record<string, readonly FeatureSetting[]>> = { password_pepper: [pepperSetting] };

type Line = readonly [name: string, summary: string, requires?: readonly string[], requiresOne?: readonly string[]];

// In the order in which account plugins list them: a later one sees, and may override, what came before.
const lines: readonly Line[] = [
  ["login", "Sign in with a login and a password", []],
  ["logout", "Sign out"],
  ["remember", "Stay signed in on a device"],
  ["create_account", "Sign up"],
  ["verify_account", "Show by a mailed link that the address is one's own", ["create_account"]],
  ["reset_password", "Set a new password through a mailed link"],
  ["invitation", "Take in invited people, who set their own password", ["reset_password"]],
  ["change_password", "Change the password"],
  ["change_login", "Change the login, verified by mail"],
  ["close_account", "Close the account"],
  ["lockout", "Lock a login after too many wrong passwords"],
  ["active_sessions", "See one's sessions, and end them"],
  ["session_expiration", "End sessions that are idle or old"],
  ["account_expiration", "Let nobody in to accounts that were not used for long"],
  ["password_complexity", "Refuse passwords that are easy to guess"],
  ["disallow_password_reuse", "Refuse passwords that the account had before"],
  ["password_pepper", "Hash passwords with a secret that the database doesn't hold"],
  ["security_mails", "Mail the owner what happens to the account, with a link that undoes it", ["reset_password"]],
  ["email_auth", "Sign in by a mailed link"],
  ["otp", "A second factor: codes of an authenticator app"],
  ["otp_unlock", "Let right codes in a row end the wait after too many wrong ones", ["otp"]],
  ["recovery_codes", "Codes to keep for when the second factor is lost", ["login"], ["otp", "webauthn"]],
  ["webauthn", "Passkeys and security keys"],
  ["factors", "See one's second factors on one page, and remove them all", ["login"], ["otp", "webauthn"]],
  ["jwt", "Answer API logins with an access token"],
  ["jwt_refresh", "Refresh tokens, changed at each use", ["jwt"]],
  ["audit_logging", "Write down what happens to accounts", []],
];

const lowerCamel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every feature that the framework brings, in the order in which account plugins list them. */
export const catalogue: readonly FeatureEntry[] = lines.map(
  ([name, summary, requires = ["login"], requiresOne = []], index) => ({
    name,
    factory: lowerCamel(name),
    flag: `--${name}`,
    from: name.startsWith("jwt") ? "framewright/plugins/jwt" : "framewright/plugins/authlib",
    summary,
    requires,
    requiresOne,
    settings: settings[name] ?? [],
    order: index + 1,
  }),
);

export const featureEntry = (name: string): FeatureEntry | undefined => catalogue.find((entry) => entry.name === name);

/** The folder of a feature's tables, views, mails and texts, below the package's root. */
export const directoryOf = ({ name, from }: FeatureEntry): string =>
  `${from.replace("framewright/", "")}/features/${name}`;

/** The tables of a feature, as a part of a migration. Not every feature has some. */
export const schemaOf = (entry: FeatureEntry): string => `${directoryOf(entry)}/schema.liquid`;
