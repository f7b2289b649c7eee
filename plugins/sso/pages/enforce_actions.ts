import { domainToUnicode } from "node:url";
import { type BaseController, forbidden, type Reply } from "framewright/host";
import type { AuthlibBase } from "framewright/plugins/authlib";
import type { Transaction } from "framewright/plugins/database";
import { columnOf } from "framewright/plugins/memberships";
import type { Connection } from "../contract.ts";
import { back, type PageParts, type Place, requirePlace } from "./place.ts";

const BATCH = 500;

/** `POST /_sso/enforcement`: members of the proven domains sign in by the provider alone, and what they signed in with otherwise ends. */
export async function enforce(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  if (!place.mayEnforce) throw forbidden();
  const connection = await place.connections.find(place.tenantId);
  const problem = await problemOf(place, connection);
  if (problem || !connection) return back(controller, place, "error", `problems.${problem ?? "no_provider"}`);
  await place.type.services.database.transaction(async (transaction) => {
    await place.connections.setEnforced(connection, true, transaction);
    await endOthers(place, connection, transaction);
  });
  await place.authlib.emitEvent("company_sign_in_changed", { what: "enforced", tenant: place.tenantId });
  return back(controller, place, "success", "done.enforced");
}

/** `DELETE /_sso/enforcement`. */
export async function release(parts: PageParts, controller: BaseController): Promise<Reply> {
  const place = requirePlace(parts, controller);
  if (!place.mayEnforce) throw forbidden();
  const connection = await place.connections.find(place.tenantId);
  if (connection) {
    const { database } = place.type.services;
    await database.transaction((transaction) => place.connections.setEnforced(connection, false, transaction));
    await place.authlib.emitEvent("company_sign_in_changed", { what: "released", tenant: place.tenantId });
  }
  return back(controller, place, "success", "done.released");
}

/** Why it can't be required now: a key below `sso.problems`. Whoever requires it needs a way back in. */
async function problemOf(place: Place, connection: Connection | undefined): Promise<string | undefined> {
  if (!connection) return "no_provider";
  if ((await place.domains.provenNames(place.tenantId)).length === 0) return "no_domain";
  if (connection.used_at === null) return "not_used";
  const { authlib } = place;
  if (!(await authlib.hasPassword(authlib.account!)) && !(await hasPasskey(authlib))) return "no_password";
  const offered = await authlib.listFactors();
  return offered.length > 0 && offered.every(({ count }) => count === 0) ? "no_factor" : undefined;
}
const hasPasskey = async (authlib: AuthlibBase): Promise<boolean> =>
  (await authlib.listFactors()).some(({ name, count }) => name === "webauthn" && count > 0);

/** Ends the sign-ins, devices and links of members whose address is in the domains, but for those by the provider; owners' stay. */
async function endOthers({ type, shape, domains, tenantId }: Place, { id }: Connection, transaction: Transaction) {
  const names = await domains.provenNames(tenantId, transaction);
  const { model, user, entity, roles } = shape;
  const accounts = type.model.table;
  const login = `${accounts}.${type.class.loginColumn}`;
  const ids = (await transaction(model.table)
    .join(accounts, `${accounts}.id`, `${model.table}.${columnOf(user)}`)
    .where({ [`${model.table}.${columnOf(entity)}`]: tenantId })
    .whereNot(`${model.table}.role`, roles[0]!)
    .where((either) => {
      for (const name of new Set(names.flatMap((one) => [one, domainToUnicode(one)])))
        void either.orWhere(login, "like", `%@${name}`);
    })
    .pluck(`${accounts}.id`)) as number[];
  const tables = [...type.features.values()].flatMap(({ credentials }) => credentials);
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = ids.slice(at, at + BATCH);
    const ofProvider = transaction(type.table("sso_sessions")).where({ connection_id: id }).select("sign_in_id");
    const signIns = transaction(type.table("active_session_keys")).whereIn("account_id", some);
    await signIns.whereNotIn("id", ofProvider).delete();
    for (const table of tables) await transaction(type.table(table)).whereIn("account_id", some).delete();
  }
}
