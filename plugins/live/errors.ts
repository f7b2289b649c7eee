import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_LIVE_OPTION: (definition: string, given: string) =>
    `${definition}.live(…) is given ${given}. Write this.live(false), so that nobody follows its records.`,
});
