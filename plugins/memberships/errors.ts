import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_MEMBERSHIP_MODEL: (model: string, lacks: string) =>
    `${model} can't be a membership: ${lacks}. It needs a belongsTo an account, a belongsTo the tenant, and static enums = { role: ["owner", …] }.`,
  FW_MEMBERSHIP_ROLE: (model: string, role: string, known: readonly string[]) =>
    `${model} has no role "${role}". Roles are: ${known.join(", ")}.`,
  FW_MEMBERSHIP_CLASS: (what: string, where: string) =>
    `${where} is for ${what}; use the class that its generator wrote.`,
});
