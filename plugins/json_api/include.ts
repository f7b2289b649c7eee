import type {} from "framewright/plugins/api_keys";
import type { Policy, ResourceRequest } from "framewright/plugins/resources";
import { allows } from "framewright/plugins/resources";
import type { Entry } from "framewright/plugins/resources/toolkit";
import type { JsonRow } from "./answer.ts";
import { type IncludeLimits, type IncludeTree, quoted, refuseInclude } from "./include_tree.ts";
import { type IncludePlace, placeOf } from "./place.ts";
import { readMany } from "./read_many.ts";
import { readOne } from "./read_one.ts";

/** A record that others are included with: its entry, and its JSON, which gets them. */
export interface Owner {
  readonly entry: Entry;
  readonly row: JsonRow;
  /** The attributes that the person may read of it. */
  readonly names: readonly string[];
}
/** What records are included with. */
export interface IncludeSource {
  /** A controller of the owners' resource. */
  readonly source: ResourceRequest;
  /** The attributes of a list without rows. */
  readonly names: readonly string[];
  readonly limits: IncludeLimits;
  /** The path that led here, as `comments.`. */
  readonly path: string;
}

/**
 * Reads the associations of all owners at once, each by its own resource's policy, and puts them into `included` of their JSON.
 * @throws HttpError 422 for one that there is not here, or that the person may not read; 403 for an API key without the scope for it
 */
export async function include(of: IncludeSource, owners: readonly Owner[], tree: IncludeTree): Promise<void> {
  for (const [name, within] of tree) {
    const path = of.path + name;
    const place = placeOf(of.source, name);
    if (!place || !isReadable(place, of, owners))
      throw refuseInclude(`names ${quoted(path)}, which can't be included here`);
    requireScope(of.source, place);
    const isMany = place.association.kind === "hasMany";
    if (isMany && of.path !== "")
      throw refuseInclude(`names ${quoted(path)}: within an association, only those to one record are included`);
    const readable = owners.filter((owner) => mayRead(place, owner));
    const { reader, found } = await (isMany ? readMany : readOne)(of, place, readable);
    if (readable.length > 0 && found.every((one) => one === undefined))
      throw refuseInclude(`names ${quoted(path)}, which can't be included here`);
    const at = new Map(readable.map((owner, index) => [owner, found[index]]));
    for (const owner of owners) {
      owner.row.included ??= {};
      (owner.row.included as JsonRow)[name] = at.get(owner)?.json ?? null;
    }
    if (within.size === 0) continue;
    const next = found.flatMap((one) => one?.owners ?? []);
    await include({ ...of, source: reader, names: next[0]?.names ?? [], path: `${path}.` }, next, within);
  }
}

/** An API key opens what its scopes name: what is included as what is requested. @throws HttpError 403 */
function requireScope({ request }: ResourceRequest, { about: { registration } }: IncludePlace): void {
  const { kernel } = request;
  if (kernel.has("api_keys")) kernel.service("api_keys").requireRead(request, registration.path);
}

/** Whether the association can be read of any owner: what a record belongs to by the attributes that its policy permits. */
function isReadable(place: IncludePlace, { source, names, path }: IncludeSource, owners: readonly Owner[]): boolean {
  if (place.association.kind !== "hasMany" && !mayShowAny(source, place)) return false;
  if (owners.length === 0) return path !== "" || isNamed(place, names);
  return owners.some((owner) => mayRead(place, owner));
}

/** Whether the policy may allow to show a record there; one that decides by the record is checked for each. */
function mayShowAny(source: ResourceRequest, { about, association }: IncludePlace): boolean {
  let isOfRecord = false;
  const unknown = {
    get record() {
      isOfRecord = true;
      return undefined;
    },
  };
  const { policyClass } = about.registration;
  try {
    return (
      allows(source.resources.policyOn(source, policyClass, unknown as never, undefined, association), "show") ||
      isOfRecord
    );
  } catch {
    return true;
  }
}

function mayRead(place: IncludePlace, { entry, names }: Owner): boolean {
  if (place.association.kind === "belongsTo") return isNamed(place, names);
  const policy: Policy = entry.policy();
  return allows(policy, "show"); // nobody gets below a record that they don't see
}

function isNamed({ association }: IncludePlace, names: readonly string[]): boolean {
  if (association.kind !== "belongsTo") return true;
  const { columns } = association.key;
  return names.includes(association.name) || columns.every((column) => names.includes(column));
}
