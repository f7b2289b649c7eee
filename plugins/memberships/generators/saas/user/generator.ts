import { defineGenerator, type GeneratorContext, usage } from "framewright/generators";
import { tableize } from "framewright/host/inflection";
import {
  accountGenerator,
  accountName,
  defaultFeatures,
  pluginPathOf,
  writeAccount,
} from "../../../../authlib/generators/toolkit/index.ts";
import { parseFields, schemaLine } from "../../../../database/generators/toolkit/index.ts";
import { constantOf, fieldList, isFalse } from "../names.ts";

export default defineGenerator({
  name: "fw:saas:user",
  summary: "Create the account type of a product's users; an existing one is kept as it is",
  example: "fw generate fw:saas:user Customer --extra_attributes=name:string",
  args: "<name>",
  options: {
    allow_signup: { summary: "Anybody may sign up; false: only who is invited. true by default", value: "BOOLEAN" },
    extra_attributes: {
      summary: "Further columns, which the sign-up asks for: name:string,phone:string?",
      value: "FIELDS",
    },
  },
  directory: accountGenerator.directory, // the account type is written by its templates
  async run(context) {
    const { args, options, changes, note } = context;
    const constant = constantOf("an account", args[0]!);
    const name = accountName(constant, note);
    if (changes.exists(pluginPathOf(name))) {
      note(`The account type ${name} exists and is kept as it is.`);
      return;
    }
    const isNewTable = !context.app.models().some((model) => model.constant === constant);
    const texts = fieldList(options.extraAttributes);
    if (texts.length > 0 && !isNewTable)
      throw usage.FW_FLAG_VALUE(
        "--extra_attributes",
        `a model that is new; ${constant} exists, so add columns by a migration`,
      );
    const fields = parseFields(texts);
    const signUp = [
      ...(fields.length > 0 ? [`fields: [${fields.map(({ column }) => `"${column}"`).join(", ")}]`] : []),
      ...(isFalse(options.allowSignup) ? ["invitedOnly: true"] : []),
    ];
    const code: Record<string, string> =
      signUp.length > 0 ? { create_account: `createAccount({ ${signUp.join(", ")} })` } : {};
    const model = isNewTable ? undefined : constant;
    await writeAccount(context, name, {
      features: defaultFeatures,
      code,
      isApi: false,
      roles: undefined,
      model,
      views: false,
    });
    if (fields.length > 0) addColumns(context, tableize(constant), fields.map(schemaLine));
  },
});

function addColumns({ changes }: GeneratorContext, table: string, lines: readonly string[]): void {
  const path = changes
    .paths()
    .find((file) => file.includes("/migrate/") && changes.read(file)!.includes(`createTable("${table}"`));
  if (path === undefined) return;
  changes.edit(path, (text) =>
    text.replace("    t.timestamps();", `${lines.map((line) => `    ${line}\n`).join("")}    t.timestamps();`),
  );
}
