import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  AUDIT_MODEL_UNKNOWN: (name: string, meant: string | undefined) =>
    `audit({ except: [${JSON.stringify(name)}] }) names no model.${didYouMean(meant)} Name a model as in "Blogging::Post".`,
  AUDIT_POLICY_MISSING: (path: string) =>
    `there is no ${path}. Generate the policy first: fw generate fw:res:scaffold, or fw:res:conn for that of a portal.`,
  AUDIT_POLICY_SHAPE: (path: string) =>
    `${path} has no class that ends the file. Add canAudit() to its policy by hand.`,
  AUDIT_LIMIT: (given: unknown) => `--limit takes a whole number from 1 to 1000, got ${JSON.stringify(given)}.`,
});
