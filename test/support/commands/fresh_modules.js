// Node's hook: the files of applications are other modules in each command, as they may have changed since the last one.
// The built framework and its packages stay as they were loaded.
const root = new URL("../../../", import.meta.url).href;
const stays = [`${root}dist/`, `${root}node_modules/`, `${root}generators/bin/`];
let runs;

export function initialize(data) {
  ({ runs } = data);
}

export function resolve(specifier, context, next) {
  const found = next(specifier, context);
  return typeof found.then === "function" ? found.then(fresh) : fresh(found);
}

function fresh(found) {
  const isFresh =
    found.url.startsWith("file:") && !found.url.includes("?") && !stays.some((folder) => found.url.startsWith(folder));
  return isFresh ? { ...found, url: `${found.url}?run=${Atomics.load(runs, 0)}` } : found;
}
