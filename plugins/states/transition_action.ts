import { humanize } from "framewright/host";
import { suggest } from "framewright/kernel";
import { ModelInfo, ValidationError } from "framewright/plugins/database";
import {
  type ActionOptions,
  type AnyInteractionAttributes,
  fail,
  Interaction,
  type InteractionClass,
  type ResourceDefinition,
  succeed,
} from "framewright/plugins/resources";
import type { TransitionHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import { type StateMachine, statesOf, type Transition, type TransitionInput } from "./state_machine.ts";
import { transition } from "./transition.ts";

/** The first of the buttons; those after it follow in the order of the table. */
const FIRST_POSITION = 30;

/** Adds the action of each transition to a definition; `selectsRows`: by default for rows of a list as well. @throws FW_STATES_FIELD */
export function addTransitions(
  definition: ResourceDefinition,
  model: ModelInfo,
  machine: StateMachine,
  { hooks, selectsRows }: { hooks: TransitionHooks; selectsRows: boolean },
): void {
  for (const [index, one] of [...machine.transitions.values()].entries())
    definition.action(one.name, {
      ...shownOf(one),
      interaction: interactionOf(one, attributesOf(definition, model, one), hooks),
      bulk: one.bulk ?? selectsRows,
      position: FIRST_POSITION + index,
      category: one.category ?? "secondary",
    });
}

function shownOf({ label, icon, description, confirmation }: Transition): ActionOptions {
  return {
    ...(label === undefined ? {} : { label }),
    ...(icon === undefined ? {} : { icon }),
    ...(description === undefined ? {} : { description }),
    ...(confirmation === undefined ? {} : { confirmation }),
  };
}

function interactionOf(
  { name, from }: Transition,
  attributes: AnyInteractionAttributes,
  { transitioned }: TransitionHooks,
): InteractionClass {
  class TransitionInteraction extends Interaction {
    static override attributes = attributes;
    #from: string | undefined;

    async execute() {
      const { record, transaction, values, currentUser } = this;
      this.#from = statesOf(record.constructor)?.of(record);
      try {
        const query = this.query.bind(this);
        return succeed(
          await transition(record, name, { transaction, values: columnsOf(this, values), currentUser, query }),
        );
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        const { request } = this.controller;
        const { base = [], ...fields } = error.problems;
        const said = (list: typeof base) => list.map(({ key, vars, message }) => request.tOr(key, message, vars));
        const texts = Object.entries(fields).map(([field, list]) => [field, said(list)] as const);
        return fail(Object.fromEntries(texts), said(base)[0]);
      }
    }
    override async afterCommit(): Promise<void> {
      if (!transitioned.isUsed()) return;
      const { record, controller, currentUser } = this;
      await transitioned.promise({ record, name, from: this.#from ?? from[0]!, controller, currentUser });
    }
  }
  Object.defineProperty(TransitionInteraction, "name", { value: humanize(name).replaceAll(" ", "") });
  return TransitionInteraction;
}

/** Associations are stored by their keys. */
function columnsOf({ record }: Interaction, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { associations } = ModelInfo.ofRecord(record);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [associations.get(name)?.key.column ?? name, value]),
  );
}

/** The inputs of a transition: as the definition enters the columns, with the model's rules. @throws FW_STATES_FIELD */
function attributesOf(
  { inputs }: ResourceDefinition,
  model: ModelInfo,
  { name, fields = [] }: Transition,
): AnyInteractionAttributes {
  const named: Readonly<Record<string, TransitionInput>> = Array.isArray(fields)
    ? Object.fromEntries((fields as readonly string[]).map((field) => [field, {}]))
    : (fields as Readonly<Record<string, TransitionInput>>);
  const { columns, associations, choices, class: cls } = model;
  const attributes: Record<string, AnyInteractionAttributes[string]> = {};
  for (const [field, own] of Object.entries(named)) {
    const column = columns.get(field);
    const { kind, key } = associations.get(field) ?? {};
    const isReference = kind === "belongsTo" && key?.column !== undefined;
    if (!column && !isReference && model.settled)
      throw errors.FW_STATES_FIELD(
        model.constant,
        name,
        field,
        suggest(field, [...columns.keys(), ...associations.keys()]),
      );
    const values = choices[field] ?? column?.values;
    const as = isReference ? "association" : values ? "select" : (column?.type ?? "string");
    const { uniqueness: _, custom: __, ...rules } = cls.validations[field] ?? {};
    const required = column !== undefined && !column.nullable && column.type !== "boolean";
    attributes[field] = {
      as,
      required,
      ...(values ? { choices: values } : {}),
      ...rules,
      ...inputs.get(field),
      ...own,
    };
  }
  return attributes;
}
