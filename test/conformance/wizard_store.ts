// What every filler of the slot "wizardStore" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import type { WizardStore } from "framewright/plugins/wizards";

type RunRow = NonNullable<Awaited<ReturnType<WizardStore["byId"]>>>;

export interface WizardStoreCheck {
  sentence: string;
  /** With a filler whose storage is there and empty. */
  check(store: WizardStore): Promise<void>;
}

let made = 0;
/** A row as the engine makes it. */
function row(changes: Partial<RunRow> = {}): RunRow {
  const identity = (++made).toString(16).padStart(64, "0");
  const now = new Date(1_800_000_000_123);
  return {
    wizard: "OnboardWizard",
    kind: "keyed",
    state: "in_progress",
    identity,
    claim: identity,
    token: null,
    owner_type: "user",
    owner_id: "1",
    anchor_type: null,
    anchor_id: null,
    scope_gid: null,
    portal: null,
    base: "/onboard",
    cursor: "company",
    visited: '["company"]',
    data: '{"company":{"name":"Ünïcode 🎉"}}',
    drafts: null,
    persisted: null,
    schema_map: "{}",
    return_to: null,
    outcome: null,
    attempt: null,
    completing_at: null,
    version: 0,
    started_at: null,
    expires_at: null,
    created_at: now,
    updated_at: now,
    completed_at: null,
    ...changes,
  };
}
async function insert(store: WizardStore, changes: Partial<RunRow> = {}): Promise<RunRow & { id: number }> {
  const given = row(changes);
  const id = await store.insert(given);
  assert.ok(id !== false);
  return { ...given, id };
}
const ids = (rows: readonly RunRow[]) => rows.map(({ id }) => id);
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000);

