import { defineGenerator } from "framewright/generators";
import { accountName, pluginPathOf, writeAccount } from "./account.ts";
import { defaultFeatures, type Flags, featureOptions, isSet, selectFeatures } from "./features.ts";
import { featuresIn } from "./plugin_file.ts";

export default defineGenerator({
  name: "fw:authlib:account",
  summary:
    "Create an account type with the default and the flagged features, or add the flagged features to an existing one",
  example: "fw generate fw:authlib:account user --otp --recovery_codes",
  args: "<name>",
  options: {
    defaults: { summary: `The default features: ${defaultFeatures.join(", ")}` },
    only: { summary: "Login and the flagged features, without the defaults" },
    kitchen_sink: { summary: "Every feature that has a flag" },
    api_only: { summary: "JSON only, no pages: login, logout, lockout and the flagged features; requires --jwt" },
    model: {
      summary: "The model of the accounts; named as the account type by default",
      value: "CLASS",
    },
    views: { summary: "Copy pages and mails to app/views/authlib for editing" },
    ...featureOptions,
  },
  directory: import.meta.dirname,
  async run(context) {
    const { args, changes, note } = context;
    const options = context.options as Flags;
    const name = accountName(args[0]!, note);
    const path = pluginPathOf(name);
    const written = changes.read(path);
    const { features, added } = selectFeatures(options, written === undefined ? undefined : featuresIn(written));
    const isApi = isSet(options, "api_only");
    const { model } = context.options as { model?: string };
    for (const { name: needed, by } of added) note(`${by} requires ${needed}, which was added too.`);
    const accountOptions = { features, code: {}, isApi, roles: undefined, model, views: isSet(options, "views") };
    const hasTables = await writeAccount(context, name, accountOptions);
    if (written !== undefined && isApi && !/\bapiOnly\s*=\s*true/.test(written))
      note(`${path} has pages. To remove them, add to the class: static override apiOnly = true;`);
    note(next(name, hasTables, written === undefined, isApi));
  },
});

const mailSettings = `Mails are sent by SMTP_ADDRESS, SMTP_PORT, SMTP_USER and SMTP_PASSWORD, and link to APP_URL, which production requires.
Without SMTP_ADDRESS, development and test show them at /_fw/mails.`;

function next(name: string, hasTables: boolean, isNew: boolean, isApi: boolean): string {
  const lines = [
    ...(hasTables ? ["npx fw db:migrate"] : []),
    ...(isNew && !isApi ? [`npx fw generate fw:pkg:portal customer --auth=${name}`] : []),
  ];
  const mails = isNew ? `\n${mailSettings}` : "";
  return `${mails}${lines.length > 0 ? `\nNext:\n  ${lines.join("\n  ")}` : ""}`;
}
