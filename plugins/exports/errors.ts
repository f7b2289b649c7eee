import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_EXPORT_ENTRY: (controller: string) =>
    `an export runs in the background, and ${controller} can't be entered without the person's browser: a mount's constraint, findCurrentUser(), the tenant or a before-action depends on more than address, host and account. Find the tenant by the address, return what super.findCurrentUser() finds, let request.isBackground pass in before-actions, and find accounts by hooks.resources.backgroundAccount; or get the file with GET, which streams it.`,
});
