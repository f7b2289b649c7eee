import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_BACKGROUND_TABLE: () =>
    `the table "framewright_background_runs" does not exist. Run: fw generate fw:install background_runs, then fw db:migrate`,
  FW_BACKGROUND_FILE: (interaction: string, name: string) =>
    `${interaction} has static inBackground = true and asks for the file "${name}", which nothing keeps until its job runs. Add storage() of framewright/plugins/storage to plugins.config.ts.`,
  FW_BACKGROUND_DOWNLOAD: (interaction: string) =>
    `${interaction} has static inBackground = true and static download = true, and nobody waits for a download of a job. Take one of them away; execute() may store a file with the record.`,
  FW_BACKGROUND_ROLLBACK: (interaction: string) =>
    `${interaction} has static inBackground = true and static onFailure = "rollback", and a job commits one record after the other. Take one of them away; "stop" leaves those after the first that fails.`,
  FW_BACKGROUND_ACCOUNT: (controller: string) =>
    `${controller} has interactions in the background, and no plugin finds its accounts outside of a request. Tap the hook resources.backgroundAccount: return the account of the id while it may act, else false.`,
  FW_BACKGROUND_ENTRY: (interaction: string, controller: string) =>
    `${interaction} runs in the background, and ${controller} can't be entered without the person's browser: a mount's constraint, findCurrentUser(), the tenant or a before-action depends on more than address, host and account. Find the tenant by the address, return what super.findCurrentUser() finds, and let request.isBackground pass in before-actions.`,
});
