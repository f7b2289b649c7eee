import type { RowOwner, RunRow, StepResult, Visit } from "../../contract/index.ts";
import { kindOf } from "../../options.ts";
import type { EngineCore, RunContext, VisitContext } from "../context.ts";
import { findRow, identityDigests, openForVisit } from "../find.ts";
import { ensureGuestKey } from "../guest_key.ts";
import { requireOwner, scopeOf, stepContextOf, tokenDigests } from "../run_scope.ts";
import { cursorResult, doneResult, goneResult } from "../step_position.ts";

/** A person's runs of one wizard that were launched and never started; the next launch deletes the oldest of more. */
const MAX_UNSTARTED_RUNS = 20;
const MAX_ATTEMPTS = 5;

/** Finds the run of a visit, or creates one. */
export async function launch(core: EngineCore, visit: Visit): Promise<StepResult> {
  const context = { core, visit, scope: scopeOf(core.database, visit) };
  const { wizard } = visit.mount;
  if (!wizard.metadata.anonymous && !wizard.metadata.shared) requireOwner(visit, context.scope);
  if (kindOf(wizard) === "tokened") return launchTokened(context);
  const { session, request } = visit.controller;
  if (wizard.metadata.anonymous && !request.isSpeculative) {
    await core.guestLimiter.consume(request);
    ensureGuestKey(session);
  }
  const identities = identityDigests(context, undefined);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const row = identities && (await findRow(context, identities, (some) => core.store.byClaim(some)));
    const run = row && (await openForVisit(core, visit, row, identities[0]!));
    if (run?.state === "completed") return doneResult(run);
    if (run) return resume({ core, visit, run });
    const inserted = await insertRun(context, identities?.[0]);
    if (inserted) return inserted;
  }
  return goneResult;
}

/** The latest launch decides where cancel leads. */
async function resume({ core, visit, run }: RunContext): Promise<StepResult> {
  const { base, returnTo } = visit;
  const isNew = base !== run.row.base || (returnTo !== undefined && returnTo !== run.returnTo);
  if (isNew && !visit.controller.request.isSpeculative)
    await core.store.update(run.id, {}, { base, return_to: returnTo ?? run.returnTo ?? null });
  return cursorResult(run);
}

async function launchTokened(context: VisitContext): Promise<StepResult> {
  const { core, visit, scope } = context;
  const token = core.digests.token();
  const [identity = ""] = tokenDigests(core.digests, visit.mount.name, token);
  if (scope.owner && !visit.controller.request.isSpeculative) await evictUnstarted(core, visit, scope.owner);
  return (await insertRun(context, identity, token)) ?? goneResult;
}

/** The new run; undefined when another request inserted one under the same claim. HEAD and prefetch insert none. */
async function insertRun(
  context: VisitContext,
  identity: string | undefined,
  token?: string,
): Promise<StepResult | undefined> {
  const { core, visit } = context;
  const row = newRow(context, identity ?? "", token);
  const { isSpeculative } = visit.controller.request;
  const id = isSpeculative ? 0 : await core.store.insert(row);
  if (id === false) return undefined;
  const inserted = Object.assign({}, row, { id });
  if (!isSpeculative) await core.history.announce(inserted, [{ kind: "launched" }]);
  const opened = core.open(inserted, visit.mount.wizard, stepContextOf(visit));
  return opened && cursorResult(isSpeculative ? { ...opened.run, token: undefined } : opened.run);
}

export function newRow({ core, visit, scope }: VisitContext, identity: string, token: string | undefined): RunRow {
  const { wizard, name } = visit.mount;
  const { owner, anchor, scopeGid, portal } = scope;
  const now = new Date();
  const cursor = wizard.flow.visible({}, stepContextOf(visit))[0]?.key ?? wizard.flow.steps[0]!.key;
  const { schema } = wizard.flow;
  const content = { staged: {}, aside: {}, drafts: {}, visited: [cursor], reads: {}, persisted: [], schema, cursor };
  return Object.assign({}, blankRow, core.codec.columns(content, { identity, wizard }), {
    wizard: name,
    kind: kindOf(wizard),
    identity,
    claim: identity,
    token: token === undefined ? null : core.codec.sealToken(token, identity),
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
  });
}

const blankRow = {
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

/** Deletes the runs that a person launched and never started, except the latest. */
async function evictUnstarted(core: EngineCore, { mount }: Visit, owner: RowOwner): Promise<void> {
  await core.store.forget(await core.store.unbegun(owner, mount.name, MAX_UNSTARTED_RUNS - 1));
}
