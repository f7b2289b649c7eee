import type { Command, OptionSpecs } from "framewright/generators";

const common: OptionSpecs = {
  account: { summary: "The account type; user by default", value: "NAME" },
  env: { summary: "development, test or production", value: "NAME" },
};
const load = () => import("./person.ts");

/** Commands for a person's data. `<login>` is a login or an account's id. */
export const commands: readonly Command[] = [
  {
    name: "authlib:user:export",
    args: "<login>",
    summary: "Write all that is stored of a person to a ZIP file, which its owner alone may read",
    example: "fw authlib:user:export ann@shop.example",
    options: {
      out: { summary: "The path of the file", value: "PATH" },
      force: { summary: "Replace a file that exists" },
      ...common,
    },
    brief: true,
    load,
  },
  {
    name: "authlib:user:erase",
    args: "<login>",
    summary: "Close an account and erase the person: rows, history, comments, files",
    example: "fw authlib:user:erase ann@shop.example --yes",
    options: { yes: { summary: "Do it (required)" }, ...common },
    brief: true,
    load,
  },
];
