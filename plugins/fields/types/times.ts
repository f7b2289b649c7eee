import { dateTag, timeTag } from "framewright/plugins/views";
import { showTime } from "../components/displays.ts";
import { dateFilter } from "../components/filter_inputs.ts";
import { box, dateInput, datetimeInput } from "../components/inputs.ts";
import { byColumn, standard } from "./by_column.ts";
import { defineFieldType } from "./define.ts";

const dayOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10);

/** Days, instants and times of a day. */
export const timeTypes = {
  date: defineFieldType({
    ...standard,
    ...byColumn("date"),
    column: { type: "date" },
    input: dateInput,
    display: (value, { words }) => dateTag(value, words.locale),
    text: dayOf,
    filter: { input: dateFilter, onlyNamed: true },
  }),
  datetime: defineFieldType({
    ...standard,
    ...byColumn("datetime"),
    column: { type: "datetime" },
    input: datetimeInput,
    display: (value, { timeZone, words }) => timeTag(value, timeZone, words.locale),
    readsStored: true,
    parse: (stored) => (typeof stored === "string" ? new Date(stored) : null),
  }),
  time: defineFieldType({
    ...standard,
    ...byColumn("time"),
    column: { type: "time" },
    input: box("time", { step: "any" }),
    display: showTime,
  }),
};
