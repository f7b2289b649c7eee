// What the parts of this plugin know of each other: types alone.
export type * from "./faces/runs.ts";
export type * from "./faces/steps.ts";
export type * from "./faces/store.ts";
export type * from "./faces/visits.ts";
