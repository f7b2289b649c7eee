import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_NOTIFICATION: (problem: string, fix: string) => `a notification can't be sent: ${problem}. ${fix}`,
  FW_NOTIFICATIONS_TABLE: () =>
    "notifications have no table. Run npx fw generate fw:notifications:install, then npx fw db:migrate.",
});
