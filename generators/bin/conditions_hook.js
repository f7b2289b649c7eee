// The hooks of conditions.js, as the module that Node 20 loads into its hooks thread.
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

let from = { framework: false, application: true };
/** The format of an application's TypeScript, by folder: that of its package.json. */
const formats = new Map();
/** What the names of the framework lead to in an application's own files. */
const framework = new Map();

export function initialize(options) {
  from = options;
  formats.clear();
  framework.clear();
}

/** Fast path: an application has three files and more for each model, and the loaders below look at each of their imports for long. */
export function resolve(specifier, context, next) {
  const isPlain = from.application && isImport(context);
  const known = isPlain ? (ofFramework(specifier, context) ?? ofFile(specifier, context)) : undefined;
  if (known) return known;
  const condition = conditionOf(specifier);
  const found = next(specifier, condition ? { ...context, conditions: [condition, ...context.conditions] } : context);
  if (!isPlain) return found;
  return typeof found.then === "function"
    ? found.then((result) => remember(specifier, context, result))
    : remember(specifier, context, found);
}

/** What was compiled before: tsx would look through each of these files for what it has to change. */
export function load(url, context, next) {
  if (context.format !== "module" || !isCompiled(url)) return next(url, context);
  return { format: "module", source: readFileSync(fileURLToPath(url)), shortCircuit: true };
}
const above = new URL("../../", import.meta.url).href;
const built = above.endsWith("/dist/") ? above : `${above}dist/`;
const isCompiled = (url) =>
  /^file:[^?#]*\.m?js$/.test(url) && (url.includes("/node_modules/") || url.startsWith(built));

function conditionOf(specifier) {
  if (specifier.startsWith("#")) return from.application ? "app-source" : undefined;
  return from.framework && isFramework(specifier) ? "framewright-source" : undefined;
}

const isFramework = (specifier) => specifier === "framewright" || specifier.startsWith("framewright/");
const isImport = ({ conditions, importAttributes = {} }) =>
  conditions.includes("import") && Object.keys(importAttributes).length === 0;
const isOwn = (url) => url?.startsWith("file:") && !/[?#]|\/node_modules\//.test(url);

const ofFramework = (specifier, { parentURL }) => (isOwn(parentURL) ? framework.get(specifier) : undefined);

/** A TypeScript file that is named by its path, where another one of its folder was resolved before. */
function ofFile(specifier, { parentURL }) {
  if (!specifier.endsWith(".ts") || !/^(?:file:|\.\.?\/)/.test(specifier)) return undefined;
  try {
    const url = specifier.startsWith("file:") ? specifier : isOwn(parentURL) && new URL(specifier, parentURL).href;
    if (!url || !isOwn(url)) return undefined;
    const real = pathToFileURL(realpathSync(fileURLToPath(url))).href; // as Node does, so that a file is one module
    const format = formats.get(folderOf(real));
    return format && { url: real, format, shortCircuit: true };
  } catch {
    return undefined; // the loader below says what is wrong
  }
}

function remember(specifier, { parentURL }, result) {
  if (isFramework(specifier)) {
    if (isOwn(parentURL)) framework.set(specifier, { ...result, shortCircuit: true });
  } else if (isOwn(result.url) && result.url.endsWith(".ts")) formats.set(folderOf(result.url), result.format);
  return result;
}

const folderOf = (url) => url.slice(0, url.lastIndexOf("/"));
