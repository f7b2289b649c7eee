// Runs the test files that the runner names, one at a time: each is read to its end, then what it described runs. The file
// is over when nothing that it opened is left, as a process of its own would be: until then the runner's channel counts for nothing.
import { pathToFileURL } from "node:url";
import { begin, start } from "./index.ts";

const environment = { ...process.env };
const folder = process.cwd();
const globals = Object.getOwnPropertyDescriptors(globalThis);
const events = ["SIGTERM", "SIGINT", "SIGHUP", "uncaughtException", "unhandledRejection", "warning"];
const listeners = new Map(events.map((event) => [event, process.rawListeners(event as "SIGTERM")]));
process.setMaxListeners(0); // each temporary folder is removed at the end

/** A file's path, or nothing when there are no more. */
process.on("message", (file: string) => {
  if (file === "") process.disconnect();
  else void runFile(file);
});

async function runFile(file: string): Promise<void> {
  restoreProcess();
  begin();
  process.channel?.unref();
  await import(pathToFileURL(file).href);
  start();
}

/** What the file before may have changed of the process is as it was. */
function restoreProcess(): void {
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  restoreGlobals();
  for (const [event, before] of listeners)
    for (const listener of process.rawListeners(event as "SIGTERM"))
      if (!before.includes(listener)) process.off(event, listener as () => void);
}

function restoreGlobals(): void {
  const now: Record<string, PropertyDescriptor> = Object.getOwnPropertyDescriptors(globalThis);
  for (const [name, { value, configurable }] of Object.entries(now)) {
    const before = (globals as Record<string, PropertyDescriptor>)[name];
    if (!configurable || (before && before.value === value)) continue;
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  }
}
