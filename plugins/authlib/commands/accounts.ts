import {
  ApplicationFiles,
  applicationRoot,
  type CommandContext,
  passwordFromStdin,
  underscore,
  usage,
  withApp,
} from "framewright/generators";
import type { AccountAdministration, AccountStatus } from "../index.ts";

interface ActionInput {
  login: string;
  /** The option that names the account type in a suggested command. */
  accountFlag: string;
  newLogin: string;
  options: CommandContext["options"];
  password: string | undefined;
}
/** Performs a command, and returns the text to print. */
type Action = (accounts: AccountAdministration, given: ActionInput) => Promise<string>;

const actions: Readonly<Record<string, Action>> = {
  async show(accounts, { login, options }) {
    const status = await accounts.status(login);
    return options.json ? JSON.stringify(status, null, 2) : statusText(status);
  },
  async lock(accounts, { login, options: { minutes } }) {
    await accounts.lock(login, minutes === undefined ? {} : { minutes: minutesOf(String(minutes)) });
    return `locked ${login}: no password is accepted until ${timeText((await accounts.status(login)).lockedUntil)}`;
  },
  async unlock(accounts, { login }) {
    return (await accounts.unlock(login)) ? `unlocked ${login}` : `${login} was not locked`;
  },
  async close(accounts, { login, options }) {
    await accounts.close(login, { keepsLogin: options.keepLogin === true });
    return `closed ${login}`;
  },
  async reopen(accounts, { login, accountFlag }) {
    const { id } = await accounts.find(login);
    await accounts.reopen(id);
    const { login: now } = await accounts.status(id);
    return `reopened ${now}. It has no password: fw authlib:user:mail-reset ${id}${accountFlag}`;
  },
  async verify(accounts, { login, accountFlag, options }) {
    await accounts.verify(login, { keepsPassword: options.keepPassword === true });
    const { hasPassword } = await accounts.status(login);
    return `verified ${login}${hasPassword ? "" : `. It has no password: fw authlib:user:mail-reset ${login}${accountFlag}`}`;
  },
  async "mail-reset"(accounts, { login }) {
    await accounts.mailPasswordReset(login);
    return `mailed a link to set a new password to ${login}`;
  },
  async "resend-invitation"(accounts, { login }) {
    await accounts.resendInvitation(login);
    return `mailed the invitation to ${login} again; the earlier link no longer works`;
  },
  async link(accounts, { login }) {
    return `The owner can set a password here, once: ${await accounts.issueLink(login)}`;
  },
  async "set-password"(accounts, { login, password }) {
    await accounts.setPassword(login, password!);
    return `set the password of ${login}`;
  },
  async "change-login"(accounts, { login, newLogin }) {
    await accounts.changeLogin(login, newLogin);
    return `changed the login of ${login} to ${newLogin}`;
  },
  async "end-sessions"(accounts, { login }) {
    const count = await accounts.endSessions(login);
    return `ended ${count === 1 ? "1 sign-in" : `${count} sign-ins`} of ${login}`;
  },
  async "remove-factors"(accounts, { login, options: { kind } }) {
    const removed = await accounts.removeFactors(login, kind === undefined ? undefined : String(kind));
    if (removed.length === 0) return `${login} has no such factors`;
    return `removed from ${login}: ${removed.map(({ name, count }) => `${name} (${count})`).join(", ")}`;
  },
};

/** `fw authlib:user:<verb> <login>`: what people can do to their account, done by an operator. */
export default async function accounts({ argv: [name = ""], args, options }: CommandContext): Promise<void> {
  const verb = name.split(":").at(-1)!;
  const type = new ApplicationFiles(applicationRoot()).account(underscore(String(options.account ?? "user")));
  const { env } = options;
  const known = ["development", "test", "production"];
  if (env !== undefined && !known.includes(String(env))) throw usage.FW_FLAG_CHOICE("--env", String(env), known);
  if (verb === "set-password" && !options.passwordStdin)
    throw usage.FW_ARGUMENT_MISSING(`fw ${name}`, "--password-stdin", `fw ${name} ${args[0]} --password-stdin`);
  const password = options.passwordStdin ? await passwordFromStdin() : undefined;
  const accountFlag = type === "user" ? "" : ` --account=${type}`;
  const given = { login: args[0]!.trim(), accountFlag, newLogin: args[1]?.trim() ?? "", options, password };
  await withApp(env === undefined ? {} : { env: String(env) }, async (app) => {
    const auth = app.kernel.service("auth", `fw ${name}`);
    console.log(await actions[verb]!(auth.accounts(type, { actor: `fw ${name}` }), given));
  });
}

function minutesOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw usage.FW_FLAG_VALUE("--minutes", "a whole number, 1 or more");
  return Number(text);
}

const timeText = (date: Date | undefined) =>
  date ? `${date.toISOString().slice(0, 16).replace("T", " ")} UTC` : "never";

function statusText(status: AccountStatus): string {
  const rows: [string, string][] = [
    ["id", String(status.id)],
    ["login", status.login],
    ["state", status.state],
    ...(status.lockedUntil ? [["locked until", timeText(status.lockedUntil)] as [string, string]] : []),
    ...(status.codesLockedUntil ? [["codes locked until", timeText(status.codesLockedUntil)] as [string, string]] : []),
    ...(status.invitedAt ? [["invited", timeText(status.invitedAt)] as [string, string]] : []),
    ["password", status.hasPassword ? "yes" : "none"],
    ...status.factors.map(({ name, count, since }): [string, string] => [
      name,
      since ? `${count}, since ${timeText(since)}` : String(count),
    ]),
    ["sign-ins", String(status.sessions)],
    ["remembered devices", String(status.rememberedDevices)],
    ["last sign-in", timeText(status.lastSignIn)],
  ];
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `${head.padEnd(width)}  ${text}`).join("\n");
}
