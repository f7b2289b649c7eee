import {
  csrfInput,
  HttpError,
  humanize,
  isForeign,
  type ParamObject,
  type ParamValue,
  type Session,
} from "framewright/host";
import type { AuthlibBase } from "./base.ts";

const PURPOSE = "held form"; // of rows that are stored already
export const PENDING_FORMS_TABLE = "framewright_held_forms";
const LIFETIME_MS = 15 * 60_000;
const MAX_PAYLOAD_CHARS = 256 * 1024;
const SESSION_KEY = "held_forms";
const secretField =
  /passw|passphrase|secret|token|salt|^encrypted_|_encrypted$|(?:^|_)(?:hash|digest|pin|otp)$|_key$|^otp_|^(?:recovery_)?code$|^_method$/i;

/** A form that was being submitted when the session had ended. */
export interface PendingForm {
  /** The page of the form, where the browser sent a Referer. */
  page: string | undefined;
  /** The path and the method of the submission. */
  action: string;
  method: string;
  fields: ParamObject;
}

type Sender = Pick<AuthlibBase, "request" | "knex" | "type" | "session" | "ownerId">;

/** Stores a form, encrypted, for 15 minutes and for the same browser; without passwords and files. */
export async function keepPendingForm(authlib: Sender, page: string | undefined): Promise<void> {
  const { request, knex, type, session } = authlib;
  if (isForeign(request) || !/^(?:application\/x-www-form|multipart\/)/i.test(request.header("content-type") ?? ""))
    return;
  const ownerId = authlib.ownerId;
  if (ownerId === undefined || !request.carriesSession || !(await isWithinLimit(authlib))) return; // every page with a form starts a session
  await request.readBody();
  const body = request.body.toObject();
  const method = typeof body._method === "string" ? body._method.toUpperCase() : request.method;
  const pending: PendingForm = { page, action: request.path, method, fields: withoutSecrets(body) };
  const { digests } = type.services;
  const key = digests.token();
  const payload = type.services.sealer(PURPOSE).seal(JSON.stringify(pending), sealContext(type.name, key));
  if (payload.length > MAX_PAYLOAD_CHARS || Object.keys(pending.fields).length === 0) return;
  const now = new Date();
  await knex(PENDING_FORMS_TABLE).where("deadline", "<", now).delete();
  const row = {
    key_digest: digests.digest(key),
    account_type: type.name,
    account_id: ownerId,
    payload,
    deadline: new Date(now.getTime() + LIFETIME_MS),
  };
  await knex(PENDING_FORMS_TABLE).insert(row);
  session.setExpendable(SESSION_KEY, {
    ...((session.get(SESSION_KEY) ?? {}) as Record<string, string>),
    [type.name]: key,
  });
}

/** Binds a payload to its row and account type. */
const sealContext = (type: string, key: string): string => `${type} ${key}`;

/** Anonymous requests store rows here, so they are limited by address; beyond the limit the form is not stored. */
async function isWithinLimit({ type, request }: Sender): Promise<boolean> {
  try {
    await type.services.limits.consume("form", request.address, request.address);
    return true;
  } catch (refused) {
    if (refused instanceof HttpError) return false;
    throw refused;
  }
}

/** The pending form of the signed-in account; undefined where it belongs to another account or has expired. */
export async function findPendingForm(authlib: AuthlibBase): Promise<PendingForm | undefined> {
  const { session, type, account, knex } = authlib;
  const key = (session.get(SESSION_KEY) as Record<string, string> | undefined)?.[type.name];
  if (key === undefined || !account) return undefined;
  const { digests, database } = type.services;
  const query = knex(PENDING_FORMS_TABLE)
    .whereIn("key_digest", digests.all(key))
    .where("deadline", ">", new Date())
    .limit(1);
  const [row] = await database.rows(query);
  const isTheirs = row && Number(row.account_id) === account.id;
  const text = isTheirs
    ? type.services.sealer(PURPOSE).open(String(row.payload), sealContext(type.name, key))
    : undefined;
  if (text !== undefined) return JSON.parse(text) as PendingForm;
  discardPendingForm(authlib);
  return undefined;
}

export const hasPendingForm = ({ session, type }: AuthlibBase): boolean =>
  (session.get(SESSION_KEY) as Record<string, string> | undefined)?.[type.name] !== undefined;

/** Deletes a pending form, once it was shown. */
export function discardPendingForm({ session, type, knex }: AuthlibBase): void {
  const { [type.name]: key, ...others } = (session.get(SESSION_KEY) ?? {}) as Record<string, string>;
  if (key === undefined) return;
  if (Object.keys(others).length === 0) session.delete(SESSION_KEY);
  else session.setExpendable(SESSION_KEY, others);
  void knex(PENDING_FORMS_TABLE)
    .whereIn("key_digest", type.services.digests.all(key))
    .delete()
    .catch(() => undefined); // it expires by itself
}

/** Whether this browser has a pending form of any account type. */
export const hasPendingForms = (session: Session): boolean => session.get(SESSION_KEY) !== undefined;

/** Passes the typed values to the page of the form, in `request.typed`. */
export async function offerPendingForm(authlib: AuthlibBase): Promise<void> {
  const { request } = authlib;
  if (request.method !== "GET" || request.isSpeculative) return;
  const pending = await findPendingForm(authlib);
  if (pending?.page?.split("?", 1)[0] !== request.path) return;
  request.typed = {
    take: () => {
      discardPendingForm(authlib);
      return pending!.fields;
    },
  };
}

/** The locals of the page that shows the form's fields, with a link to the form's own page. */
export async function pendingFormLocals(authlib: AuthlibBase): Promise<Record<string, unknown>> {
  const pending = await findPendingForm(authlib);
  if (!pending) return { fields: [] };
  const { page, action, method } = pending;
  return {
    fields: [...flatten(pending.fields)],
    page,
    action,
    method,
    csrf: csrfInput(authlib.request, action, method),
  };
}
function* flatten(
  fields: ParamObject,
  prefix = "",
): Generator<{ name: string; label: string; value: string; rows: number }> {
  for (const [key, value] of Object.entries(fields)) {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    if (typeof value === "object" && value !== null) yield* flatten(value as ParamObject, name);
    else yield { name, label: humanize(key), value: String(value ?? ""), rows: String(value).length > 60 ? 6 : 1 };
  }
}

function withoutSecrets(fields: ParamObject): ParamObject {
  const kept = Object.entries(fields)
    .filter(([name]) => !secretField.test(name))
    .map(([name, value]) => [name, withoutFiles(value)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as ParamObject;
}
function withoutFiles(value: ParamValue): ParamValue | undefined {
  if (Array.isArray(value)) return value.map(withoutFiles).filter((one) => one !== undefined);
  if (typeof value !== "object" || value === null) return value;
  return "bytes" in value ? undefined : withoutSecrets(value as ParamObject);
}
