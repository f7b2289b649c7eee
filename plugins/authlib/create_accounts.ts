import { RequestContext } from "framewright/host";
import { FramewrightError } from "framewright/kernel";
import { ValidationError } from "framewright/plugins/database";
import type { AccountRecord, AccountType, AccountTypes } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";
import type { RequestedStep } from "./core/mails.ts";
import { errors } from "./errors.ts";
import type { ReportedFailure } from "./events.ts";
import type { CreateAccountSteps, SignUp } from "./features/create_account/index.ts";

/** @throws FW_ACCOUNT_TYPE_UNKNOWN, FW_INVALID (422, `fields`) */
export type CreateAccount = (
  type: string,
  values: Record<string, unknown>,
  options?: { password?: string },
) => Promise<{ id: number; link?: string }>;

/** Creates a verified account. Without a password, returns a link to set one. */
export async function createVerifiedAccount(
  types: AccountTypes,
  name: string,
  values: Record<string, unknown>,
  { password }: { password?: string } = {},
): Promise<{ id: number; link?: string }> {
  const type = types.get(name, "createAccount");
  const { database, host } = type.services;
  const authlib = offlineAuthlib(type);
  authlib.origin = `http://localhost:${host.settings.port}`;
  const login = authlib.normalizeLogin(String(values[type.class.loginColumn] ?? ""));
  const problem = authlib.loginProblem(login);
  if (problem !== undefined) throw new FramewrightError("FW_INVALID", `${type.class.loginColumn}: ${problem}`);
  if (password !== undefined) {
    const wanted = { [type.class.loginColumn]: login } as unknown as AccountRecord;
    const problems = await authlib.passwordProblems(password, wanted);
    if (problems.length > 0) throw new FramewrightError("FW_INVALID", `password: ${problems.join(", ")}`);
  }
  const hash = password === undefined ? undefined : await authlib.hashPassword(password);
  const account = await database.transaction(async (trx) => {
    const row = { account_status: "verified", ...values, [type.class.loginColumn]: login };
    const created = (await type.model.class.query(trx).insert(row as never)) as unknown as AccountRecord;
    if (hash !== undefined) await authlib.storeHash(created, hash, trx);
    return created;
  });
  await authlib.emitEvent("created", {}, account);
  const link = hash === undefined ? await authlib.passwordLink(account) : undefined;
  return { id: account.id, ...(link === undefined ? {} : { link }) };
}

/** Signs up without the page, by the account type's own step. @throws FW_SIGN_UP, ValidationError, HttpError 429 */
export async function signUp(authlib: AuthlibBase, who: SignUp): Promise<AccountRecord | undefined> {
  if (!authlib.type.has("create_account")) throw errors.FW_SIGN_UP(authlib.type.name);
  const login = authlib.normalizeLogin(who.login);
  const { model, class: cls } = authlib.type;
  const message = login === "" ? authlib.t("blank") : authlib.loginProblem(login);
  if (message !== undefined) {
    const problem = { key: "authlib.login", vars: {}, message };
    throw new ValidationError(model.constant, { [cls.loginColumn]: [problem] });
  }
  await authlib.takeMail("create-account", login, who.transaction);
  return (authlib as AuthlibBase & CreateAccountSteps).signUp({ ...who, login });
}

/** Runs the step of a job, for a login that was typed. */
export async function runRequestedStep(
  types: AccountTypes,
  { type: name, step, login, origin, locale }: RequestedStep,
): Promise<void> {
  const type = types.get(name, "a job");
  const authlib = offlineAuthlib(type);
  authlib.origin = origin;
  authlib.request.givenLocale = locale;
  await (authlib as unknown as Record<string, (login: string) => Promise<void>>)[step]!(login);
}

/** Reports a failure for a typed login. */
export const reportFailure = (types: AccountTypes, failure: ReportedFailure): Promise<void> =>
  offlineAuthlib(types.get(failure.type, "a job")).reportFailure(failure);

/** An account plugin without a request: for the command line, for jobs, and for changes by other people. */
export const offlineAuthlib = (type: AccountType): AuthlibBase =>
  new type.class(new RequestContext(type.services.host, offline as never), type);

/** A placeholder for the Node request. */
const offline = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "" } };
