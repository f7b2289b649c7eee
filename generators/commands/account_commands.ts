import type { OptionSpecs } from "../generator.ts";
import type { Command } from "./index.ts";

const common: OptionSpecs = {
  account: { summary: "The account type; user unless told", value: "NAME" },
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

/** What helps people who can't get in. `<login>` is a login or an account's id. */
export const accountCommands: readonly Command[] = [
  command("show", "How an account stands: state, locks, factors, sign-ins", {
    options: { json: { summary: "Print JSON" } },
  }),
  command("lock", "Take no password for a while; the owner may end that by a mailed link", {
    line: "--minutes=30",
    options: { minutes: { summary: "For how long; as lockout() says unless told", value: "NUMBER" } },
  }),
  command("unlock", "Take passwords and codes again after too many wrong ones"),
  command("close", "Close an account: nobody gets in by it, and its login is free", {
    options: { "keep-login": { summary: "Let nobody sign up with its login" } },
  }),
  command("reopen", "Open a closed account again, without a password"),
  command("verify", "Open an account that nobody verified", {
    options: { "keep-password": { summary: "Keep the password that was typed at the sign-up" } },
  }),
  command("mail-reset", "Mail the owner the link that sets a new password"),
  command("link", "Print a link that sets a new password, once"),
  command("set-password", "Set a password, and end every sign-in", {
    line: "--password-stdin",
    options: { "password-stdin": { summary: "Read the password from stdin, the only way there is" } },
  }),
  command("change-login", "Change the login, and end every sign-in; the old address is told", {
    args: "<new-login>",
    line: "anna@shop.example",
  }),
  command("end-sessions", "End every sign-in, remembered device, token and mailed link"),
  command("remove-factors", "Remove authenticator app, passkeys and recovery codes, and end every sign-in", {
    options: { kind: { summary: "One kind alone: otp, webauthn or recovery_codes", value: "NAME" } },
  }),
];
