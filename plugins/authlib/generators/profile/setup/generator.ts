import { defineGenerator } from "framewright/generators";
import conn from "../conn/generator.ts";
import install from "../install/generator.ts";
import { defaultName, splitArguments, userModelOf, userOption } from "../names.ts";

export default defineGenerator({
  name: "fw:profile:setup",
  summary: "Create the profile of an account and connect it to a portal: fw:profile:install and fw:profile:conn",
  example: "fw generate fw:profile:setup name:string 'about:text' --portal=customer_portal",
  args: "[Name] [field...]",
  options: {
    ...userOption,
    dest: { summary: "main_app, or the feature package of the profile", value: "PACKAGE" },
    portal: { summary: "The portal", value: "PORTAL" },
  },
  directory: import.meta.dirname,
  async run({ args, options, app, compose, note }) {
    const user = userModelOf(app, options);
    const { name = defaultName(user) } = splitArguments(args);
    const user_model = user.constant;
    await compose(install, args, { user_model, dest: options.dest });
    const written = app.models().find((model) => model.constant === name || model.constant.endsWith(`::${name}`))!;
    const notes = await compose(conn, [written.constant], { user_model, dest: options.portal });
    for (const line of notes) note(line);
    note("\nNext:\n  npx fw db:migrate");
  },
});
