import { defineGenerator } from "../../generator.ts";
import { accountName, pluginPathOf, writeAccount } from "./account.ts";
import { defaultFeatures, type Flags, featureOptions, isSet, select } from "./features.ts";
import { featuresIn } from "./plugin_file.ts";

export default defineGenerator({
  name: "fw:authlib:account",
  summary:
    "Make an account type with the default features and those that are flagged; on one that is there, add those that are flagged",
  example: "fw generate fw:authlib:account user --otp --recovery_codes",
  args: "<name>",
  options: {
    defaults: { summary: `What it has unless told: ${defaultFeatures.join(", ")}` },
    only: { summary: "Login and what is flagged, without the defaults" },
    kitchen_sink: { summary: "Every feature" },
    api_only: { summary: "No pages, JSON alone: login, logout, lockout and what is flagged; needs --jwt" },
    model: {
      summary: "The class that accounts are records of; the account type's own name unless told",
      value: "CLASS",
    },
    views: { summary: "Copy pages and mails to app/views/authlib, to change them" },
    ...featureOptions,
  },
  directory: import.meta.dirname,
  async run(context) {
    const { args, changes, note } = context;
    const options = context.options as Flags;
    const name = accountName(args[0]!, note);
    const path = pluginPathOf(name);
    const written = changes.read(path);
    const { features, brought } = select(options, written === undefined ? undefined : featuresIn(written));
    const isApi = isSet(options, "api_only");
    const { model } = context.options as { model?: string };
    for (const { name: needed, by } of brought) note(`${by} needs ${needed}: it comes along.`);
    const wishes = { features, code: {}, isApi, roles: undefined, model, views: isSet(options, "views") };
    const hasTables = await writeAccount(context, name, wishes);
    if (written !== undefined && isApi && !/\bapiOnly\s*=\s*true/.test(written))
      note(`${path} has pages. To take them away, add to the class: static override apiOnly = true;`);
    note(next(name, hasTables, written === undefined, isApi));
  },
});

const aboutMails = `Mails go out by SMTP_ADDRESS, SMTP_PORT, SMTP_USER and SMTP_PASSWORD, and lead to APP_URL, which production asks for.
Without SMTP_ADDRESS, development and test keep them at /_fw/mails.`;

function next(name: string, hasTables: boolean, isNew: boolean, isApi: boolean): string {
  const lines = [
    ...(hasTables ? ["npx fw db:migrate"] : []),
    ...(isNew && !isApi ? [`npx fw generate fw:pkg:portal customer --auth=${name}`] : []),
  ];
  const mails = isNew ? `\n${aboutMails}` : "";
  return `${mails}${lines.length > 0 ? `\nNext:\n  ${lines.join("\n  ")}` : ""}`;
}
