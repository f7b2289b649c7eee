import type { ResourceController } from "framewright/plugins/resources";

/** Is called with each number of rows that was written to a file; what it throws ends the writing. */
export type RowsWritten = (count: number) => Promise<void>;

/** Module-level: found by the controller of one run, and freed with it. */
const listeners = new WeakMap<ResourceController, RowsWritten>();

export function onRowsWritten(controller: ResourceController, listener: RowsWritten): void {
  listeners.set(controller, listener);
}
export const rowsWrittenOf = (controller: ResourceController): RowsWritten | undefined => listeners.get(controller);
