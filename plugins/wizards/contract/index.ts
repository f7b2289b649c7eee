// What the parts of this plugin know of each other: types alone.
export type * from "./runs.ts";
export type * from "./steps.ts";
export type * from "./store.ts";
export type * from "./visits.ts";
