import { addToOrigin } from "framewright/host";
import { suggest } from "framewright/kernel";
import { type BaseModel, ModelInfo, type Query, type Transaction, ValidationError } from "framewright/plugins/database";
import { isTextKey } from "framewright/plugins/fields/toolkit";
import { anyState } from "./any_state.ts";
import { errors } from "./errors.ts";
import { refusal } from "./guard_writes.ts";
import {
  type GuardContext,
  type StateMachine,
  statesOf,
  type Transition,
  type TransitionOptions,
} from "./state_machine.ts";

/** How a record is taken through a transition in code. */
export interface TransitionCall {
  /** What is written is committed or undone with it. */
  readonly transaction: Transaction;
  /** What is written with the state: `{ reason: "…" }`. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly currentUser?: unknown;
  /** Queries of guards; by default of all tenants. */
  query?<M extends BaseModel>(model: { new (): M }): Query<M>;
}

/**
 * Takes a record through a transition, as its action does: it is locked, and its state and the guard are looked at again, so that
 * of two at once one wins. Resolves with the record as it is now.
 * @example await transition(permit, "approve", { transaction });
 * @throws ValidationError where it does not apply, FW_STATES_TRANSITION, FW_STATES_NONE
 */
export async function transition<R extends BaseModel>(record: R, name: string, call: TransitionCall): Promise<R> {
  const info = ModelInfo.ofRecord(record);
  const { machine, found } = transitionOf(info, name);
  addToOrigin({ means: "transition" });
  const { transaction, values = {} } = call;
  const query = info.key.where(info.class.query(transaction), ModelInfo.keyOf(record)!);
  const current = (await query.forUpdate().first()) as unknown as R | undefined;
  const state = current && machine.of(current);
  const to = state === undefined ? undefined : found.to(state);
  if (!current || to === undefined) throw new ValidationError(info.constant, { base: [notNow(machine, state)] });
  const [why] = await refusals(machine, found, [current], contextOf(call));
  if (why !== true) {
    const key = why ? (isTextKey(why) ? why : "states.guarded") : "states.not_now";
    const problem = { key, vars: { why: why || "" }, message: why || "does not apply now" };
    throw new ValidationError(info.constant, { base: [problem] });
  }
  const changed = { ...values, [machine.column]: to };
  await anyState(() => current.$query(transaction).patch(changed as never));
  return current;
}

/** @throws FW_STATES_NONE, FW_STATES_TRANSITION */
function transitionOf({ class: cls, constant }: ModelInfo, name: string): { machine: StateMachine; found: Transition } {
  const machine = statesOf(cls);
  if (!machine) throw errors.FW_STATES_NONE(constant);
  const found = machine.transitions.get(name);
  if (!found) throw errors.FW_STATES_TRANSITION(constant, name, suggest(name, [...machine.transitions.keys()]));
  return { machine, found };
}

const notNow = (machine: StateMachine, state: string | undefined) => {
  const { vars } = refusal(machine, state);
  return { key: "states.wrong_state", vars, message: `does not apply to one that is ${state}` };
};

function contextOf({ currentUser, query, transaction }: TransitionCall): GuardContext {
  const all = <M extends BaseModel>(model: { new (): M }) =>
    ModelInfo.of(model).class.query(transaction) as unknown as Query<M>;
  return { currentUser, transaction, query: query ?? all };
}

/**
 * Why a transition does not apply to each of the records, true where it does: a text, or nothing more than that. Records of other
 * states have none. Each guard is called for all records at once.
 */
export async function refusals(
  machine: StateMachine,
  { optionsOf }: Transition,
  records: readonly BaseModel[],
  context: GuardContext,
): Promise<(true | string)[]> {
  const answers: (true | string)[] = records.map(() => "");
  const byOptions = new Map<TransitionOptions, number[]>();
  for (const [index, record] of records.entries()) {
    const options = optionsOf(machine.of(record) ?? "");
    if (options) byOptions.set(options, [...(byOptions.get(options) ?? []), index]);
  }
  for (const [options, indexes] of byOptions) {
    const facts = await options.prepare?.(
      indexes.map((index) => records[index]!),
      context,
    );
    for (const index of indexes) {
      const answer = options.if ? options.if(records[index]!, facts as never) : true;
      answers[index] = answer === true ? true : answer || "";
    }
  }
  return answers;
}
