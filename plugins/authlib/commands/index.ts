import type { Command, OptionSpec, OptionSpecs } from "framewright/generators";

const env: OptionSpec = { summary: "development, test or production", value: "NAME" };
const json: OptionSpec = { summary: "Print JSON" };
const common: OptionSpecs = { account: { summary: "The account type; user by default", value: "NAME" }, env };
const ann = "ann@shop.example";

function command(verb: string, summary: string, { args = "", line = "", options = {} as OptionSpecs } = {}): Command {
  const name = `authlib:user:${verb}`;
  return {
    name,
    args: ["<login>", args].filter(Boolean).join(" "),
    summary,
    example: ["fw", name, ann, line].filter(Boolean).join(" "),
    options: { ...options, ...common },
    brief: true,
    load: () => import("./accounts.ts"),
  };
}

/** For people who can't sign in. `<login>` is a login or an account's id. */
const accountCommands: readonly Command[] = [
  command("show", "Show an account: state, locks, factors, sign-ins", {
    options: { json },
  }),
  command("lock", "Lock an account for a while; the owner can unlock it by a mailed link", {
    line: "--minutes=30",
    options: { minutes: { summary: "For how long; by default as configured in lockout()", value: "NUMBER" } },
  }),
  command("unlock", "Unlock an account after too many wrong passwords or codes"),
  command("close", "Close an account: nobody can sign in, and its login is released", {
    options: { "keep-login": { summary: "Keep its login reserved" } },
  }),
  command("reopen", "Reopen a closed account, without a password"),
  command("verify", "Verify an account without the mailed link", {
    options: { "keep-password": { summary: "Keep the password that was entered at sign-up" } },
  }),
  command("mail-reset", "Mail the owner the link that sets a new password"),
  command("resend-invitation", "Mail an invited person a new link; the earlier one ends"),
  command("link", "Print a link that sets a new password, once"),
  command("set-password", "Set a password, and end every sign-in", {
    line: "--password-stdin",
    options: { "password-stdin": { summary: "Read the password from stdin (required)" } },
  }),
  command("change-login", "Change the login, and end every sign-in; a mail informs the old address", {
    args: "<new-login>",
    line: "anna@shop.example",
  }),
  command("end-sessions", "End every sign-in, remembered device, token and mailed link"),
  command("remove-factors", "Remove authenticator app, passkeys and recovery codes, and end every sign-in", {
    options: { kind: { summary: "One kind only: otp, webauthn or recovery_codes", value: "NAME" } },
  }),
];

/** Commands for accounts. */
export const commands: readonly Command[] = [
  {
    name: "authlib:admin:create",
    args: "<email>",
    summary: "Create a verified admin account, and print a link to set its password",
    example: "fw authlib:admin:create ada@example.com --role=super_admin",
    options: {
      role: { summary: "Its role; the first account gets the most privileged, others the second", value: "NAME" },
      account: { summary: "The account type; admin by default", value: "NAME" },
      "password-stdin": { summary: "Read the password from stdin instead of printing a link" },
      env,
    },
    load: () => import("./create_admin.ts"),
  },
  ...accountCommands,
  {
    name: "authlib:reseal",
    summary: "Re-encrypt what accounts stored with a previous SECRET_KEY_BASE, so that the previous one can be removed",
    example: "fw authlib:reseal --env=production",
    options: { env, json },
    load: () => import("./reseal.ts"),
  },
];
