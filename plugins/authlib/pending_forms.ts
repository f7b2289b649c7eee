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

const PURPOSE = "held form";
export const TABLE = "framewright_held_forms";
const LIFETIME = 15 * 60_000;
const LARGEST = 256 * 1024;
const place = "held_forms";
const secret =
  /passw|passphrase|secret|token|salt|^encrypted_|_encrypted$|(?:^|_)(?:hash|digest|pin|otp)$|_key$|^otp_|^(?:recovery_)?code$|^_method$/i;

/** A form that was being sent when its sender turned out to be signed out. */
export interface HeldForm {
  /** The page that the form stood on, when the browser said so. */
  page: string | undefined;
  /** Where it was being sent, by which verb. */
  action: string;
  method: string;
  fields: ParamObject;
}

/** Whose request it is. */
type Sender = Pick<AuthlibBase, "request" | "knex" | "type" | "session" | "ownerId">;

/** Keeps a form for a quarter of an hour, sealed, for the same browser; no passwords, no files. */
export async function holdForm(authlib: Sender, page: string | undefined): Promise<void> {
  const { request, knex, type, session } = authlib;
  if (isForeign(request) || !/^(?:application\/x-www-form|multipart\/)/i.test(request.header("content-type") ?? ""))
    return;
  const whose = authlib.ownerId;
  if (whose === undefined || !request.carriesSession || !(await mayHold(authlib))) return; // a page that held a form gave a session along
  await request.readBody();
  const body = request.body.toObject();
  const method = typeof body._method === "string" ? body._method.toUpperCase() : request.method;
  const held: HeldForm = { page, action: request.path, method, fields: harmless(body) };
  const { digests } = type.services;
  const key = digests.token();
  const payload = type.services.sealer(PURPOSE).seal(JSON.stringify(held), boundTo(type.name, key));
  if (payload.length > LARGEST || Object.keys(held.fields).length === 0) return;
  const now = new Date();
  await knex(TABLE).where("deadline", "<", now).delete();
  const row = {
    key_digest: digests.digest(key),
    account_type: type.name,
    account_id: whose,
    payload,
    deadline: new Date(now.getTime() + LIFETIME),
  };
  await knex(TABLE).insert(row);
  session.setExpendable(place, { ...((session.get(place) ?? {}) as Record<string, string>), [type.name]: key });
}

/** A payload opens in the row that it was sealed for, and for its account type. */
const boundTo = (type: string, key: string): string => `${type} ${key}`;

/** Strangers cause rows by this: so many from one address, and the rest are only sent to the login. */
async function mayHold({ type, request }: Sender): Promise<boolean> {
  try {
    await type.services.limits.take("form", request.address, request.address);
    return true;
  } catch (refused) {
    if (refused instanceof HttpError) return false;
    throw refused;
  }
}

/** The form that is kept for the person who is signed in now; undefined when it is somebody else's, or too old. */
export async function heldForm(authlib: AuthlibBase): Promise<HeldForm | undefined> {
  const { session, type, account, knex } = authlib;
  const key = (session.get(place) as Record<string, string> | undefined)?.[type.name];
  if (key === undefined || !account) return undefined;
  const { digests, database } = type.services;
  const query = knex(TABLE).whereIn("key_digest", digests.all(key)).where("deadline", ">", new Date()).limit(1);
  const [row] = await database.rows(query);
  const isTheirs = row && Number(row.account_id) === account.id;
  const text = isTheirs ? type.services.sealer(PURPOSE).open(String(row.payload), boundTo(type.name, key)) : undefined;
  if (text !== undefined) return JSON.parse(text) as HeldForm;
  forgetForm(authlib);
  return undefined;
}

export const holdsForm = ({ session, type }: AuthlibBase): boolean =>
  (session.get(place) as Record<string, string> | undefined)?.[type.name] !== undefined;

/** The form was shown: it is kept no longer. */
export function forgetForm({ session, type, knex }: AuthlibBase): void {
  const { [type.name]: key, ...others } = (session.get(place) ?? {}) as Record<string, string>;
  if (key === undefined) return;
  if (Object.keys(others).length === 0) session.delete(place);
  else session.setExpendable(place, others);
  void knex(TABLE)
    .whereIn("key_digest", type.services.digests.all(key))
    .delete()
    .catch(() => undefined); // it runs out by itself
}

/** Whether a form is kept for anybody in this browser. */
export const holdsForms = (session: Session): boolean => session.get(place) !== undefined;

/** Offers the page that is being served what was typed into its form. */
export async function offerForm(authlib: AuthlibBase): Promise<void> {
  const { request } = authlib;
  if (request.method !== "GET" || request.isSpeculative) return;
  const held = await heldForm(authlib);
  if (held?.page?.split("?", 1)[0] !== request.path) return;
  request.typed = {
    take: () => {
      forgetForm(authlib);
      return held!.fields;
    },
  };
}

/** What the page shows that has the form's fields to look over; the form's own page is offered as well. */
export async function heldFormLocals(authlib: AuthlibBase): Promise<Record<string, unknown>> {
  const held = await heldForm(authlib);
  if (!held) return { fields: [] };
  const { page, action, method } = held;
  return { fields: [...flatten(held.fields)], page, action, method, csrf: csrfInput(authlib.request, action, method) };
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

function harmless(fields: ParamObject): ParamObject {
  const kept = Object.entries(fields)
    .filter(([name]) => !secret.test(name))
    .map(([name, value]) => [name, harmlessValue(value)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as ParamObject;
}
function harmlessValue(value: ParamValue): ParamValue | undefined {
  if (Array.isArray(value)) return value.map(harmlessValue).filter((one) => one !== undefined);
  if (typeof value !== "object" || value === null) return value;
  return "bytes" in value ? undefined : harmless(value as ParamObject);
}
