import { type ColumnType, minorDigits } from "framewright/plugins/database";
import { coerceColumn, coerceMoney } from "../coerce.ts";
import { showMoney, showNumber } from "../components/displays.ts";
import { box, moneyInput, numberInput } from "../components/inputs.ts";
import { byColumn, standard } from "./by_column.ts";
import { defineFieldType } from "./define.ts";

const number = (type: Exclude<ColumnType, "binary">) => ({
  ...{ ...standard, ...byColumn(type), column: { type }, display: showNumber, numeric: true },
});

/** Numbers, and amounts of money. */
export const numberTypes = {
  integer: defineFieldType({ ...number("integer"), input: box("number", { step: 1, inputmode: "numeric" }) }),
  bigint: defineFieldType({ ...number("bigint"), input: box("text", { inputmode: "numeric" }) }),
  decimal: defineFieldType({ ...number("decimal"), input: numberInput() }),
  float: defineFieldType({ ...number("float"), input: box("number", { step: "any" }) }),
  money: defineFieldType({
    ...number("integer"),
    read: (given, { column, currency }) =>
      column ? coerceColumn(given, column) : coerceMoney(given, minorDigits(currency)),
    input: moneyInput,
    display: showMoney,
  }),
};
