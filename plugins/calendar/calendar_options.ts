import { describe } from "framewright/kernel";
import type { AnyRecord, AttributeName, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration, ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** How a list is shown as a calendar. */
export interface CalendarOptions<M extends AnyRecord = BaseModel> {
  /** The column of the day, or of the time: by default the only one there is, besides those of creation and update. */
  on?: AttributeName<M>;
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list is offered as a calendar beside its table: `this.calendar({ on: "due_on" })`. */
    calendar(options?: CalendarOptions<M>): void;
  }
}

/** A calendar of a resource. */
export interface Calendar {
  readonly on: string;
  /** Whether its column has times, and not days alone. */
  readonly isTimed: boolean;
}

/** Module-level: found by a definition, and freed with it: what it declares of its calendar. */
const optionsByDefinition = new WeakMap<object, CalendarOptions>();
const known: readonly (keyof CalendarOptions)[] = ["on"];
const stamps: readonly string[] = ["created_at", "updated_at"];

/** The macro `calendar` of one definition. @throws FW_CALENDAR_SHAPE */
export const calendarMacro =
  (definition: ResourceDefinition) =>
  (options: CalendarOptions = {}): void => {
    const refuse = (what: string) => errors.FW_CALENDAR_SHAPE(definition.constructor.name, what);
    if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
    const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
    if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
    optionsByDefinition.set(definition, options);
  };

/** @throws FW_CALENDAR_COLUMN for a declaration that the model does not fit */
export function checkCalendar(definition: ResourceDefinition, model: ModelInfo): void {
  const options = optionsByDefinition.get(definition);
  if (!options || !model.settled || calendarFrom(options, model)) return;
  throw errors.FW_CALENDAR_COLUMN(definition.constructor.name, options.on, dayColumns(model));
}

/** The calendar of a resource; undefined where it declares none. */
export const calendarOf = ({ definition, model }: Registration): Calendar | undefined => {
  const options = optionsByDefinition.get(definition);
  return options && calendarFrom(options, model);
};

function calendarFrom({ on }: CalendarOptions, model: ModelInfo): Calendar | undefined {
  const columns = dayColumns(model);
  const own = columns.filter((name) => !stamps.includes(name));
  const column = on ?? (own.length === 1 ? own[0] : undefined);
  if (column === undefined || !columns.includes(column)) return undefined;
  return { on: column, isTimed: model.columns.get(column)!.type === "datetime" };
}

/** The columns of a model that have days or times. */
const dayColumns = ({ columns, encrypted }: ModelInfo): readonly string[] =>
  [...columns.values()]
    .filter(({ name, type }) => (type === "date" || type === "datetime") && !encrypted.has(name))
    .map(({ name }) => name);
