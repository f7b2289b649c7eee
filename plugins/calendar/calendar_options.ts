import { describe } from "framewright/kernel";
import type { AnyRecord, AttributeName, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration, ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** How a list is shown as a calendar. */
export interface CalendarOptions<M extends AnyRecord = BaseModel> {
  /** The column of the day, or of the time: by default the only one there is, besides those of creation and update. */
  on?: AttributeName<M>;
  /** The column of the last day, or of the time at the end: a record is shown on each of its days. */
  to?: AttributeName<M>;
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The list is offered as a calendar beside its table: `this.calendar({ on: "due_on" })`. */
    calendar(options?: CalendarOptions<M>): void;
  }
}

/** A column of days or times. */
export interface DayColumn {
  readonly name: string;
  /** Whether it has times, and not days alone. */
  readonly isTimed: boolean;
}
/** A calendar of a resource. */
export interface Calendar {
  readonly on: DayColumn;
  /** Where records end; undefined where each has one day. */
  readonly to: DayColumn | undefined;
}

/** Module-level: found by a definition, and freed with it: what it declares of its calendar. */
const optionsByDefinition = new WeakMap<object, CalendarOptions>();
const known: readonly (keyof CalendarOptions)[] = ["on", "to"];
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
  if (!options || !model.settled) return;
  const { name } = definition.constructor;
  const columns = dayColumns(model);
  if (options.to !== undefined && !columns.includes(options.to))
    throw errors.FW_CALENDAR_COLUMN(name, options.to, columns);
  if (!calendarFrom(options, model)) throw errors.FW_CALENDAR_COLUMN(name, options.on, columns);
}

/** The calendar of a resource; undefined where it declares none. */
export const calendarOf = ({ definition, model }: Registration): Calendar | undefined => {
  const options = optionsByDefinition.get(definition);
  return options && calendarFrom(options, model);
};

function calendarFrom({ on, to }: CalendarOptions, model: ModelInfo): Calendar | undefined {
  const columns = dayColumns(model);
  const own = columns.filter((name) => !stamps.includes(name) && name !== to);
  const column = on ?? (own.length === 1 ? own[0] : undefined);
  if (column === undefined || !columns.includes(column)) return undefined;
  return { on: dayColumn(model, column), to: to === undefined ? undefined : dayColumn(model, to) };
}

const dayColumn = ({ columns }: ModelInfo, name: string): DayColumn => ({
  name,
  isTimed: columns.get(name)?.type === "datetime",
});

/** The columns of a model that have days or times. */
const dayColumns = ({ columns, encrypted }: ModelInfo): readonly string[] =>
  [...columns.values()]
    .filter(({ name, type }) => (type === "date" || type === "datetime") && !encrypted.has(name))
    .map(({ name }) => name);
