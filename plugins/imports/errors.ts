import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_IMPORT_TABLE: () =>
    `the tables of imports do not exist, and a policy has canImport(). Run: fw generate fw:imports:install, then fw db:migrate`,
  FW_IMPORT_ENTRY: (controller: string) =>
    `an import runs in the background, and ${controller} can't be entered without the person's browser: a mount's constraint, findCurrentUser(), the tenant or a before-action depends on more than address, host and account. Find the tenant by the address, return what super.findCurrentUser() finds, and let request.isBackground pass in before-actions.`,
  FW_IMPORT_ROUTE: (constant: string, action: string) =>
    `${constant} has an import, and no route leads to "${action}" of its controller. Register the resource with its own routes.`,
});
