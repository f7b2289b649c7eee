import { HttpError, type Params, type Reply, singularize, unprocessable } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { removeName } from "framewright/plugins/fields/toolkit";
import type { Attribute } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";

/** What a program may send beside what an address is about. */
const general = new Set(["authenticity_token", "_method", "return_to", "lock_version"]);

/**
 * Refuses a program's body with keys that mean nothing to an address which acts on what the body names: an unknown one may
 * have been intended to act on less. @throws HttpError 422 that names them
 */
export function refuseUnknownKeys({ request }: ResourceRequest, known: readonly string[]): void {
  if (request.format !== "json") return;
  const unknown = request.body.keys().filter((key) => !known.includes(key) && !general.has(key));
  if (unknown.length === 0) return;
  const fields = Object.fromEntries(unknown.map((key) => [key, ["is not known here"]]));
  throw unprocessable(
    `${unknown.join(", ")}: not known here. The body takes ${known.length > 0 ? known.join(", ") : "nothing"}; a list is narrowed by its address, as in ?filter[status]=draft.`,
    fields,
  );
}

/** Module-level: found by a controller, and freed with it. */
const ignored = new WeakMap<ResourceRequest, readonly string[]>();

/** What the person who sends it wants done with attributes that are not written: `Prefer: handling=strict` of RFC 7240. */
const handlingOf = ({ request }: ResourceRequest): string | undefined =>
  /(?:^|[,;\s])handling\s*=\s*"?(strict|lenient)"?(?=$|[,;\s])/i
    .exec(request.header("prefer") ?? "")?.[1]
    ?.toLowerCase();

/**
 * Remembers which attributes of a record a program sent that are unknown or not permitted: they are not written, and the
 * answer names them. @throws HttpError 422 that names them, where strict handling is preferred
 */
export function noteIgnored(
  controller: ResourceRequest,
  sent: Params,
  attributes: readonly Attribute[],
  record: BaseModel | undefined,
): void {
  const known = new Set(["lock_version", ...attributes.flatMap(namesOf)]);
  const isOwnId = (key: string) => key === "id" && String(sent.get("id")) === String(record && ModelInfo.keyOf(record));
  const names = sent.keys().filter((key) => !known.has(key) && !isOwnId(key));
  if (names.length > 0 && handlingOf(controller) === "strict") {
    const fields = Object.fromEntries(names.map((name) => [name, [controller.t("errors.not_taken")]]));
    throw new HttpError(422, "FW_INVALID", controller.t("resource.invalid"), {
      fields,
      headers: { "preference-applied": "handling=strict" },
    });
  }
  ignored.set(controller, names);
}

const namesOf = ({ name, association }: Attribute): string[] =>
  association?.kind === "hasMany" ? [name, `${singularize(name)}_ids`] : [name, removeName(name)];

/** Which attributes a program sent that are not written; undefined where all are. */
export function ignoredIn(controller: ResourceRequest): { ignored: readonly string[] } | undefined {
  const names = ignored.get(controller) ?? [];
  return names.length > 0 ? { ignored: names } : undefined;
}

/** The rest of an answer to what was written: which attributes were not, and the preference that was followed. */
export function withIgnored(
  controller: ResourceRequest,
  data: Record<string, unknown>,
  reply: (body: object) => Reply,
): Reply {
  const meta = ignoredIn(controller);
  const answer = reply(meta ? { data, meta } : { data });
  const handling = handlingOf(controller);
  if (handling !== undefined && ignored.has(controller)) answer.headers["preference-applied"] = `handling=${handling}`;
  return answer;
}
