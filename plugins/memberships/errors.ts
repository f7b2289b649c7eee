import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_MEMBERSHIP_MODEL: (model: string, lacks: string) =>
    `${model} can't be a membership: ${lacks}. It needs a belongsTo an account, a belongsTo the tenant, and static enums = { role: ["owner", …] }.`,
  FW_MEMBERSHIP_ROLE: (model: string, role: string, known: readonly string[]) =>
    `${model} has no role "${role}". Roles are: ${known.join(", ")}.`,
  FW_INVITATION_ACCOUNT: (invitation: string, account: string, model: string, user: string) =>
    `${invitation} is accepted by the account type "${account}", whose accounts are ${model}, and makes members of ${user}. Set static account to an account type with model = "${user}", or leave it out.`,
  FW_INVITATION_DOMAIN: (invitation: string, column: string, suggestion: string | undefined) =>
    `${invitation} invites addresses of the domain in "${column}", and no model that it belongs to has such a column.${didYouMean(suggestion)} Add the column to the tenant, or take static enforceDomain away.`,
  FW_WELCOME_PROFILE: (model: string) =>
    `the welcome page asks for the profile of a ${model}, which has none. Write one with: fw generate fw:profile:setup --user_model=${model} --portal=PORTAL; or take \`profile\` out of WelcomePages({ … }).`,
  FW_WELCOME_INCOMPLETE: (fields: readonly string[]) =>
    `the profile lacks ${fields.join(", ")}, which the welcome page asks for first. Send profile[${fields[0]}]=… to its path /profile.`,
  FW_INVITATION_COLUMNS: (problem: string) =>
    `the first owner of a tenant can't be invited with ${problem}. Run fw generate fw:invites:owner, then fw db:migrate.`,
  FW_MEMBERSHIP_CLASS: (what: string, where: string) =>
    `${where} is for ${what}; use the class that its generator wrote.`,
});
