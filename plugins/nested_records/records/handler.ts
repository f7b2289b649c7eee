import { fieldLabel } from "framewright/plugins/resources";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";
import { isOwnButton } from "../paths.ts";
import { drawRecordRows } from "./draw.ts";
import { loadRows } from "./load.ts";
import { readRecordRows } from "./read.ts";
import { type RecordRows, type RowsOf, rowController, rowsOfRecord, withRows } from "./record_rows.ts";

/** Serves the rows of an association, each written by a controller of its own within the transaction of their record. */
export const recordRowsHandler = (rows: RecordRows): AttributeHandler =>
  withRows<AttributeHandler>(
    {
      plugin: "nested_records",
      load: (entries, controller) => loadRows(rows, entries, controller),
      isRedrawn: (form) => isOwnButton(form.controller, form.attribute),
      read: (form) => readRecordRows(rows, form),
      draw: (input) => drawRecordRows(rows, input),
      rows: (page, _, record) => (rows.isOne ? undefined : rowsInFiles(rowsOfRecord(page, rows, record))),
    },
    rows,
  );

function rowsInFiles(of: RowsOf) {
  const controller = rowController(of);
  const { registration } = of;
  const fields = of.rows.fields.map((name) => {
    const attribute = registration.attribute(name);
    return { label: fieldLabel(controller, registration, attribute, "input"), attribute };
  });
  return { controller, fields, areRecords: true };
}
