import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_STATES_SHAPE: (column: string, what: string) => `states("${column}", …): ${what}.`,
  FW_STATES_NAME: (constant: string, name: string, column: string) =>
    `${constant} declares static ${name} = states("${column}", …), and states are looked for under one name. Call it static states.`,
  FW_STATES_COLUMN: (constant: string, column: string) =>
    `${constant} has states("${column}", …), which is no column of texts of its table. Name one, or add it by a migration: t.string("${column}").notNull().`,
  FW_STATES_FIELD: (constant: string, transition: string, field: string, suggestion: string | undefined) =>
    `${constant}: the transition "${transition}" asks for "${field}", which is neither a column nor a belongsTo of one column${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
  FW_STATES_NONE: (constant: string) =>
    `${constant} has no states: declare static states = states("status", { … }) of framewright/plugins/states.`,
  FW_STATES_TRANSITION: (constant: string, name: string, suggestion: string | undefined) =>
    `${constant} has no transition "${name}"${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
});
