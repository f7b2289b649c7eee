import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_NAVIGATION_SHAPE: (definition: string, what: string) =>
    `${definition}.navigation(…) ${what}. Write it as in this.navigation({ order: 10, badge: true }).`,
});
