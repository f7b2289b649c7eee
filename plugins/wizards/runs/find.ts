import type { BaseController } from "framewright/host";
import type { Run, RunFilter, RunRow, Visit } from "../contract/index.ts";
import { kindOf } from "../options.ts";
import type { EngineCore, VisitContext } from "./context.ts";
import { guestKey } from "./guest_key.ts";
import type { StoredRun } from "./run.ts";
import {
  belongsToScope,
  guestDigests,
  keyDigests,
  legacyKeyDigests,
  ownerOf,
  scopeOf,
  stepContextOf,
  tokenDigests,
} from "./run_scope.ts";
import { recoverAbandoned } from "./upkeep/recover.ts";

/** The digests that the run of a visit may be stored under, the current secret's first; undefined when the URL or session names no run. */
export function identityDigests(
  { core, visit, scope }: VisitContext,
  token: string | undefined,
): readonly string[] | undefined {
  const { mount, controller } = visit;
  const kind = kindOf(mount.wizard);
  if ((kind === "tokened") !== (token !== undefined)) return undefined;
  if (token !== undefined) return tokenDigests(core.digests, mount.name, token);
  if (kind === "keyed") return keyDigests(core, visit, scope);
  const guest = guestKey(controller.session);
  return guest === undefined ? undefined : guestDigests(core.digests, mount.name, scope, guest);
}

/** The run at a URL, or the one of its runs with this id; an ended run too, but never another person's. */
export async function find(
  core: EngineCore,
  visit: Visit,
  token: string | undefined,
  id?: number,
): Promise<StoredRun | undefined> {
  const context = { core, visit, scope: scopeOf(core.database, visit) };
  const identities = identityDigests(context, token);
  if (!identities) return undefined;
  const row = await findRow(context, identities, async (some) => {
    const found = await (id === undefined ? core.store.latest(some) : core.store.byId(id));
    return found && some.includes(found.identity) ? found : undefined;
  });
  return row && openForVisit(core, visit, row, identities[0]!);
}

/** The run of the visit's mount with this id that the person launched, whatever its token or key; else the one of the visit's key. */
export async function findOwn(core: EngineCore, visit: Visit, id: number): Promise<StoredRun | undefined> {
  const { name } = visit.mount;
  const scope = scopeOf(core.database, visit);
  const row = scope.owner && (await core.store.byId(id));
  const isOwn = row?.wizard === name && row.kind !== "guest" && belongsToScope(row, launchedByOne, scope);
  return isOwn ? openForVisit(core, visit, row, row.identity) : find(core, visit, undefined, id);
}
const launchedByOne = { metadata: { shared: false } };

/** Reads the row of a visit's run under its identities, else under the legacy digests of keyed runs; never another person's. */
export async function findRow(
  { core, visit, scope }: VisitContext,
  identities: readonly string[],
  read: (identities: readonly string[]) => Promise<RunRow | undefined>,
): Promise<RunRow | undefined> {
  const { wizard, name } = visit.mount;
  const found = await read(identities);
  const row = found ?? (kindOf(wizard) === "keyed" ? await read(legacyKeyDigests(core, visit, scope)) : undefined);
  return row?.wizard === name && belongsToScope(row, wizard, scope) ? row : undefined;
}

/** Opens a row for a request: recovers an abandoned completion, rekeys the row after a secret rotation, migrates it to the current steps. */
export async function openForVisit(
  core: EngineCore,
  visit: Visit,
  row: RunRow,
  identity: string,
): Promise<StoredRun | undefined> {
  const { controller, mount } = visit;
  const current = controller.request.isSpeculative ? row : await recoverAndRekey(core, row, identity, controller);
  return current && core.open(current, mount.wizard, stepContextOf(visit))?.run;
}
export async function recoverAndRekey(
  core: EngineCore,
  row: RunRow,
  identity: string,
  by: BaseController,
): Promise<RunRow | undefined> {
  const current = await recoverAbandoned(core, row, by);
  return current && current.identity !== identity ? rekeyed(core, current, identity) : current;
}

/** After a secret rotation: stores the row under the digest and seal of the current secret. */
async function rekeyed(core: EngineCore, row: RunRow, identity: string): Promise<RunRow | undefined> {
  if (!core.codec.open(row)) return row;
  const change = { ...core.codec.rekeyedColumns(row, identity), version: row.version + 1 };
  const expected = { version: row.version };
  return (await core.store.update(row.id!, expected, change)) ? { ...row, ...change } : core.store.byId(row.id!);
}

/** A person's open runs, the latest first. */
export async function listOpenRuns(
  core: EngineCore,
  controller: BaseController,
  filter: RunFilter,
): Promise<readonly Run[]> {
  const owner = ownerOf(controller);
  if (!owner) return [];
  const rows = await core.store.open(owner, filter);
  const { portal = null, scopeGid = null, anchor } = filter;
  const isHere = (row: RunRow) =>
    row.portal === portal &&
    row.scope_gid === scopeGid &&
    (!anchor || (row.anchor_type === anchor.type && row.anchor_id === anchor.id));
  return rows
    .filter(isHere)
    .map((row) => core.codec.open(row))
    .filter((run) => run !== undefined);
}
