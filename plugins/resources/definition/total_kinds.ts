/** What the row below a list shows of a column. */
export const totalKinds = ["sum", "average", "min", "max", "count"] as const;
/** One of these. */
export type TotalKind = (typeof totalKinds)[number];