export const wizardStoreConformance: readonly WizardStoreCheck[] = [
  {
    sentence: "A run is read back as it was inserted, with instants to the millisecond and null values",
    async check(store) {
      const given = await insert(store, { started_at: at(1.234), token: "sealed" });
      const found = await store.byId(given.id);
      assert.deepEqual({ ...found }, given);
      assert.equal(await store.byId(given.id + 1), undefined);
    },
  },
  {
    sentence: "One of 20 concurrent inserts with the same claim succeeds, and runs without a claim are not limited",
    async check(store) {
      const claim = "a".repeat(64);
      const made = await Promise.all(Array.from({ length: 20 }, () => store.insert(row({ identity: claim, claim }))));
      assert.equal(made.filter((id) => id !== false).length, 1);
      assert.equal(
        (await store.byClaim(["b".repeat(64), claim]))?.id,
        made.find((id) => id !== false),
      );
      assert.equal(await store.byClaim(["b".repeat(64)]), undefined);
      await insert(store, { claim: null, identity: claim });
      const last = await insert(store, { claim: null, identity: claim });
      assert.equal((await store.latest([claim]))?.id, last.id, "the latest under an identity, with a claim or without");
    },
  },
  {
    sentence: "A claim is free again after an update has removed it from its run",
    async check(store) {
      const first = await insert(store);
      assert.equal(await store.insert(row({ identity: first.identity, claim: first.claim })), false);
      assert.ok(await store.update(first.id, { version: 0 }, { claim: null, version: 1 }));
      assert.ok(await store.insert(row({ identity: first.identity, claim: first.claim })));
    },
  },
  {
    sentence: "One of ten concurrent updates of the same version of a run succeeds",
    async check(store) {
      const { id } = await insert(store);
      const tries = Array.from({ length: 10 }, (_, index) =>
        store.update(id, { version: 0 }, { version: 1, cursor: `step_${index}` }),
      );
      assert.equal((await Promise.all(tries)).filter(Boolean).length, 1);
      assert.equal(await store.update(id, { version: 1, attempt: "another" }, { version: 2 }), false);
      assert.ok(await store.update(id, { version: 1, attempt: null }, { version: 2, completing_at: at(5) }));
      assert.deepEqual((await store.byId(id))?.completing_at, at(5));
    },
  },
  {
    sentence: "Concurrent work on a locked run is serialized, and sees the changes of the work before it",
    async check(store) {
      const { id } = await insert(store);
      const count = () =>
        store.locked(id, async (found, transaction) => {
          assert.ok(found);
          const version = found.version + 1;
          assert.ok(await store.update(id, { version: found.version }, { version }, transaction));
          return version;
        });
      const versions = await Promise.all(Array.from({ length: 8 }, count));
      assert.deepEqual(
        versions.sort((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      assert.equal(await store.locked(id + 1, async (found) => found), undefined);
    },
  },
  {
    sentence: "The changes and events of work on a locked run are rolled back when the work fails",
    async check(store) {
      const { id, wizard } = await insert(store);
      const event = {
        run_id: id,
        wizard,
        kind: "submitted",
        step: null,
        actor_type: null,
        actor_id: null,
        detail: null,
        at: at(1),
      };
      const failing = store.locked(id, async (_, transaction) => {
        await store.update(id, { version: 0 }, { version: 1 }, transaction);
        await store.record(event, transaction);
        throw new Error("no");
      });
      await assert.rejects(failing, /no/);
      assert.equal((await store.byId(id))?.version, 0);
      assert.deepEqual(await store.trail(id), []);
      await store.locked(id, async (_, transaction) => assert.ok(await store.delete(id, transaction)));
      assert.equal(await store.delete(id), false);
    },
  },
  {
    sentence: "The open runs of an owner are listed by wizard, portal, tenant and record, the latest first",
    async check(store) {
      const begun = { started_at: at(1) };
      const one = await insert(store, begun);
      const import_ = { wizard: "ImportWizard", portal: "AdminPortal", scope_gid: "Organization/3" };
      const two = await insert(store, { ...begun, ...import_ });
      const three = await insert(store, { ...begun, wizard: "TourWizard", anchor_type: "Post", anchor_id: "7" });
      const busy = await insert(store, { ...begun, state: "completing", completing_at: at(1) });
      await insert(store);
      await insert(store, { ...begun, state: "completed", claim: null });
      await insert(store, { ...begun, owner_id: "2" });
      await insert(store, { ...begun, owner_type: "admin" });
      const owner = { type: "user", id: "1" };
      assert.deepEqual(ids(await store.open(owner, {})).sort(), [one.id, two.id, three.id, busy.id].sort());
      assert.deepEqual(
        ids(await store.open(owner, {})).filter((id) => id !== busy.id),
        [three.id, two.id, one.id],
      );
      assert.deepEqual(ids(await store.open(owner, { anchor: { type: "Post", id: "7" } })), [three.id]);
      assert.deepEqual(await store.open(owner, { anchor: { type: "Page", id: "7" } }), []);
      assert.deepEqual(await store.open(owner, { wizard: "ImportWizard", anchor: { type: "Post", id: "7" } }), []);
      assert.deepEqual(ids(await store.open(owner, { wizard: "ImportWizard" })), [two.id]);
      assert.equal((await store.open(owner, { wizard: one.wizard, limit: 1 }))[0]?.id, one.id);
      assert.deepEqual(ids(await store.open(owner, { portal: "AdminPortal", scopeGid: "Organization/3" })), [two.id]);
      assert.deepEqual(await store.open(owner, { portal: "AdminPortal", scopeGid: "Organization/4" }), []);
    },
  },
  {
    sentence: "The tokened runs that an owner has launched and never started are listed, except for the latest",
    async check(store) {
      const tokened = { kind: "tokened" } as const;
      const old = await insert(store, tokened);
      const older = await insert(store, tokened);
      await insert(store, tokened);
      await insert(store, { ...tokened, started_at: at(1) });
      await insert(store, { ...tokened, owner_id: "2" });
      await insert(store, { ...tokened, wizard: "ImportWizard" });
      await insert(store);
      const owner = { type: "user", id: "1" };
      assert.deepEqual(await store.unbegun(owner, old.wizard, 1), [older.id, old.id]);
      assert.deepEqual(await store.unbegun(owner, old.wizard, 3), []);
    },
  },
  {
    sentence: "Forgetting runs removes those that were never started, and no others",
    async check(store) {
      const one = await insert(store);
      const begun = await insert(store, { started_at: at(1) });
      const ended = await insert(store, { state: "completed" });
      assert.equal(await store.forget([one.id, begun.id, ended.id]), 1);
      assert.equal(await store.byId(one.id), undefined);
      assert.ok((await store.byId(begun.id)) && (await store.byId(ended.id)));
      assert.equal(await store.forget([]), 0);
    },
  },
  {
    sentence: "Runs are found by more than a thousand claims at once, and a free claim finds none",
    async check(store) {
      const one = await insert(store);
      const two = await insert(store);
      const many = Array.from({ length: 1200 }, (_, at) => at.toString(16).padStart(64, "e"));
      const found = await store.byClaims([one.claim!, ...many, two.claim!]);
      assert.deepEqual(ids(found).sort(), [one.id, two.id].sort());
      assert.deepEqual(await store.byClaims([]), []);
    },
  },
  {
    sentence: "Due runs are listed by the kind of their deadline, the oldest first and up to a limit",
    async check(store) {
      const late = await insert(store, { created_at: at(2), expires_at: at(20), started_at: null });
      const early = await insert(store, { created_at: at(1), expires_at: at(30), started_at: null });
      const begun = await insert(store, { created_at: at(1), expires_at: at(10), started_at: at(1) });
      const stale = await insert(store, { state: "completing", completing_at: at(1), started_at: at(1) });
      const done = await insert(store, { state: "completed", claim: null, expires_at: at(1), started_at: at(1) });
      await insert(store, { state: "completed", expires_at: null, started_at: at(1) });
      assert.deepEqual(ids(await store.due("unstarted", at(3), 10)), [early.id, late.id]);
      assert.deepEqual(ids(await store.due("unstarted", at(3), 1)), [early.id]);
      assert.deepEqual(ids(await store.due("unstarted", at(1), 10)), []);
      assert.deepEqual(ids(await store.due("expired", at(25), 10)), [begun.id, late.id]);
      assert.deepEqual(ids(await store.due("stale", at(2), 10)), [stale.id]);
      assert.deepEqual(ids(await store.due("completed", at(2), 10)), [done.id]);
    },
  },
  {
    sentence: "The events of a run are listed in their order, and old events are removed in batches",
    async check(store) {
      const event = (kind: string, seconds: number, runId = 7) => ({
        run_id: runId,
        wizard: "OnboardWizard",
        kind,
        step: "company",
        actor_type: "user",
        actor_id: "1",
        detail: '{"a":1}',
        at: at(seconds),
      });
      for (const [index, kind] of ["launched", "submitted", "completed"].entries())
        await store.record(event(kind, index));
      await store.record(event("launched", 0, 8));
      assert.deepEqual(
        (await store.trail(7)).map(({ kind }) => kind),
        ["launched", "submitted", "completed"],
      );
      const { id, ...first } = (await store.trail(7))[0]!;
      assert.deepEqual(first, event("launched", 0));
      assert.ok(id !== undefined);
      assert.equal(await store.sweepEvents(at(1.5), 2), 2);
      assert.equal(await store.sweepEvents(at(1.5), 2), 1);
      assert.equal(await store.sweepEvents(at(1.5), 2), 0);
      assert.deepEqual(
        (await store.trail(7)).map(({ kind }) => kind),
        ["completed"],
      );
    },
  },
  {
    sentence: "A lease has one holder at a time, and goes to another after it has expired",
    async check(store) {
      const soon = () => new Date(Date.now() + 60_000);
      const taken = await Promise.all(["a", "b", "c"].map((holder) => store.lease("sweep", holder, soon())));
      assert.equal(taken.filter(Boolean).length, 1);
      const holder = ["a", "b", "c"][taken.indexOf(true)]!;
      assert.ok(await store.lease("sweep", holder, soon()), "its holder may prolong it");
      assert.equal(await store.lease("sweep", "d", soon()), false);
      assert.ok(await store.lease("other", "d", soon()));
      assert.ok(await store.lease("sweep", holder, new Date(Date.now() - 1)));
      assert.ok(await store.lease("sweep", "d", soon()));
    },
  },
];
