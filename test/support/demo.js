// `npm run demo`: a real application, made by the real generators, migrated, seeded and served.
// --fresh makes it anew; --into=DIR makes it elsewhere than in .demo/; --once does not watch its files. PORT is 3000 unless told.
import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fw, run, say, sayError } from "./demo/commands.js";
import { isOutdated, makeDemo } from "./demo/make.js";

const { values } = parseArgs({
  options: { fresh: { type: "boolean" }, into: { type: "string" }, once: { type: "boolean" } },
});
const root = resolve(values.into ?? join(import.meta.dirname, "../../.demo"));
const shown = relative(process.cwd(), root) || ".";

let server;
whenNpmIsGone(() => (server ? server.kill("SIGTERM") : process.exit(143)));

try {
  if (values.fresh) rmSync(root, { recursive: true, force: true });
  if (existsSync(root)) await reuse();
  else await makeDemo(root);
  serve();
} catch (error) {
  sayError(error.message);
  process.exitCode = 1;
}

async function reuse() {
  say(`The demo in ${shown} is served as it is; --fresh makes it anew: npm run demo -- --fresh`);
  if (isOutdated(root)) say("It was made by another version of the generators or of this script.");
  await run(root, ["db:migrate"]);
  await run(root, ["db:seed"]);
}

function serve() {
  say(`\n${values.once ? "" : `Edit what lies in ${shown}: the application restarts by itself. `}Ctrl-C ends it.\n`);
  server = spawn(process.execPath, [fw, values.once ? "serve" : "dev"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "development", HOST: "127.0.0.1" }, // open to whoever reaches it, so nobody else does
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => server.kill(signal));
  server.once("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}

/** npm ends on SIGTERM without passing it on. */
function whenNpmIsGone(end) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end(), 500).unref();
}
