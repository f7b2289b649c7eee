import { errorTable } from "framewright/kernel";

const exampleOf = (column: string): string => `static personal = { of: "user", columns: { ${column}: null } }`;

export const errors = errorTable({
  FW_PERSONAL_STATIC: (model: string, found: string) =>
    `"static personal" of ${model} is ${found}. It is false, or { of, login, columns, files, erase, export }, as ${exampleOf("note")}.`,
  FW_PERSONAL_COLUMN: (model: string, column: string, suggestion: string | undefined) =>
    `"static personal" of ${model} names the column "${column}", which its table does not have. ${suggestion === undefined ? "Remove it, or add the column." : `Did you mean "${suggestion}"?`}`,
  FW_PERSONAL_RULE: (model: string, column: string, problem: string, fix: string) =>
    `the rule of "${column}" in "static personal" of ${model} can't be used: ${problem}. ${fix}`,
  FW_PERSONAL_OF: (model: string, name: string, known: readonly string[]) =>
    `"static personal" of ${model} says of: "${name}", which is no belongsTo association of it. ${known.length === 0 ? "Declare one that leads to the account." : `It has: ${known.join(", ")}.`}`,
  FW_PERSONAL_UNREACHED: (model: string) =>
    `"static personal" of ${model} leads to no account: neither does its "of" reach a model of an account type, over declared models, nor has it "login", the column with the person's login. Name the association that says whose its rows are: ${exampleOf("note")}.`,
  FW_PERSONAL_KEY: (model: string) =>
    `${model} has "static personal", and is not identified by one column. Write a source for it: hooks.personal_data.sources.`,
  FW_PERSONAL_SOURCE: (name: string) => `two sources of personal data are called "${name}". Rename one of them.`,
  FW_PERSONAL_REFERENCED: (model: string) =>
    `rows of ${model} can't be deleted with the person, since other rows refer to them. Use erase: "anonymise" in its "static personal", or declare the model of the others as well.`,
  FW_PERSONAL_FILE: (path: string) =>
    `the file ${path} exists. Use --force to replace it, or --out=PATH for another one.`,
  FW_PERSONAL_CONFIRM: (login: string, command: string) => `this erases ${login} for good. Add --yes: ${command} --yes`,
  FW_PERSONAL_ZIP: (name: string) =>
    `"${name}" has more than 4 GiB, which the file of an export can't have as one entry. Remove it from the storage, or hand it over by itself.`,
});
