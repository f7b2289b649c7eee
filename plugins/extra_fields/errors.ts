import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_COMBINED: (definition: string, name: string, given: string, wanted: string) =>
    `${definition} combines columns as "${name}" with ${given}. It takes ${wanted}, as in: this.combined("stay", { as: "period", columns: { from: "starts_on", to: "ends_on" } }).`,
});
