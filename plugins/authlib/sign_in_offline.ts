import { type ApplicationContext, RequestContext } from "framewright/host";
import { errors } from "./errors.ts";

/**
 * Signs in an account without a password, for tests and commands on this machine: stores the sign-in and a session. `host`: at
 * which the session is valid. Returns the line `Set-Cookie` of the session.
 * @throws FW_ACCOUNT_TYPE_UNKNOWN, FW_SIGN_IN when nobody has the login, or the account may not come in
 * @example const cookie = await signInOffline(application, { host: "127.0.0.1", account: "user", who: "ann@example.com" });
 */
export async function signInOffline(
  application: ApplicationContext,
  { host, account, who }: { host: string; account: string; who: string | { id: number } },
): Promise<string | undefined> {
  const type = application.kernel.service("auth").types.get(account, "signIn");
  const visit = { method: "POST", url: "/", headers: { host }, socket: { remoteAddress: "127.0.0.1" } };
  const request = new RequestContext(application, visit as never);
  await request.openSession();
  const authlib = new type.class(request, type);
  const record = await (typeof who === "string" ? authlib.findAccountByLogin(who) : authlib.findAccountById(who.id));
  if (!record || !authlib.isOpen(record))
    throw errors.FW_SIGN_IN(typeof who === "string" ? who : `the ${account} ${who.id}`, account);
  authlib.keepSession(await authlib.openSession(record, ["password"]));
  return application.kernel.service("sessions").save(request.session, request);
}
