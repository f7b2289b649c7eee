import { describe, suggest } from "framewright/kernel";
import { type CardOptions, checkNames, checkShape } from "framewright/plugins/cards";
import type { AnyRecord, AttributeName, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration, ResourceDefinition } from "framewright/plugins/resources";
import { type StateMachine, statesOf } from "framewright/plugins/states";
import { errors } from "./errors.ts";

/** How a list is shown as a board. */
export interface BoardOptions<M extends AnyRecord = BaseModel> {
  /** The column whose values are the columns of the board: by default that of `static states`, else the only one with choices. */
  by?: AttributeName<M>;
  card?: CardOptions<M>;
  /** How many cards a column is intended to have at most, by its value. It is shown, and refuses nothing. */
  limits?: Readonly<Record<string, number>>;
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list is offered as a board beside its table: `this.board({ by: "status", limits: { doing: 3 } })`; `false` for none. */
    board(options?: BoardOptions<M> | false): void;
  }
}

/** A board, as its definition or its model has it. */
export interface Board {
  readonly by: string;
  readonly values: readonly string[];
  /** Whether a record may be in none of them. */
  readonly hasNone: boolean;
  /** By which a card is moved, where `by` is the column of states. */
  readonly machine: StateMachine | undefined;
  readonly card: CardOptions;
  readonly limits: Readonly<Record<string, number>>;
}

/** Module-level: found by a definition, and freed with it: what it declares of its board. */
const optionsByDefinition = new WeakMap<object, BoardOptions | false>();
const known: readonly (keyof BoardOptions)[] = ["by", "card", "limits"];
/** A column with more values is no board unless it is declared. */
const MAX_DERIVED = 8;

/** The macro `board` of one definition. @throws FW_BOARD_SHAPE */
export const boardMacro =
  (definition: ResourceDefinition) =>
  (options: BoardOptions | false = {}): void => {
    const refuse = (what: string) => errors.FW_BOARD_SHAPE(definition.constructor.name, what);
    if (options !== false) {
      if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
      const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
      if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
      checkShape(options.card ?? {}, (what) => refuse(`has a card that ${what}`));
      const wrong = Object.values(options.limits ?? {}).find((limit) => !Number.isInteger(limit) || limit < 1);
      if (wrong !== undefined) throw refuse(`has the limit ${describe(wrong)}, and limits are whole numbers from 1`);
    }
    optionsByDefinition.set(definition, options);
  };

/** @throws FW_BOARD_COLUMN, FW_BOARD_LIMIT, FW_CARD_NAME for a declaration that the model does not fit */
export function checkBoard(definition: ResourceDefinition, model: ModelInfo): void {
  const options = optionsByDefinition.get(definition);
  if (!options || !model.settled) return;
  const { name } = definition.constructor;
  const board = boardFrom(options, model);
  if (!board) throw errors.FW_BOARD_COLUMN(name, options.by, choiceColumns(model));
  const foreign = Object.keys(board.limits).find((value) => !board.values.includes(value));
  if (foreign !== undefined) throw errors.FW_BOARD_LIMIT(name, board.by, foreign, suggest(foreign, board.values));
  checkNames(board.card, definition, model, `${name}.board(…)`);
}

/** The board of a resource; undefined where it has none. */
export const boardOf = (registration: Registration): Board | undefined =>
  registration.once("board", () => {
    const options = optionsByDefinition.get(registration.definition);
    return { found: options === false ? undefined : boardFrom(options, registration.model) };
  }).found;

/** By what is declared; without a declaration, by the states or the only column of few values. */
function boardFrom(options: BoardOptions | undefined, model: ModelInfo): Board | undefined {
  const machine = statesOf(model.class);
  const columns = choiceColumns(model);
  const few = columns.filter((name) => valuesOf(model, name).length > 1 && valuesOf(model, name).length <= MAX_DERIVED);
  const derived = machine?.column ?? (options ? columns : few);
  const by = options?.by ?? (typeof derived === "string" ? derived : derived.length === 1 ? derived[0] : undefined);
  const values = by === undefined ? [] : by === machine?.column ? machine.names : valuesOf(model, by);
  if (by === undefined || values.length === 0 || !model.columns.has(by)) return undefined;
  return {
    ...{ by, values, hasNone: model.columns.get(by)!.nullable && by !== machine?.column },
    machine: by === machine?.column ? machine : undefined,
    card: options?.card ?? {},
    limits: options?.limits ?? {},
  };
}

const valuesOf = (model: ModelInfo, name: string): readonly string[] =>
  model.choices[name] ?? model.columns.get(name)?.values ?? [];

/** The columns of a model that have choices. */
const choiceColumns = (model: ModelInfo): readonly string[] =>
  [...model.columns.keys()].filter((name) => valuesOf(model, name).length > 0 && !model.encrypted.has(name));
