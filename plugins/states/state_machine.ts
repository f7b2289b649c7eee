import { describe, suggest } from "framewright/kernel";
import type { BaseModel, Query, Rules, Transaction } from "framewright/plugins/database";
import type { FieldOptions, InputOptions } from "framewright/plugins/fields";
import type { WithTexts } from "framewright/plugins/fields/rows";
import { isBuiltInPredicate } from "framewright/plugins/resources/names";
import { errors } from "./errors.ts";

/** What a guard is looked up with. */
export interface GuardContext {
  /** Of the account of the request; undefined in code without one. */
  readonly currentUser: unknown;
  /** A query of a model, within the tenant where there is one. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
  readonly transaction: Transaction | undefined;
}

/** An input of a transition, for a column or an association of the record. */
export type TransitionInput = WithTexts<InputOptions> & Omit<Rules, "uniqueness">;

/** A transition that is more than where it leads. */
export interface TransitionOptions<State extends string = string> {
  to: State;
  /** Whether it applies to a record; a text, or the key of one, explains why it does not. `facts` is what `prepare` returned. */
  if?(record: BaseModel, facts: never): boolean | string;
  /** Looks up what `if` needs, once for all records of a page. */
  prepare?(records: readonly BaseModel[], context: GuardContext): unknown;
  /** Its inputs: columns of the record, which it writes with the state: `["reason"]`, or each with options. */
  fields?: readonly string[] | Readonly<Record<string, TransitionInput>>;
  label?: string;
  /** A name of @tabler/icons. */
  icon?: string;
  /** A sentence above its form, or in the question before it. */
  description?: string;
  category?: "primary" | "secondary" | "danger";
  /** The question before it is done. */
  confirmation?: string | boolean;
  /** Whether rows of a list can be selected for it; by default where `bulkActions()` is listed. */
  bulk?: boolean;
}

/** How states are shown. */
export interface StatesOptions {
  /** `{ approved: "success" }`; without one a state is grey. */
  tones?: NonNullable<FieldOptions["tones"]>;
  /** Whether lists have a tab for each state: by default of up to six. */
  tabs?: boolean;
}

/** A transition of a table: where it begins, where it leads. */
export interface Transition extends Omit<TransitionOptions, "to"> {
  readonly name: string;
  readonly from: readonly string[];
  /** Where it leads from a state; undefined from one that it does not leave. */
  to(state: string): string | undefined;
  optionsOf(state: string): TransitionOptions | undefined;
}

/** What leads from a state: the state that each transition leads to, or its options. */
export type TransitionTable<State extends string = string> = Readonly<Record<string, State | TransitionOptions<State>>>;
const optionNames: readonly (keyof TransitionOptions)[] = [
  ...(["to", "if", "prepare", "fields", "label", "icon", "description", "category", "confirmation", "bulk"] as const),
];

/** The states of a model's records, and the transitions between them. */
export class StateMachine<State extends string = string> {
  /** Changes of the models that declare one are heard by this class. */
  static readonly isDeclaredByModels = true;
  readonly column: string;
  /** In the order in which they were declared; a new record begins in the first. */
  readonly names: readonly State[];
  readonly transitions: ReadonlyMap<string, Transition>;
  readonly options: StatesOptions;
  /** Without the plugin nothing acts on it: the boot names the line that is missing. */
  readonly neededPlugin = { slot: "states", line: "states()", module: "framewright/plugins/states" };
  /** Generated tests send nothing for it. */
  readonly fills: string;

  /** @throws FW_STATES_SHAPE */
  constructor(column: string, table: Readonly<Record<State, TransitionTable<State>>>, options: StatesOptions) {
    this.column = column;
    this.fills = column;
    this.names = Object.keys(table) as State[];
    this.options = options;
    if (this.names.length === 0) throw errors.FW_STATES_SHAPE(column, "it has no state");
    this.transitions = transitionsOf(column, table);
  }

  get initial(): State {
    return this.names[0]!;
  }
  has(state: unknown): state is State {
    return (this.names as readonly unknown[]).includes(state);
  }
  /** The state of a record. */
  of(record: object): State | undefined {
    return ((record as Record<string, unknown>)[this.column] ?? undefined) as State | undefined;
  }
  /** The transitions that leave a state. */
  from(state: unknown): Transition[] {
    return [...this.transitions.values()].filter((one) => one.from.includes(state as string));
  }
}

/** One transition for each name, whichever states it leaves. */
function transitionsOf(column: string, table: Readonly<Record<string, TransitionTable>>): Map<string, Transition> {
  const found = new Map<string, Map<string, TransitionOptions>>();
  for (const [state, leaving] of Object.entries(table))
    for (const [name, given] of Object.entries(leaving)) {
      const options = typeof given === "string" ? { to: given } : given;
      check(column, { state, name }, options, Object.keys(table));
      found.set(name, (found.get(name) ?? new Map<string, TransitionOptions>()).set(state, options));
    }
  return new Map([...found].map(([name, byState]) => [name, transitionOf(name, byState)]));
}

/** What people see of it is set by the first state that sets it. */
function transitionOf(name: string, byState: ReadonlyMap<string, TransitionOptions>): Transition {
  const shown = Object.assign({}, ...[...byState.values()].reverse()) as TransitionOptions;
  const { to: _to, if: _if, prepare: _prepare, ...rest } = shown;
  return {
    ...rest,
    name,
    from: [...byState.keys()],
    to: (state) => byState.get(state)?.to,
    optionsOf: (state) => byState.get(state),
  };
}

/** @throws FW_STATES_SHAPE */
function check(
  column: string,
  { state, name }: { state: string; name: string },
  options: TransitionOptions,
  states: readonly string[],
): void {
  const refuse = (what: string) => errors.FW_STATES_SHAPE(column, `"${name}" of "${state}" ${what}`);
  if (typeof options !== "object" || options === null) throw refuse(`is ${describe(options)}`);
  const unknown = Object.keys(options).find((key) => !(optionNames as readonly string[]).includes(key));
  if (unknown !== undefined) throw refuse(`has the option "${unknown}"${meant(unknown, optionNames)}`);
  if (!states.includes(options.to))
    throw refuse(`leads to "${options.to}", which is no state${meant(options.to, states)}`);
  if (isBuiltInPredicate(name)) throw refuse("is called as an action or a predicate that resources have");
  if (!/^[a-z][a-z\d_]*$/.test(name)) throw refuse("is no name of small letters, digits and underscores");
}
const meant = (name: string, known: readonly string[]): string => {
  const other = suggest(name, known);
  return other === undefined ? "" : ` (did you mean "${other}"?)`;
};

/** The states that a class of models declares. */
export function statesOf(model: object): StateMachine | undefined {
  const declared = (model as { states?: unknown }).states;
  return declared instanceof StateMachine ? (declared as StateMachine) : undefined;
}
