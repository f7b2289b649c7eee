import type { BaseController } from "framewright/host";
import type { Run, RunFilter, RunRow, Visit } from "../contract/index.ts";
import { kindOf } from "../options.ts";
import type { Core } from "./context.ts";
import { guestKey } from "./guest_key.ts";
import type { OpenRun } from "./run.ts";
import {
  type Bearings,
  bearingsOf,
  contextOf,
  formerDigests,
  guestDigests,
  isTheirs,
  keyDigests,
  ownerOf,
  tokenDigests,
} from "./run_scope.ts";
import { recovered } from "./upkeep/recover.ts";

/** The digests that the run of a visit may be stored under, the current secret's first; undefined when it names none. */
export function identitiesOf(
  core: Core,
  visit: Visit,
  bearings: Bearings,
  token: string | undefined,
): readonly string[] | undefined {
  const { mount, controller } = visit;
  const kind = kindOf(mount.wizard);
  if ((kind === "tokened") !== (token !== undefined)) return undefined;
  if (token !== undefined) return tokenDigests(core.digests, mount.name, token);
  if (kind === "keyed") return keyDigests(core, visit, bearings);
  const guest = guestKey(controller.session);
  return guest === undefined ? undefined : guestDigests(core.digests, mount.name, bearings, guest);
}

/** The run that a URL names, or that one of its runs which has an id: an ended one too, and never somebody else's. */
export async function find(
  core: Core,
  visit: Visit,
  token: string | undefined,
  id?: number,
): Promise<OpenRun | undefined> {
  const bearings = bearingsOf(core.database, visit);
  const identities = identitiesOf(core, visit, bearings, token);
  if (!identities) return undefined;
  const row = await rowOf(core, visit, bearings, identities, async (some) => {
    const found = await (id === undefined ? core.store.latest(some) : core.store.byId(id));
    return found && some.includes(found.identity) ? found : undefined;
  });
  return row && seen(core, visit, row, identities[0]!);
}

/** Reads the row of a visit's run under its identities, else under those that keyed runs had before; never somebody else's. */
export async function rowOf(
  core: Core,
  visit: Visit,
  bearings: Bearings,
  identities: readonly string[],
  read: (identities: readonly string[]) => Promise<RunRow | undefined>,
): Promise<RunRow | undefined> {
  const { wizard, name } = visit.mount;
  const found = await read(identities);
  const row = found ?? (kindOf(wizard) === "keyed" ? await read(formerDigests(core, visit, bearings)) : undefined);
  return row?.wizard === name && isTheirs(row, wizard, bearings) ? row : undefined;
}

/** A row as it is on sight: put back when it was left behind, under the current secret, and on today's steps. */
export async function seen(core: Core, visit: Visit, row: RunRow, identity: string): Promise<OpenRun | undefined> {
  const { controller, mount } = visit;
  const kept = controller.request.isSpeculative ? row : await tended(core, row, identity, controller);
  return kept && core.open(kept, mount.wizard, contextOf(visit))?.run;
}
export async function tended(
  core: Core,
  row: RunRow,
  identity: string,
  by: BaseController,
): Promise<RunRow | undefined> {
  const kept = await recovered(core, row, by);
  return kept && kept.identity !== identity ? rebound(core, kept, identity) : kept;
}

/** After the secret was changed: what was stored under the former one is stored under the new one. */
async function rebound(core: Core, row: RunRow, identity: string): Promise<RunRow | undefined> {
  if (!core.texts.open(row)) return row;
  const change = { ...core.texts.rebound(row, identity), version: row.version + 1 };
  const held = { version: row.version };
  return (await core.store.update(row.id!, held, change)) ? { ...row, ...change } : core.store.byId(row.id!);
}

/** A person's open runs, the latest first. */
export async function openRuns(core: Core, controller: BaseController, filter: RunFilter): Promise<readonly Run[]> {
  const owner = ownerOf(controller);
  if (!owner) return [];
  const rows = await core.store.open(owner, filter);
  const isHere = ({ portal, scope_gid }: RunRow) =>
    portal === (filter.portal ?? null) && scope_gid === (filter.scopeGid ?? null);
  return rows
    .filter(isHere)
    .map((row) => core.texts.open(row))
    .filter((run) => run !== undefined);
}
