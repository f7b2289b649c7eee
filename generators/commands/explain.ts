import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Application } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { RecordedRequest } from "framewright/plugins/inspector";
import { usage } from "../errors.ts";
import { withApp } from "../support/load_app.ts";
import { packageDirectory } from "../support/package.ts";
import type { CommandContext } from "./command.ts";

const CODE = /^FW_[A-Z\d_]+$/;
const VERB = /^(?:GET|HEAD)$/i;

/** Explains an error by its code, or opens a page as somebody would and prints where it led and what was decided. */
export default async function explain({ args, options }: CommandContext): Promise<void> {
  const [first, second] = args;
  if (CODE.test(first!)) return console.log(codeText(first!));
  const path = second ?? first!;
  if (!path.startsWith("/") || (second !== undefined && !VERB.test(first!)))
    throw usage.FW_EXPLAIN_WHAT(args.join(" "));
  const { as, host } = options as { as?: string; host?: string };
  const extraPlugins = async (_: unknown, listed: readonly { name: string }[]) => {
    if (listed.some(({ name }) => name === "inspector")) return [];
    return [(await import("framewright/plugins/inspector")).inspector()];
  };
  await withApp({ env: "development", extraPlugins, allowPending: true }, async (app) => {
    console.log(requestText(await visit(app, path, { as, host })));
  });
}

/** @throws FW_EXPLAIN_CODE */
function codeText(code: string): string {
  const file = join(packageDirectory, "docs/reference/errors.md");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const rows = [...text.matchAll(/^\| `(FW_[A-Z\d_]+)` \| `([^`]+)` \| (.*) \|$/gm)];
  const row = rows.find(([, name]) => name === code);
  if (!row)
    throw usage.FW_EXPLAIN_CODE(
      code,
      suggest(
        code,
        rows.map(([, name]) => name!),
      ),
    );
  const [, name, owner, message] = row;
  return `${name}, of ${owner}\n${message!.replaceAll("\\|", "|")}\n\nAn ellipsis stands for what the message names.`;
}

async function visit(
  app: Application,
  path: string,
  { as, host = app.settings.appUrl?.host ?? "127.0.0.1" }: { as: string | undefined; host: string | undefined },
): Promise<{ status: number; location: string | undefined; recorded: RecordedRequest | undefined }> {
  const { recorded } = app.kernel.service("inspector", "fw explain");
  if (!recorded) throw usage.FW_EXPLAIN_INSPECTOR();
  const cookie = as === undefined ? undefined : await signIn(app, host!, as);
  const headers = { host, accept: "text/html", ...(cookie === undefined ? {} : { cookie }) };
  const raw = {
    method: "GET",
    url: path,
    headers,
    rawHeaders: [],
    socket: { remoteAddress: "127.0.0.1" },
    resume() {},
  };
  const reply = await app.answer(raw as never);
  const location = reply.headers.location;
  return {
    status: reply.status,
    location: location === undefined ? undefined : String(location),
    recorded: recorded(),
  };
}

/** `user:ann@example.com`. @throws FW_EXPLAIN_AS, FW_SIGN_IN */
async function signIn(app: Application, host: string, as: string): Promise<string> {
  const at = as.indexOf(":");
  if (at < 1) throw usage.FW_EXPLAIN_AS(as);
  const { signInOffline } = await import("framewright/plugins/authlib");
  const line = await signInOffline(app, { host, account: as.slice(0, at), who: as.slice(at + 1) });
  return line?.split(";")[0] ?? "";
}

/** The message of a coded error begins with its code. */
const errorText = ({ code, name, message }: NonNullable<RecordedRequest["error"]>): string =>
  code === undefined ? `${name}: ${message}` : message;

function requestText({ status, location, recorded }: Awaited<ReturnType<typeof visit>>): string {
  const lines = [
    `${recorded?.method ?? "GET"} ${recorded?.path ?? ""} answered ${status}${location ? `, to ${location}` : ""}`,
  ];
  const fact = (name: string, value: string | undefined) =>
    value !== undefined && lines.push(`${name.padEnd(8)}${value}`);
  if (!recorded) return lines[0]!;
  const { route, action, file, portal, person, tenant } = recorded.target;
  fact("route", route ?? "none");
  fact("action", action);
  fact("file", file);
  fact("portal", portal);
  fact("account", person ?? "nobody");
  fact("tenant", tenant);
  if (recorded.error) fact("error", errorText(recorded.error));
  if (recorded.decisions.length > 0) lines.push("", "Decisions");
  for (const { kind, about, asked, id, why, file } of recorded.decisions)
    lines.push(
      `  ${kind.padEnd(8)}${about} ${asked}${id === undefined ? "" : ` of ${id}`}${why === "" ? "" : `: ${why}`}${kind === "refused" && file ? ` See ${file}` : ""}`,
    );
  return lines.join("\n");
}
