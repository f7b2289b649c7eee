import { type OpenChange, type Problem, ValidationError } from "framewright/plugins/database";
import { isAnyState } from "./any_state.ts";
import type { StateMachine } from "./state_machine.ts";

/** The columns are written by transitions alone, whoever writes. @throws ValidationError */
export function guardWrites(machine: StateMachine, change: OpenChange): void {
  const { column, initial } = machine;
  const { kind, record, before, model } = change;
  if (kind === "deleted" || change.isRestored || isAnyState()) return;
  const state = machine.of(record);
  const was = kind === "created" ? initial : machine.of(before!);
  if (state !== was) throw new ValidationError(model.constant, { [column]: [refusal(machine, was)] });
}

/** Reports by which transitions a state is left. */
export function refusal(machine: StateMachine, state: string | undefined): Problem {
  const ways = machine.from(state).map(({ name }) => name);
  const key = ways.length > 0 ? "states.only_by" : "states.stays";
  const message = ways.length > 0 ? `is changed by ${ways.join(", ")} alone` : `stays "${state}"`;
  return { key, vars: { ways: ways.join(", "), state: state ?? "" }, message };
}
