export { actionBar, actionButton } from "./actions.ts";
export { confirmation, conflict, details } from "./details.ts";
export { type Display, type DisplayOptions, type DisplayWords, displays, displayWords, type Tone } from "./displays.ts";
export { errorSummary, field, form } from "./form.ts";
export { type Input, inputs } from "./inputs.ts";
export { pager, pageWindow } from "./pager.ts";
export { emptyState, table } from "./table.ts";
export { filters, scopes } from "./toolbar.ts";
export type * from "./types.ts";
