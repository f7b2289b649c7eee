import type { Move, RunOwner, RunRow, Visit } from "../../contract/index.ts";
import { kindOf } from "../../options.ts";
import type { Core } from "../context.ts";
import { identitiesOf, rowOf, seen } from "../find.ts";
import { makeGuest } from "../guest_key.ts";
import type { OpenRun } from "../run.ts";
import { type Bearings, bearingsOf, contextOf, personOf, tokenDigests } from "../run_scope.ts";
import { done, gone, toCursor } from "../step_position.ts";

/** A person's runs of one wizard that were launched and never begun; the oldest of more go at the next launch. */
const UNSTARTED = 20;
const ATTEMPTS = 5;

/** Finds the run of a visit, or makes one. */
export async function launch(core: Core, visit: Visit): Promise<Move> {
  const bearings = bearingsOf(core.database, visit);
  const { wizard } = visit.mount;
  if (!wizard.facts.anonymous && !wizard.facts.shared) personOf(visit, bearings);
  if (kindOf(wizard) === "tokened") return mint(core, visit, bearings);
  const { session, request } = visit.controller;
  if (wizard.facts.anonymous && !request.isSpeculative) {
    await core.strangers.take(request);
    makeGuest(session);
  }
  const identities = identitiesOf(core, visit, bearings, undefined);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = identities && (await rowOf(core, visit, bearings, identities, (some) => core.store.byClaim(some)));
    const run = row && (await seen(core, visit, row, identities[0]!));
    if (run?.state === "completed") return done(run);
    if (run) return resume(core, visit, run);
    const made = await insert(core, visit, bearings, identities?.[0]);
    if (made) return made;
  }
  return gone;
}

/** The way out is the one of the latest launch. */
async function resume(core: Core, visit: Visit, run: OpenRun): Promise<Move> {
  const { base, returnTo } = visit;
  const isNew = base !== run.row.base || (returnTo !== undefined && returnTo !== run.returnTo);
  if (isNew && !visit.controller.request.isSpeculative)
    await core.store.update(run.id, {}, { base, return_to: returnTo ?? run.returnTo ?? null });
  return toCursor(run);
}

async function mint(core: Core, visit: Visit, bearings: Bearings): Promise<Move> {
  const token = core.digests.token();
  const [identity = ""] = tokenDigests(core.digests, visit.mount.name, token);
  if (bearings.owner && !visit.controller.request.isSpeculative) await evict(core, visit, bearings.owner);
  return (await insert(core, visit, bearings, identity, token)) ?? gone;
}

/** The new run; undefined when another request made one under the same claim. What only looks makes none. */
async function insert(
  core: Core,
  visit: Visit,
  bearings: Bearings,
  identity: string | undefined,
  token?: string,
): Promise<Move | undefined> {
  const row = newRow(core, visit, bearings, identity ?? "", token);
  const { isSpeculative } = visit.controller.request;
  const id = isSpeculative ? 0 : await core.store.insert(row);
  if (id === false) return undefined;
  const made = { ...row, id };
  if (!isSpeculative) await core.trail.announce(made, [{ kind: "launched" }]);
  const opened = core.open(made, visit.mount.wizard, contextOf(visit));
  return opened && toCursor(isSpeculative ? { ...opened.run, token: undefined } : opened.run);
}

export function newRow(
  core: Core,
  visit: Visit,
  bearings: Bearings,
  identity: string,
  token: string | undefined,
): RunRow {
  const { wizard, name } = visit.mount;
  const { owner, anchor, scopeGid, portal } = bearings;
  const now = new Date();
  const cursor = wizard.flow.visible({}, contextOf(visit))[0]?.key ?? wizard.flow.steps[0]!.key;
  const content = { staged: {}, drafts: {}, visited: [cursor], persisted: [], schema: wizard.flow.schema, cursor };
  return {
    ...blank,
    ...core.texts.columns(content, { identity, wizard }),
    wizard: name,
    kind: kindOf(wizard),
    identity,
    claim: identity,
    token: token === undefined ? null : core.texts.sealToken(token, identity),
    owner_type: owner?.type ?? null,
    owner_id: owner?.id ?? null,
    anchor_type: anchor?.type ?? null,
    anchor_id: anchor?.id ?? null,
    scope_gid: scopeGid ?? null,
    portal: portal ?? null,
    base: visit.base,
    return_to: visit.returnTo ?? null,
    expires_at: core.expiry(wizard, now),
    created_at: now,
    updated_at: now,
  };
}

const blank = {
  state: "in_progress",
  cursor: "",
  visited: "[]",
  data: null,
  drafts: null,
  persisted: null,
  schema_map: "{}",
  outcome: null,
  attempt: null,
  completing_at: null,
  version: 0,
  started_at: null,
  completed_at: null,
} as const;

/** Takes away what a person launched and never began, but for the latest. */
async function evict(core: Core, { mount }: Visit, owner: RunOwner): Promise<void> {
  await core.store.forget(await core.store.unbegun(owner, mount.name, UNSTARTED - 1));
}
