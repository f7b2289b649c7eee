import type { OptionSpecs } from "../generator.ts";
import type { Command } from "./command.ts";

const common: OptionSpecs = {
  account: { summary: "The account type; user by default", value: "NAME" },
  env: { summary: "development, test or production", value: "NAME" },
};
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

/** Commands for people who can't sign in. `<login>` is a login or an account's id. */
export const accountCommands: readonly Command[] = [
  command("show", "Show an account: state, locks, factors, sign-ins", {
    options: { json: { summary: "Print JSON" } },
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
