import type { ResourceController } from "framewright/plugins/resources";

/** Is told of each number of rows that was written to a file; what it throws ends the writing. */
export type RowsWritten = (count: number) => Promise<void>;

const listeners = new WeakMap<ResourceController, RowsWritten>();

export function onRowsWritten(controller: ResourceController, listener: RowsWritten): void {
  listeners.set(controller, listener);
}
export const rowsWrittenOf = (controller: ResourceController): RowsWritten | undefined => listeners.get(controller);
