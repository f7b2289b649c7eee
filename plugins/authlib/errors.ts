import { didYouMean, errorTable } from "framewright/kernel";

const known = (names: readonly string[]) => (names.length > 0 ? ` There are: ${names.join(", ")}.` : "");

/** The command that prints a value for a secret setting. */
export const newSecret = `node -e "console.log(require('node:crypto').randomBytes(32).toString('hex'))"`;

/** Errors of account types: at boot, and when they are looked up by name. */
export const errors = errorTable({
  FW_ACCOUNT_ADDRESS: (account: string, portal: string, at: string) =>
    `the pages of the account type "${account}" and ${portal} are both at ${at}. Mount ${portal} at another path in config/routes.ts.`,
  FW_AUTHLIB_APP: (file: string) =>
    `${file} must export default defineAuthlib([UserAuthlibPlugin, …]). Make it with: npx fw generate fw:authlib:install`,
  FW_AUTHLIB_CLASS: (given: string) =>
    `defineAuthlib lists ${given}, which is not an account plugin. List the class that app/authlib/<name>_authlib_plugin.ts exports.`,
  FW_AUTHLIB_NAME: (constant: string, file: string) =>
    `${file} defines ${constant}; an account plugin is named <Name>AuthlibPlugin, after its account type. Rename it.`,
  FW_ACCOUNT_DELETED: (model: string) =>
    `${model} has static softDelete, and people sign in as its records. Leave it out: accounts are closed, and then refused.`,
  FW_ACCOUNT_TYPE_UNKNOWN: (name: string, where: string, names: readonly string[], suggestion: string | undefined) =>
    `${where} uses the account type "${name}", which app/authlib/authlib_app.ts does not list.${didYouMean(suggestion)}${known(names)} Make it with: npx fw generate fw:authlib:account ${name}`,
  FW_CONFIRMS: (controller: string, why: string) => `${controller} has static confirms, ${why}`,
  FW_FEATURE_SETTING: (type: string, feature: string, name: string, purpose: string, bytes: number) =>
    `the setting ${name} is missing or under ${bytes} bytes: the feature "${feature}" of the account type "${type}" needs it to ${purpose}. Put ${name}=… into the environment or .env.<environment>; make a value with: ${newSecret}`,
  FW_FEATURE_MISSING: (type: string, feature: string, needs: readonly string[]) =>
    `the account type "${type}" has the feature "${feature}", which needs ${needs.map((name) => `"${name}"`).join(" or ")}. Add ${needs.map((name) => `${name}()`).join(" or ")} to the list in its account plugin.`,
  FW_REQUIRE_PASSWORD_CHANGE: (type: string) =>
    `requirePasswordChange() was called for the account type "${type}", which has no page to choose another password on. Add changePassword() to the list in its account plugin.`,
  FW_RECOVERY_CODES: (type: string) =>
    `the account type "${type}" has recoveryCodes() and no second factor that they could replace. Add otp() to the list in its account plugin, or set webauthn({ secondFactor: true }) there.`,
  FW_SIGN_UP: (type: string) =>
    `signUp() was called for the account type "${type}", which has no sign-up. Add createAccount() to the list in its account plugin.`,
  FW_SIGN_UP_FIELDS: (type: string, model: string, columns: readonly string[]) =>
    `nobody can sign up as "${type}": ${model} requires ${columns.join(", ")}, which the form does not ask for. Use createAccount({ fields: ${JSON.stringify(columns)} }) in its account plugin, or override newAccountValues() there.`,
  FW_SIGN_UP_FIELD: (type: string, model: string, field: string) =>
    `createAccount() of the account type "${type}" asks for "${field}", and ${model} has no column of that name that takes a text or a number. Name one that does, or override newAccountValues().`,
  FW_FEATURE_TWICE: (type: string, feature: string) =>
    `the account type "${type}" lists the feature "${feature}" twice. Remove one of them.`,
  FW_AUTHLIB_TABLE: (type: string, tables: readonly string[]) =>
    `the account type "${type}" needs the table${tables.length > 1 ? "s" : ""} ${tables.join(", ")}. Run: npx fw generate fw:authlib:upgrade, then npx fw db:migrate.`,
  FW_AUTHLIB_COLUMN: (type: string, columns: readonly string[]) =>
    `the account type "${type}" needs the column${columns.length > 1 ? "s" : ""} ${columns.join(", ")}, which an application made with an earlier release lacks. Run: npx fw generate fw:authlib:upgrade, then npx fw db:migrate.`,
  FW_MAIL_HOST: (type: string) =>
    `the account type "${type}" mails links, and no setting configures their host. Set APP_URL, as in https://shop.example.`,
  FW_GRACE_COLUMN: (type: string, model: string) =>
    `verifyAccount({ graceHours }) of the account type "${type}" counts from the creation of an account, and ${model} has no column "created_at". Add it, or leave graceHours out.`,
  FW_LOGIN_ENCRYPTED: (model: string, column: string) =>
    `${model} encrypts "${column}", by which its accounts log in and are looked for. Take it out of static encrypts.`,
  FW_ACCOUNT_KEY: (type: string, model: string, key: string) =>
    `the account type "${type}" refers to its accounts by number, and the ids of ${model} are of the type ${key}. Create its table with t.id(), and give it a UUID as a column of its own.`,
  FW_LOGIN_COLUMN: (model: string, column: string) =>
    `${model} has no column "${column}" to log in by. Run: npx fw db:migrate, or set loginColumn in the account plugin.`,
  FW_SIGN_IN: (who: string, account: string) =>
    `${who} can't sign in as ${account}. Make an account that is verified first.`,
});
