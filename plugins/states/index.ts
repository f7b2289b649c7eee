import { notFound } from "framewright/host";
import { AsyncSeriesHook, definePlugin, type Plugin, stage } from "framewright/kernel";
import type { ModelClass, ModelInfo } from "framewright/plugins/database";
import type {} from "framewright/plugins/openapi";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { TransitionHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { examineStates } from "./examine.ts";
import { guardWrites } from "./guard_writes.ts";
import { hideTransitions } from "./hide_transitions.ts";
import { stateField } from "./state_field.ts";
import { StateMachine, type StatesOptions, statesOf, type TransitionTable } from "./state_machine.ts";
import { addTransitions } from "./transition_action.ts";

export { anyState } from "./any_state.ts";
export type { Transitioned, TransitionHooks } from "./contract.ts";
export {
  type GuardContext,
  StateMachine,
  type StatesOptions,
  statesOf,
  type Transition,
  type TransitionInput,
  type TransitionOptions,
  type TransitionTable,
} from "./state_machine.ts";
export { type TransitionCall, transition } from "./transition.ts";

/** The plugin: states of records, and the transitions between them. */
export function states(): Plugin;
/**
 * Declares the states of a model's records, and what leads from one to the next. The column is a string of the model's table,
 * which transitions alone write; a new record begins in the first state.
 * @example
 * static states = states("status", {
 *   draft: { submit: "submitted" },
 *   submitted: {
 *     approve: { to: "approved", if: (permit: Permit) => permit.fee_paid || "The fee is not paid." },
 *     reject: { to: "rejected", fields: ["reason"] },
 *   },
 *   approved: {},
 *   rejected: { submit: "submitted" },
 * });
 * @throws FW_STATES_SHAPE
 */
export function states<const T extends { [S in keyof T]: TransitionTable<keyof T & string> }>(
  column: string,
  table: T,
  options?: StatesOptions,
): StateMachine<keyof T & string>;
export function states(column?: string, table: object = {}, options: StatesOptions = {}): Plugin | StateMachine {
  return column === undefined ? plugin() : new StateMachine(column, table as never, options);
}

/** Lists have a tab for each state of so many at most, unless it is requested. */
const MAX_TABS = 6;

function plugin(): Plugin {
  return definePlugin({
    name: "states",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "states",
    hooks: (): TransitionHooks => ({ transitioned: new AsyncSeriesHook(["event"]) }),
    apply({ services: { database, host }, hooks, tap }) {
      hooks.host.loaded.tap({ name: "states", stage: stage.early }, ({ constants }) => {
        for (const { name, value } of constants.all("models")) {
          if (typeof value !== "function") continue;
          checkName(name, value);
          const machine = statesOf(value);
          if (machine) prepareModel(value as unknown as ModelClass, machine);
        }
      });
      hooks.database.changing.for(StateMachine as never).tap("states", (change) => {
        const machine = statesOf(change.model.class);
        if (machine) guardWrites(machine, change);
      });
      hooks.resources.define.tap("states", (definition, { model }) => {
        const machine = statesOf(model.class);
        if (!machine) return;
        checkColumn(model, machine);
        definition.handle(machine.column, stateField(machine));
        definition.display(machine.column as never, { as: "enum", ...tonesOf(machine) });
        addTransitions(definition, model, machine, {
          hooks: hooks.states,
          selectsRows: host.kernel.has("bulk_actions"),
        });
        const { tabs = machine.names.length <= MAX_TABS } = machine.options;
        for (const state of tabs ? machine.names : [])
          if (!definition.scopes.has(state))
            definition.scope(state, { apply: (query) => query.where(`${model.table}.${machine.column}`, state) });
      });
      hooks.resources.place.tap("states", ({ about, member, draw }) => {
        const machine = statesOf(about.registration.model.class);
        if (!machine) return;
        const run = (controller: ResourceRequest) => {
          if (!machine.transitions.has(controller.request.routeParams.action_key ?? "")) throw notFound();
          return controller.runRecordAction();
        };
        draw("POST", `${member}/transitions/:action_key`, { action: run, policy: "(by action)" });
      });
      tap(hooks.resources.actions, hideTransitions);
      hooks.openapi?.schema.tap("states", ({ direction, attribute, registration }) => {
        const machine = registration && statesOf(registration.model.class);
        return direction !== "read" && machine && machine.column === attribute?.name ? false : undefined;
      });
      hooks.host.examine.tapPromise(
        "states",
        async (findings) => void findings.push(...(await examineStates(database))),
      );
    },
  });
}

const tonesOf = ({ options: { tones } }: StateMachine) => (tones ? { tones } : {});

/** The states are the values of the column, and the first one its default. */
function prepareModel(cls: ModelClass, { column, names, initial }: StateMachine): void {
  cls.enums = { ...cls.enums, [column]: names };
  cls.defaults = { [column]: initial, ...cls.defaults };
}

/** @throws FW_STATES_NAME for states that nothing would act on */
function checkName(constant: string, model: object): void {
  for (const [name, value] of Object.entries(model))
    if (value instanceof StateMachine && name !== "states") throw errors.FW_STATES_NAME(constant, name, value.column);
}

/** @throws FW_STATES_COLUMN */
function checkColumn(model: ModelInfo, { column }: StateMachine): void {
  const type = model.columns.get(column)?.type;
  if (model.settled && type !== "string" && type !== "text") throw errors.FW_STATES_COLUMN(model.constant, column);
}
