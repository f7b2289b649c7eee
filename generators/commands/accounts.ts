import type { AccountAdministration, AccountStatus } from "framewright/plugins/authlib";
import { usage } from "../errors.ts";
import { ApplicationFiles } from "../support/application.ts";
import { applicationRoot, withApp } from "../support/load_app.ts";
import { underscore } from "../support/names.ts";
import { passwordFromStdin } from "../support/password.ts";
import type { CommandContext } from "./index.ts";

interface Given {
  login: string;
  /** What a command that names the account again ends in. */
  again: string;
  another: string;
  options: CommandContext["options"];
  password: string | undefined;
}
/** Does what a command says, and returns what is printed. */
type Work = (accounts: AccountAdministration, given: Given) => Promise<string>;

const work: Readonly<Record<string, Work>> = {
  async show(accounts, { login, options }) {
    const status = await accounts.status(login);
    return options.json ? JSON.stringify(status, null, 2) : described(status);
  },
  async lock(accounts, { login, options: { minutes } }) {
    await accounts.lock(login, minutes === undefined ? {} : { minutes: minutesOf(String(minutes)) });
    return `locked ${login}: no password is taken until ${time((await accounts.status(login)).lockedUntil)}`;
  },
  async unlock(accounts, { login }) {
    return (await accounts.unlock(login)) ? `unlocked ${login}` : `${login} was not locked`;
  },
  async close(accounts, { login, options }) {
    await accounts.close(login, { keepsLogin: options.keepLogin === true });
    return `closed ${login}`;
  },
  async reopen(accounts, { login, again }) {
    const { id } = await accounts.find(login);
    await accounts.reopen(id);
    const { login: now } = await accounts.status(id);
    return `opened ${now} again. It has no password: fw authlib:user:mail-reset ${id}${again}`;
  },
  async verify(accounts, { login, again, options }) {
    await accounts.verify(login, { keepsPassword: options.keepPassword === true });
    const { hasPassword } = await accounts.status(login);
    return `verified ${login}${hasPassword ? "" : `. It has no password: fw authlib:user:mail-reset ${login}${again}`}`;
  },
  async "mail-reset"(accounts, { login }) {
    await accounts.mailPasswordReset(login);
    return `a link to set a new password is on its way to ${login}`;
  },
  async link(accounts, { login }) {
    return `They set a password here, once: ${await accounts.issueLink(login)}`;
  },
  async "set-password"(accounts, { login, password }) {
    await accounts.setPassword(login, password!);
    return `set the password of ${login}`;
  },
  async "change-login"(accounts, { login, another }) {
    await accounts.changeLogin(login, another);
    return `changed the login of ${login} to ${another}`;
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

/** `fw authlib:user:<verb> <login>`: what people do to their account, done for who can't. */
export default async function accounts({ argv: [name = ""], args, options }: CommandContext): Promise<void> {
  const verb = name.split(":").at(-1)!;
  const type = new ApplicationFiles(applicationRoot()).account(underscore(String(options.account ?? "user")));
  const { env } = options;
  const known = ["development", "test", "production"];
  if (env !== undefined && !known.includes(String(env))) throw usage.FW_FLAG_CHOICE("--env", String(env), known);
  if (verb === "set-password" && !options.passwordStdin)
    throw usage.FW_ARGUMENT_MISSING(`fw ${name}`, "--password-stdin", `fw ${name} ${args[0]} --password-stdin`);
  const password = options.passwordStdin ? await passwordFromStdin() : undefined;
  const again = type === "user" ? "" : ` --account=${type}`;
  const given = { login: args[0]!.trim(), again, another: args[1]?.trim() ?? "", options, password };
  await withApp(env === undefined ? {} : { env: String(env) }, async (app) => {
    const auth = app.kernel.service("auth", `fw ${name}`);
    console.log(await work[verb]!(auth.accounts(type, { actor: `fw ${name}` }), given));
  });
}

function minutesOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw usage.FW_FLAG_VALUE("--minutes", "a whole number, 1 or more");
  return Number(text);
}

const time = (date: Date | undefined) => (date ? `${date.toISOString().slice(0, 16).replace("T", " ")} UTC` : "never");

function described(status: AccountStatus): string {
  const rows: [string, string][] = [
    ["id", String(status.id)],
    ["login", status.login],
    ["state", status.state],
    ...(status.lockedUntil ? [["locked until", time(status.lockedUntil)] as [string, string]] : []),
    ...(status.codesLockedUntil ? [["codes wait until", time(status.codesLockedUntil)] as [string, string]] : []),
    ["password", status.hasPassword ? "yes" : "none"],
    ...status.factors.map(({ name, count, since }): [string, string] => [
      name,
      since ? `${count}, since ${time(since)}` : String(count),
    ]),
    ["sign-ins", String(status.sessions)],
    ["remembered devices", String(status.rememberedDevices)],
    ["last sign-in", time(status.lastSignIn)],
  ];
  const width = Math.max(...rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `${head.padEnd(width)}  ${text}`).join("\n");
}
